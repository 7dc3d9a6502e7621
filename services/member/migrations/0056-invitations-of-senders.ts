import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** Invitations of a sender, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'onboardings', 'onboardings_sender', 'invited_by, created_at')
}
