import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import { WorkspaceCreatedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { WorkspaceSchema } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { type EventActor, emit, systemActor } from '../../kernel/bus/events.ts'
import type { Trx, WorkspacesTable } from '../tables.ts'
import { markAnnounced } from './sql.ts'

/** Maps a workspace to its response. */
export const toWorkspace = (row: Selectable<WorkspacesTable>) =>
  ({
    ...messageFields(row),
    settings: row.settings ? (JSON.parse(row.settings) as JsonObject) : undefined,
    isActive: row.is_active === 1 && row.closed_at === null,
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
