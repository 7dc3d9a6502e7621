import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** Orders of lists: invitations newest first, of a workspace and of all; all workspaces by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'onboardings', 'onboardings_newest', 'workspace_id, created_at')
  await addIndex(db, 'onboardings', 'onboardings_created', 'created_at')
  await addIndex(db, 'workspaces', 'workspaces_name', 'deleted_at, name')
}
