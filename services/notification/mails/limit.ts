import { digest } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Clock } from '../clock.ts'
import type { NotificationDb } from '../tables.ts'
import { countMails, deleteEndedCounts } from './limit.sql.ts'
import type { MailJob } from './queued.ts'

/** Limits of mails per recipient, across callers and processes. */
export type MailLimit = {
  /** Counts mails on their first attempt. @returns those over a limit, with the end of its hour */
  countJobs(jobs: readonly MailJob[]): Promise<ReadonlyMap<MailJob, Date>>
  stop(): Promise<void>
}

const hourMs = 3_600_000
/** The limit of all mails to an address, as a multiple of the limit per kind and hotel. */
const totalFactor = 6
/** Maximum of notifications that are mailed to a member. */
const notificationsPerHour = 60

export function startMailLimit(parts: {
  db: NotificationDb
  clock: Pick<Clock, 'now'>
  perHour: number
  log: Log
}): MailLimit {
  const { db, clock, perHour, log } = parts
  const cleanup = repeatEvery(
    hourMs / 6,
    () => deleteEndedCounts(db, clock.now()),
    err => log.warn({ err }, 'ended mail counts not deleted; retrying'),
  )
  /** Counts the mails that have a counter. @returns those over the limit */
  const count = async (jobs: readonly MailJob[], counterOf: Counter, limit: number): Promise<Map<MailJob, Date>> => {
    const groups = Map.groupBy(jobs, counterOf)
    groups.delete(undefined)
    const additions = new Map([...groups].map(([name = '', group]) => [name, group.length]))
    if (additions.size === 0) return new Map()
    const now = clock.now()
    const counts = await countMails(db, additions, { now, ends: new Date(now.getTime() + hourMs) })
    return new Map(
      counts.flatMap(({ name, mails, ends_at }) => {
        const group = groups.get(name) ?? []
        return group.slice(Math.max(0, limit - (mails - group.length))).map(job => [job, ends_at] as const)
      }),
    )
  }
  return {
    async countJobs(jobs) {
      // Retried mails were counted on their first attempt.
      const firstTries = jobs.filter(({ delivery }) => delivery.attempts === 1)
      const jobsOverKindLimit = await count(firstTries, kindCounter, perHour)
      // Counts only what is within the first limit, so that one sender can't use up the total.
      const mailsWithinLimit = firstTries.filter(job => !jobsOverKindLimit.has(job))
      const jobsOverTotal = await count(mailsWithinLimit, addressCounter, perHour * totalFactor)
      return new Map([
        ...jobsOverKindLimit,
        ...jobsOverTotal,
        ...(await count(firstTries, memberCounter, notificationsPerHour)),
      ])
    },
    stop: cleanup.stop,
  }
}

/** The name of the count that a mail is part of, a digest because addresses are personal data; undefined for none. */
type Counter = (job: MailJob) => string | undefined

/** Mails that strangers and invitations cause. The kind is the template's slug. */
const kindCounter: Counter = ({ content }) =>
  'mail' in content
    ? digest(`${content.mail.slug} ${content.mail.ecosystemId ?? ''} ${normalizeEmail(content.mail.to)}`)
    : undefined

const addressCounter: Counter = ({ content }) =>
  'mail' in content ? digest(normalizeEmail(content.mail.to)) : undefined

const memberCounter: Counter = ({ content }) => ('notification' in content ? digest(content.person.id) : undefined)
