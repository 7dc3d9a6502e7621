import { systemTenant } from '../../kernel/access/tenant.ts'
import { instantAt, offsetAt } from '../../kernel/base/time-zone.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import { type FailureLog, failureLog } from '../../kernel/process/failure-log.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Context } from '../context.ts'
import type { Workspace } from '../members.ts'
import { type DueDay, emitPageDue } from '../pages/events.ts'
import { type DeadlineRow, lockDeadline, nearDeadlines, recordDueReminder } from './deadlines.sql.ts'
import { acknowledgementsOf } from './must-reads.sql.ts'

type Parts = Pick<Context, 'db' | 'members'> & { logFailure: FailureLog }

const everyMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Local hour of reminders. */
const reminderHour = 8

type Reminder = { number: 1 | 2; dueDay: DueDay; dueAt: Date }

/** Reminds readers of must-read pages on the day before a deadline and on the day. Any number of processes may run. */
export function startDeadlineReminders({ log, ...context }: Pick<Context, 'db' | 'members'> & { log: Log }) {
  const logFailure = failureLog((fields, message) => log.warn(fields, message))
  return repeatEvery(
    everyMs,
    () => remindOfDeadlines({ ...context, logFailure }),
    err => log.warn({ err }, 'near deadlines not read; retrying'),
  )
}

/** Sends the reminders that are due; one that fails is retried by the next run. @returns their number */
export async function remindOfDeadlines(parts: Parts): Promise<number> {
  const tryOne = async (row: DeadlineRow): Promise<boolean> => {
    try {
      const workspace = await parts.members.workspace(row.workspace_id)
      return !!workspace && !!dueReminder(row, workspace) && (await remindReaders(parts, workspace, row.page_id))
    } catch (err) {
      parts.logFailure(String(err), { pageId: row.page_id, err }, 'reminder of a deadline not sent; retrying')
      return false
    }
  }
  let reminderCount = 0
  for (const row of await nearDeadlines(parts.db)) if (await tryOne(row)) reminderCount++
  return reminderCount
}

/** The reminder that is due and was not sent. People who learned of the deadline after its hour need none. */
export function dueReminder(
  { due_at, due_set_at, due_reminder, published_at, now }: DeadlineRow,
  { timezone }: Pick<Workspace, 'timezone'>,
): Reminder | undefined {
  if (!due_at) return undefined
  const localTime = (time: Date): number => time.getTime() + offsetAt(timezone, time)
  const today = Math.floor(localTime(now) / dayMs)
  const remindAt = instantAt(timezone, today * dayMs + reminderHour * hourMs)
  const daysLeft = Math.floor(localTime(due_at) / dayMs) - today
  const isKnown = [published_at, due_set_at].every(time => time === null || time < remindAt)
  if (now < remindAt || !isKnown || daysLeft > 1) return undefined
  const number = daysLeft === 0 ? 2 : 1
  return number > due_reminder ? { number, dueDay: daysLeft === 0 ? 'today' : 'tomorrow', dueAt: due_at } : undefined
}

/** Reminds those who have not acknowledged a page, unless its deadline has moved or another process does. */
async function remindReaders({ db, members }: Parts, workspace: Workspace, pageId: string): Promise<boolean> {
  const { workspaceId, ecosystemId, name } = workspace
  const tenant = systemTenant(workspaceId, ecosystemId, 'reminds readers of deadlines')
  const audience = await members.audience(workspaceId)
  return inTransaction(db, async trx => {
    const page = await lockDeadline(trx, pageId)
    const reminder = page && dueReminder(page, workspace)
    if (!reminder) return false
    const acknowledged = await acknowledgementsOf(trx, tenant, pageId)
    const receiverIds = audience.filter(id => id !== page.created_by_id && !acknowledged.has(id))
    await recordDueReminder(trx, page, reminder.number)
    const about = { workspaceId, ecosystemId, workspaceName: name, actor: systemActor, receiverIds }
    if (receiverIds.length > 0) await emitPageDue(trx, page, reminder, about)
    failpoint('deadline-reminded')
    return true
  })
}
