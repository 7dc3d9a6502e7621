import { sql } from 'kysely'
import type { Log } from '../../kernel/process/log.ts'
import type { Db } from '../tables.ts'

const hourMs = 3_600_000
const chunk = 200
/** As long as an Idempotency-Key is good for everywhere. */
const repeatableHours = 24

type Keeping = { keptDays: number; restoreDays: number }

/**
 * Forgets what closed runs know of people: who was to be the administrator is gone with the closing, what the steps gave
 * after a day, when no Idempotency-Key asks for it any more, and the run itself after `keptDays`. A deletion is kept as
 * long as its hotel can be restored.
 */
export async function forgetRuns(db: Db, { keptDays, restoreDays }: Keeping): Promise<void> {
  const closed = () => db.selectFrom('hotel_setups').select('id').where('status', 'in', ['completed', 'undone'])
  const before = (hours: number) => sql<Date>`now(3) - interval ${hours} hour`

  const answered = closed()
    .where('created_at', '<', before(repeatableHours))
    .where('kind', 'in', ['create', 'chat'])
    .where('input', '!=', '{}')
  await inChunks(
    () => answered.limit(chunk).execute(),
    async ids => {
      await db.updateTable('hotel_setup_steps').set({ result: null }).where('setup_id', 'in', ids).execute()
      const nothing = { input: '{}', idempotency_key: null, request_digest: null }
      await db.updateTable('hotel_setups').set(nothing).where('id', 'in', ids).execute()
    },
  )

  const restorable = before(Math.max(keptDays, restoreDays + 1) * 24)
  const old = closed()
    .where('created_at', '<', before(keptDays * 24))
    .where(eb => eb.or([eb('kind', '!=', 'delete'), eb('created_at', '<', restorable)]))
  await inChunks(
    () => old.limit(chunk).execute(),
    async ids => {
      await db.deleteFrom('hotel_setup_steps').where('setup_id', 'in', ids).execute()
      await db.deleteFrom('hotel_setups').where('id', 'in', ids).execute()
    },
  )
}

async function inChunks(find: () => Promise<{ id: string }[]>, work: (ids: string[]) => Promise<void>): Promise<void> {
  for (;;) {
    const rows = await find()
    if (rows.length > 0) await work(rows.map(({ id }) => id))
    if (rows.length < chunk) return
  }
}

/** Forgets every hour. @returns what ends it */
export function startForgetting(db: Db, keeping: Keeping, log: Log): () => void {
  const timer = setInterval(() => {
    forgetRuns(db, keeping).catch((err: unknown) => log.warn({ err }, 'old runs could not be forgotten'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
