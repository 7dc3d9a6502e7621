import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, RowDataPacket } from 'mysql2/promise'

/** Drafts of one workspace that become due at the same moment; each notifies every member. */
const due = 500
const longestMs = 180_000

/**
 * The delay of the scheduler's publications, when many pages of one minute are due. It runs every minute, so this waits
 * for it. All times are the database's.
 */
export async function lateness(db: Connection, workspaceId: string): Promise<string> {
  const ask = async (text: string, values: unknown[]) => (await db.query<RowDataPacket[]>(text, values))[0]
  const chosen = await ask('select id from pages where workspace_id = ? and deleted_at is null order by id limit ?', [
    workspaceId,
    due,
  ])
  const ids = chosen.map(({ id }) => String(id))
  const [clock] = await ask('select cast(date_add(now(3), interval 2 second) as char) as at', [])
  await ask("update pages set status = 'draft', published_at = null, scheduled_at = ? where id in (?)", [
    clock?.['at'],
    ids,
  ])
  for (const began = Date.now(); Date.now() - began < longestMs; await sleep(500)) {
    const [state] = await ask(
      `select count(*) as published, timestampdiff(microsecond, ?, min(published_at)) as first,
         timestampdiff(microsecond, ?, max(published_at)) as last
       from pages where id in (?) and status = 'published'`,
      [clock?.['at'], clock?.['at'], ids],
    )
    if (state?.['published'] !== ids.length) continue
    const seconds = (name: string) => (Number(state[name]) / 1e6).toFixed(1)
    return `${ids.length} pages due at one moment: the first published ${seconds('first')} s, the last ${seconds('last')} s late`
  }
  throw new Error(`${due} due pages were not published within ${longestMs / 1000} s`)
}
