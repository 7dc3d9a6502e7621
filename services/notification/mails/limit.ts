import { digest } from '../../kernel/base/secrets.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import { countMails, deleteEndedCounts } from './limit.sql.ts'
import type { MailJob } from './queued.ts'

/** Limits of mails per recipient, across callers and processes. */
export type MailLimit = {
  /** Counts mails on their first attempt. @returns those over a limit */
  excess(jobs: readonly MailJob[]): Promise<ReadonlySet<MailJob>>
  stop(): Promise<void>
}

const hourMs = 3_600_000
/** How often the limit of one kind and hotel fits into that of all mails to a recipient. */
const totalFactor = 6

export function startMailLimit(parts: { db: Db; clock: Pick<Clock, 'now'>; perHour: number; log: Log }): MailLimit {
  const { db, clock, perHour, log } = parts
  const cleaning = repeatEvery(
    hourMs / 6,
    () => deleteEndedCounts(db, clock.now()),
    err => log.warn({ err }, 'ended mail counts not deleted; retrying'),
  )
  /** Counts mails by name. @returns those over the limit */
  const count = async (jobs: readonly MailJob[], nameOf: (job: MailJob) => string, limit: number) => {
    const groups = Map.groupBy(jobs, nameOf)
    if (groups.size === 0) return []
    const now = clock.now()
    const added = new Map([...groups].map(([name, group]) => [name, group.length]))
    const counts = await countMails(db, added, { now, ends: new Date(now.getTime() + hourMs) })
    return [...groups].flatMap(([name, group]) => {
      const before = (counts.get(name) ?? 0) - group.length
      return group.slice(Math.max(0, limit - before))
    })
  }
  return {
    async excess(jobs) {
      // Retried mails were counted on their first attempt.
      const fresh = jobs.filter(({ delivery }) => delivery.attempts === 1)
      const ofKind = new Set(await count(fresh, kindCounter, perHour))
      // Counts only what is within the first limit, so that one sender can't use up the total.
      const within = fresh.filter(job => !ofKind.has(job))
      return new Set([...ofKind, ...(await count(within, totalCounter, perHour * totalFactor))])
    },
    stop: cleaning.stop,
  }
}

type Receiver = { to: string; kind: string; hotel?: string | undefined }

function receiverOf(content: MailJob['content']): Receiver {
  if ('mail' in content) return { to: content.mail.to, kind: content.mail.slug, hotel: content.mail.ecosystemId }
  if ('digest' in content) return { to: content.digest.person.email, kind: 'digest' }
  const { person, notification } = content
  return { to: person.email, kind: slugOf(`${notification.type}.${notification.category}`) }
}

/** The kind of a mail is its template's slug. Only a digest is stored, because addresses are personal data. */
function kindCounter({ content }: MailJob): string {
  const { to, kind, hotel = '' } = receiverOf(content)
  return digest(`${kind} ${hotel} ${normalEmail(to)}`)
}

const totalCounter = ({ content }: MailJob): string => digest(normalEmail(receiverOf(content).to))
