import { HotelWorkspaceService } from '../../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { WorkspaceCreatedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { WorkspaceSchema } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { inTransaction } from '../../kernel/database/database.ts'
import { emit, type EventActor, systemActor } from '../../kernel/bus/events.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { createSystemRoles } from '../roles/seed.ts'
import type { Db, Trx } from '../rows.ts'
import type { Workspaces } from '../tables.ts'
import { removeWorkspaces } from './workspaces.sql.ts'
import { findHotelWorkspace, insertWorkspace, markAnnounced } from '../memberships/workspace.sql.ts'

/** The workspace that comes and goes with a hotel; both calls may be repeated. */
export const hotelWorkspaceService = ({ db }: { db: Db }): Rpc =>
  implement(HotelWorkspaceService, {
    async createHotelWorkspace({ hotelId, name, ecosystemType, timezone, language }) {
      const ecosystem = { ecosystemId: hotelId }
      const workspace = await inTransaction(db, async trx => {
        await lockHotel(trx, hotelId)
        const existing = await findHotelWorkspace(trx, ecosystem)
        if (existing) return existing
        const settings = { ...(timezone ? { timezone } : {}), ...(language ? { language } : {}) }
        const created = await insertWorkspace(trx, ecosystem, { name, ecosystemType, settings, isDefault: true })
        await createSystemRoles(trx, created.id)
        return created
      })
      return { workspace: toWorkspace(workspace) }
    },

    async removeHotelWorkspace({ hotelId }) {
      return { removed: await inTransaction(db, trx => removeWorkspaces(trx, hotelId)) }
    },
  })

/** Two set-ups of one hotel at once must not make two workspaces: the second waits for the first. */
const lockHotel = (trx: Trx, hotelId: string) =>
  sql`select id from workspaces where ecosystem_id = ${hotelId} for update`.execute(trx)

/** Says, once, that a workspace was created. */
export async function announceWorkspace(
  trx: Trx,
  workspace: Selectable<Workspaces>,
  receiverIds: string[],
  actor: EventActor = systemActor,
): Promise<void> {
  const { id, name, ecosystem_id: ecosystemId } = workspace
  await markAnnounced(trx, id)
  await emit(
    trx,
    WorkspaceCreatedSchema,
    { id, workspaceId: id, name, ecosystemId },
    { workspaceId: id, ecosystemId, workspaceName: name, channels: ['socket'], actor, receiverIds },
  )
}

/** A workspace row as answered. */
export const toWorkspace = (row: Selectable<Workspaces>) =>
  ({
    id: row.id,
    name: row.name,
    description: optional(row.description),
    ecosystemId: row.ecosystem_id,
    ecosystemType: row.ecosystem_type,
    logoUrl: optional(row.logo_url),
    ...(row.settings ? { settings: JSON.parse(row.settings) } : {}),
    isDefault: row.is_default === 1,
    isActive: row.is_active === 1 && row.closed_at === null,
    membersCount: row.members_count,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  }) satisfies MessageInitShape<typeof WorkspaceSchema>
