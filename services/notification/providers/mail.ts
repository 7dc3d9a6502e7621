import type { JsonValue } from '@bufbuild/protobuf'
import type { Log } from '../../kernel/process/log.ts'
import { networkFailure } from '../../kernel/provider/failure.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import type { Config } from '../config.ts'
import type { OutgoingMail } from '../mails/mail-parts.ts'
import type { MailJob } from '../mails/queued.ts'
import { type ProviderAnswer, post, toRefusal, toUnanswered, unreadableAnswer } from './http.ts'
import { type DeliveryOutcome, failure, type Sender, success } from './outcome.ts'

type Compose = (job: MailJob) => Promise<OutgoingMail | undefined>
type MailSender = { send: Sender<MailJob>; close(): void }

/** Sends mails over the provider's HTTP interface or over SMTP, by EMAIL_PROVIDER. */
export function mailSender(config: Config, compose: Compose, calls: Provider, log: Log): MailSender {
  const { deliver, close } = config.emailProvider === 'smtp' ? overSmtp(config, calls) : overHttp(config, calls)
  const one = async (job: MailJob): Promise<DeliveryOutcome> => {
    try {
      const mail = await compose(job)
      if (!mail) return failure(config.emailProvider, 'The template of the mail no longer exists', { isFinal: true })
      return withoutAddress(await deliver(mail), mail.to.email)
    } catch (error) {
      log.error({ delivery: job.delivery.id, err: error }, 'mail not composed or sent')
      return failure(config.emailProvider, 'Internal error')
    }
  }
  return { send: jobs => Promise.all(jobs.map(one)), close }
}

/** A provider's answer may name the receiver's address, which attempts don't keep [D422]. */
function withoutAddress(outcome: DeliveryOutcome, address: string): DeliveryOutcome {
  if (address === '') return outcome
  const inJson = JSON.stringify(address).slice(1, -1)
  return JSON.parse(JSON.stringify(outcome).replaceAll(inJson, 'the receiver')) as DeliveryOutcome
}

type MailTransport = { deliver(mail: OutgoingMail): Promise<DeliveryOutcome>; close(): void }

function overHttp(config: Config, calls: Provider): MailTransport {
  const provider = 'sendgrid'
  const { EMAIL_API_KEY: key, EMAIL_BASE_URL, EMAIL_FROM } = config
  return {
    close() {},
    async deliver({ id, to, senderName, subject, html, text, headers }) {
      if (!key) return failure(provider, 'The e-mail provider is not configured', { isFinal: true })
      const message = {
        personalizations: [{ to: [{ email: to.email, ...(to.name ? { name: to.name } : {}) }], custom_args: { id } }],
        from: { email: EMAIL_FROM, name: senderName },
        subject: subject || '-',
        content: [
          { type: 'text/plain', value: text },
          { type: 'text/html', value: html },
        ],
        headers,
      }
      try {
        const url = `${EMAIL_BASE_URL}/v3/mail/send`
        const auth = { authorization: `Bearer ${key}` }
        const answer = await post(calls, { operation: 'send', url, headers: auth, body: JSON.stringify(message) })
        if (answer.status === 202) return success(provider, answer.header('x-message-id'))
        // A success with another body hasn't accepted the mail.
        if (answer.status < 300) return unreadableAnswer(provider)
        return toRefusal(provider, answer, errorsOf(answer))
      } catch (thrown) {
        return toUnanswered(provider, thrown)
      }
    },
  }
}

function errorsOf({ json }: ProviderAnswer): string {
  const errors = Array.isArray(json['errors']) ? json['errors'] : []
  const messages = errors.map((error: JsonValue) =>
    typeof error === 'object' && error !== null && !Array.isArray(error) ? error['message'] : undefined,
  )
  return messages.filter(message => typeof message === 'string').join('; ') || 'refused'
}

function overSmtp(config: Config, calls: Provider): MailTransport {
  const provider = 'smtp'
  const { SMTP_URL, EMAIL_FROM, DELIVERY_TIMEOUT_MS: patience } = config
  const openPool = async (url: string) => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 5,
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
    })
  }
  let poolPromise: ReturnType<typeof openPool> | undefined
  return {
    close: () => void poolPromise?.then(pool => pool.close()),
    async deliver({ id, to, senderName, subject, html, text, headers }) {
      if (!SMTP_URL) return failure(provider, 'The e-mail provider is not configured', { isFinal: true })
      const pool = await (poolPromise ??= openPool(SMTP_URL))
      const domain = EMAIL_FROM.split('@')[1] ?? 'localhost'
      const from = { address: EMAIL_FROM, name: senderName }
      const messageId = `<${id}@${domain}>`
      try {
        const recipient = { address: to.email, name: to.name }
        const mail = { from, to: recipient, subject, html, text, headers, messageId }
        const receipt = await calls.call({ operation: 'send', isRepeatable: false, retries: false }, () =>
          pool.sendMail(mail).catch((thrown: unknown) => {
            throw toTransient(thrown)
          }),
        )
        return success(provider, receipt.messageId, { response: String(receipt.response) })
      } catch (thrown) {
        return smtpFailure(provider, thrown)
      }
    },
  }
}

/** 421 and a missing reply count as failures of the server; any other reply concerns this mail only. */
function toTransient(thrown: unknown): unknown {
  const { responseCode } = Object(thrown) as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode !== 421 ? thrown : networkFailure(thrown)
}

/** SMTP replies of 5xx are final; others may pass. */
function smtpFailure(provider: string, thrown: unknown): DeliveryOutcome {
  const { responseCode, response } = Object(thrown) as { responseCode?: unknown; response?: unknown }
  if (typeof responseCode !== 'number') return toUnanswered(provider, thrown)
  return failure(provider, String(response).slice(0, 1000), {
    code: String(responseCode),
    isFinal: responseCode >= 500,
  })
}
