import { HotelWorkspaceService } from '../../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { createSystemRoles } from '../roles/seed.ts'
import type { Trx } from '../tables.ts'
import { findHotelWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { toWorkspace } from '../workspaces/message.ts'
import { insertWorkspace, lockEcosystem } from '../workspaces/sql.ts'

/** The workspace that is created and removed with a hotel. Both calls are idempotent. */
export const hotelWorkspaceService = ({ db }: Context): Rpc =>
  implement(HotelWorkspaceService, {
    async createHotelWorkspace({ hotelId, name, ecosystemType, timezone, language }) {
      const ecosystem = { ecosystemId: hotelId }
      const workspace = await inTransaction(db, async trx => {
        // Two concurrent set-ups would otherwise create two workspaces.
        await lockEcosystem(trx, hotelId)
        const existing = await findHotelWorkspace(trx, ecosystem)
        if (existing) return existing
        const settings = { ...(timezone ? { timezone } : {}), ...(language ? { language } : {}) }
        const createdWorkspace = await insertWorkspace(trx, ecosystem, {
          name,
          ecosystemType,
          settings,
          isDefault: true,
        })
        await createSystemRoles(trx, createdWorkspace.id)
        return createdWorkspace
      })
      return { workspace: toWorkspace(workspace) }
    },

    async removeHotelWorkspace({ hotelId }) {
      return { removed: await inTransaction(db, trx => removeWorkspaces(trx, hotelId)) }
    },
  })

/**
 * Removes the workspaces of a hotel whose set-up failed. They are unused, so only the audit entries remain.
 * @returns whether there were any
 */
async function removeWorkspaces(trx: Trx, hotelId: string): Promise<boolean> {
  const allTenants = exempt(trx, 'a hotel that never opened is removed as a whole')
  const rows = await allTenants
    .selectFrom('workspaces')
    .select('id')
    .where('ecosystem_id', '=', hotelId)
    .forUpdate()
    .execute()
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return false
  const roles = allTenants.selectFrom('workspace_roles').select('id').where('workspace_id', 'in', ids)
  await allTenants.deleteFrom('role_permissions').where('role_id', 'in', roles).execute()
  for (const table of ['workspace_roles', 'workspace_members', 'onboardings'] as const)
    await allTenants.deleteFrom(table).where('workspace_id', 'in', ids).execute()
  await allTenants.deleteFrom('workspaces').where('id', 'in', ids).execute()
  return true
}
