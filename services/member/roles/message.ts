import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import type { RoleSchema } from '../../../gen/platform/member/v1/roles_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { permissionsOfRoles } from '../rights/access.sql.ts'
import { publishAccessChange, publishRights } from '../rights/announce.ts'
import type { Db, Trx, WorkspaceRolesTable } from '../tables.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { withRights } from '../workspace-memberships/message.ts'
import { holdersByRole, holdersOf, liveRole } from './roles.sql.ts'

/**
 * Maximum of members who are notified individually of a changed role; with more, sockets learn only that rights
 * changed.
 */
const maxNotified = 500

/** Maps roles to their responses, in the order of the rows. */
export async function toRoles(
  db: Db,
  tenant: Tenant,
  rows: Selectable<WorkspaceRolesTable>[],
): Promise<MessageInitShape<typeof RoleSchema>[]> {
  const ids = rows.map(row => row.id)
  const [permissions, holders] = await Promise.all([permissionsOfRoles(db, ids), holdersByRole(db, tenant)])
  return rows.map(row => ({
    ...messageFields(row),
    permissions: permissions
      .filter(one => one.role_id === row.id)
      .map(({ slug, name, category }) => ({ slug, name, category })),
    membersCount: holders.get(row.slug) ?? 0,
  }))
}

/** The response for one role. */
export async function loadRole(db: Db, tenant: Tenant, id: string): Promise<MessageInitShape<typeof RoleSchema>> {
  const [role] = await toRoles(db, tenant, [await liveRole(db, tenant, id).executeTakeFirstOrThrow()])
  return role ?? {}
}

/** Publishes changed rights to the members who have a role. A deleted role has none. */
export async function publishRole(trx: Trx, bus: Bus, tenant: Tenant, id: string, actor: EventActor): Promise<void> {
  const role = await liveRole(trx, tenant, id).executeTakeFirst()
  const holders = role?.live_slug ? await holdersOf(trx, tenant, role.live_slug, maxNotified) : []
  const memberships = await withRights(trx, await liveMemberships(trx, holders, [tenant.workspaceId]))
  await publishRights(trx, tenant, memberships, actor)
  await publishAccessChange(trx, bus, { ...tenant, memberIds: [] })
}
