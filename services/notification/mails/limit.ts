import { digest } from '../../kernel/base/secrets.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import { countMails, deleteEndedCounts } from './limit.sql.ts'
import type { MailJob } from './queued.ts'

/** Limit of mails per address and kind, across callers and processes. */
export type MailLimit = {
  /** Counts mails on their first attempt. @returns those over the limit */
  excess(jobs: readonly MailJob[]): Promise<ReadonlySet<MailJob>>
  stop(): Promise<void>
}

const hourMs = 3_600_000

export function startMailLimit(parts: { db: Db; clock: Pick<Clock, 'now'>; perHour: number; log: Log }): MailLimit {
  const { db, clock, perHour, log } = parts
  const cleaning = repeatEvery(
    hourMs / 6,
    () => deleteEndedCounts(db, clock.now()),
    err => log.warn({ err }, 'ended mail counts not deleted; retrying'),
  )
  return {
    async excess(jobs) {
      // Retried mails were counted on their first attempt.
      const groups = Map.groupBy(
        jobs.filter(({ delivery }) => delivery.attempts === 1),
        counterOf,
      )
      if (groups.size === 0) return new Set()
      const now = clock.now()
      const added = new Map([...groups].map(([name, group]) => [name, group.length]))
      const counts = await countMails(db, added, { now, ends: new Date(now.getTime() + hourMs) })
      return new Set(
        [...groups].flatMap(([name, group]) => {
          const before = (counts.get(name) ?? 0) - group.length
          return group.slice(Math.max(0, perHour - before))
        }),
      )
    },
    stop: cleaning.stop,
  }
}

function receiverOf(content: MailJob['content']): [to: string, kind: string] {
  if ('mail' in content) return [content.mail.to, content.mail.slug]
  if ('digest' in content) return [content.digest.person.email, 'digest']
  const { person, notification } = content
  return [person.email, slugOf(`${notification.type}.${notification.category}`)]
}

/** The kind of a mail is its template's slug. Only a digest is stored, because addresses are personal data. */
function counterOf({ content }: MailJob): string {
  const [to, kind] = receiverOf(content)
  return digest(`${kind} ${normalEmail(to)}`)
}
