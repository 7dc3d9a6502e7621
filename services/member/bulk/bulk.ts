import type { HandlerContext } from '@connectrpc/connect'
import { BulkService } from '../../../gen/platform/member/v1/bulk_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { invalid } from '../../kernel/base/errors.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { callerOf } from '../onboarding/cancel.ts'
import { checkSlugs } from '../rights/grants.ts'
import { addMembers } from './add.ts'
import { type ChangeRow, changeRoles, type GrantRow, grantSlugs, type RoleChangeRow } from './change.ts'
import { bulkReport } from './rules.ts'

/** Bulk changes of members; each row has its own result. */
export const bulkService = ({ db, bus, links }: Context): Rpc => {
  const callOf = (context: HandlerContext) => ({
    db,
    bus,
    links,
    tenant: tenantOf(context),
    caller: callerOf(context),
    context,
  })
  return implement(BulkService, {
    async bulkAddMembers({ members }, context) {
      return bulkReport(await addMembers(callOf(context), members))
    },

    async bulkUpdateRoles({ members, memberIds, workspaceRole = '' }, context) {
      if (memberIds.length > 0 && !workspaceRole) throw invalid('workspaceRole', 'is required', 'required')
      const rows = rowsOf<RoleChangeRow>(
        members.map(row => ({ ...row, workspaceRole: row.workspaceRole || workspaceRole })),
        memberIds,
        memberId => ({ memberId, workspaceRole }),
      )
      return bulkReport(await changeRoles(callOf(context), rows))
    },

    async bulkAssignPermissions({ members, memberIds, permissions }, context) {
      if (memberIds.length > 0 && permissions.length === 0) throw invalid('permissions', 'is required', 'required')
      const rows = rowsOf<GrantRow>(members, memberIds, memberId => ({ memberId }))
      await checkSlugs(db, tenantOf(context), permissions)
      return bulkReport(await grantSlugs(callOf(context), rows, permissions))
    },
  })
}

/**
 * The rows of a request, which has them whole or as ids. Ids are accepted in any case; field validation doesn't
 * normalise those inside rows.
 */
function rowsOf<Row extends ChangeRow>(members: Row[], memberIds: string[], toRow: (memberId: string) => Row): Row[] {
  if (members.length > 0 && memberIds.length > 0) throw invalid('memberIds', 'cannot stand beside members', 'exclusive')
  if (members.length + memberIds.length === 0) throw invalid('members', 'is required', 'required')
  const rows = members.length > 0 ? members : memberIds.map(toRow)
  return rows.map(row => ({ ...row, memberId: row.memberId.toLowerCase() }))
}
