import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import { WorkspaceCreatedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { WorkspaceSchema } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { type EventActor, emit, systemActor } from '../../kernel/bus/events.ts'
import type { Trx, WorkspacesTable } from '../tables.ts'
import { markAnnounced } from './sql.ts'

/** Maps a workspace to its response. */
export const toWorkspace = (row: Selectable<WorkspacesTable>) =>
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

/** Publishes, once, that a workspace was created. */
export async function publishWorkspace(
  trx: Trx,
  workspace: Selectable<WorkspacesTable>,
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
