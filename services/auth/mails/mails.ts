import type { Client } from '@connectrpc/connect'
import type { Kysely, Transaction } from 'kysely'
import type { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import type { Mail as MailKind } from '../../../gen/platform/options/v1/options_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { Language } from '../../kernel/base/language.ts'
import { startPoller } from '../../kernel/base/poller.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { AuthTables } from '../tables.ts'
import { claimMails, deleteMail, insertMail, nextMailAt, postponeMail } from './mails.sql.ts'

export type AuthMail = {
  /** Slug of the template, which is also the kind that the mail limit counts: see Mail in the method options. */
  slug: Lowercase<Exclude<keyof typeof MailKind, 'UNSPECIFIED'>>
  to: string
  toName?: string | undefined
  variables: Record<string, string>
  /** The language where no member has the address; a member gets their own. */
  fallbackLanguage?: Language | undefined
  /** The hotel that the mail is about; a member's mail has the look of their own. */
  ecosystemId?: string | undefined
}

export type Mails = {
  /**
   * Queues a mail in the running transaction; it is sent only if that commits.
   * @param decoy true for a mail that costs the same as a real one but is never sent
   */
  queue(trx: Transaction<AuthTables>, mail: AuthMail, decoy?: boolean): Promise<void>
}

type Mailer = Mails & { stop(): Promise<void> }

const pollMs = 1_000
const leaseMs = 30_000
const batch = 20
/** Older mails are discarded: the reader no longer expects them. */
const maxAgeMs = 24 * 3600 * 1000
const maxDelayMs = 60_000

/**
 * Delivers queued mails to the notification service and retries until it accepts them. A mail survives a crash of
 * either service, and its id prevents duplicates.
 */
export function startMailer(parts: {
  db: Kysely<AuthTables>
  mailCipher: Cipher
  client: Client<typeof MailService>
  log: Log
}): Mailer {
  const { db, mailCipher, client, log } = parts
  const send = async (row: Awaited<ReturnType<typeof claimMails>>[number]): Promise<void> => {
    const content = row.is_decoy ? undefined : mailCipher.open(row.sealed)
    if (content === undefined) {
      if (!row.is_decoy)
        log.error({ mail: row.id, slug: row.slug }, 'queued mail discarded: no current key decrypts it')
      await deleteMail(db, row.id)
      return
    }
    const { to, toName, variables, fallbackLanguage, ecosystemId } = JSON.parse(content) as AuthMail
    try {
      const context = { ...(fallbackLanguage && { fallbackLanguage }), ...(ecosystemId && { ecosystemId }) }
      await client.sendMail({ to, toName, slug: row.slug, variables, idempotencyKey: row.id, ...context })
      await deleteMail(db, row.id)
    } catch (thrown) {
      const { status } = toRpcError(thrown).info
      const isRefused = status === 400
      if (isRefused || Date.now() - row.created_at.getTime() > maxAgeMs) {
        log.error({ mail: row.id, slug: row.slug, status }, 'mail discarded: refused or too old')
        await deleteMail(db, row.id)
        return
      }
      const delayMs = Math.min(maxDelayMs, 1_000 * 2 ** Math.min(row.attempts, 6))
      log.warn({ mail: row.id, slug: row.slug, status }, 'mail not handed over to the notification service; retrying')
      await postponeMail(db, row.id, new Date(Date.now() + delayMs))
    }
  }

  const poller = startPoller({
    everyMs: pollMs,
    async poll() {
      const now = new Date()
      const nextAt = await nextMailAt(db)
      if (!nextAt) return undefined
      if (nextAt > now) return Math.min(pollMs, nextAt.getTime() - now.getTime())
      const rows = await claimMails(db, now, leaseMs, batch)
      await Promise.all(rows.map(send))
      return rows.length === batch ? 0 : pollMs
    },
    failed: error => log.warn({ err: error }, 'mail queue not processed; retrying'),
  })

  return {
    async queue(trx, mail, decoy = false) {
      const { slug, ...content } = mail
      await insertMail(trx, { slug, sealed: mailCipher.seal(JSON.stringify(content)), decoy, now: new Date() })
      afterCommit(trx, poller.wake)
    },
    stop: poller.stop,
  }
}
