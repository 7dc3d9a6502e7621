import type { AttemptRow, Db } from '../tables.ts'

type Filter = { channel?: string | undefined; status?: string | undefined }

/** Attempts to deliver a notification, oldest first. Its tenant has been opened by the caller. */
export async function attemptsOf(
  db: Db,
  notificationId: string,
  { channel, status }: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AttemptRow[]; total: number }> {
  const matching = db
    .selectFrom('delivery_attempts')
    .where('notification_id', '=', notificationId)
    .$if(channel !== undefined, query => query.where('channel', '=', channel as AttemptRow['channel']))
    .$if(status !== undefined, query => query.where('status', '=', status as AttemptRow['status']))
  const rows = await matching.selectAll().orderBy('sent_at').orderBy('id').limit(limit).offset(offset).execute()
  const { count } = await matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { rows, total: Number(count) }
}
