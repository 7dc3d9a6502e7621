import { lowestIdAt } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { deleteInParts, deleteOldRows, type RetentionRule } from '../../kernel/database/retention.ts'
import type { NotificationDb } from '../tables.ts'

/** Deliveries to webhooks. What still waits to be sent stays. */
export const keptWebhookDeliveries = (db: NotificationDb, days: number): RetentionRule => ({
  table: 'webhook_deliveries',
  days,
  deleteBefore: before =>
    deleteOldRows(db, 'webhook_deliveries', maxRows =>
      exempt(db, 'deliveries of all workspaces grow old')
        .deleteFrom('webhook_deliveries')
        .where('id', '<', lowestIdAt(before))
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(maxRows)
        .executeTakeFirst(),
    ),
})

/** Deletes the deliveries that name an erased member. What still waits is sent first, and deleted by a later call. */
export async function deleteWebhookDeliveriesNaming(db: NotificationDb, memberId: string): Promise<void> {
  for (const column of ['named_actor_id', 'named_person_id'] as const)
    await deleteInParts(maxRows =>
      exempt(db, 'an erased person is forgotten in every tenant')
        .deleteFrom('webhook_deliveries')
        .where(column, '=', memberId)
        .where('due_at', 'is', null)
        .limit(maxRows)
        .executeTakeFirst(),
    )
}
