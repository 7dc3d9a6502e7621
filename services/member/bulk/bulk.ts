import { type BulkRole, BulkService } from '../../../gen/platform/member/v1/bulk_pb.ts'
import { actingMember, eventActorOf, tenantOf } from '../../kernel/access/access.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import type { Links } from '../onboarding/invite.ts'
import { checkSlugs } from '../rights/grants.ts'
import type { Db } from '../tables.ts'
import { addMembers } from './add.ts'
import { changeRoles, grantSlugsToAll } from './change.ts'
import { bulkReport } from './rules.ts'

/** Bulk changes of members; each row has its own result [D88]. */
export const bulkService = ({ db, bus, links }: { db: Db; bus: Bus; links: Links }): Rpc =>
  implement(BulkService, {
    async bulkAddMembers({ members }, context) {
      const inviterId = actingMember(context)?.memberId ?? null
      const needs = { db, bus, links, tenant: tenantOf(context), actor: eventActorOf(context), inviterId }
      return bulkReport(await addMembers(needs, members))
    },

    async bulkUpdateRoles({ members }, context) {
      const callerId = actingMember(context)?.memberId
      return bulkReport(
        await changeRoles(
          { db, bus, tenant: tenantOf(context), actor: eventActorOf(context), callerId },
          members.map(inLowerCase),
        ),
      )
    },

    async bulkAssignPermissions({ memberIds, permissions }, context) {
      const tenant = tenantOf(context)
      await checkSlugs(db, tenant, permissions)
      const needs = { db, bus, tenant, actor: eventActorOf(context), callerId: actingMember(context)?.memberId }
      return bulkReport(
        await grantSlugsToAll(
          needs,
          memberIds.map(id => id.toLowerCase()),
          permissions,
        ),
      )
    },
  })

/** Ids are accepted in any case. Field validation doesn't normalise the ids inside rows. */
const inLowerCase = (row: BulkRole): BulkRole => ({ ...row, memberId: row.memberId.toLowerCase() })
