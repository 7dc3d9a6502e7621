import { createSign } from 'node:crypto'
import type { JsonValue } from '@bufbuild/protobuf'
import type { Provider } from '../../kernel/provider/provider.ts'
import type { Config } from '../config.ts'
import { type ProviderAnswer, post, toRefusal, toUnanswered, unreadableAnswer } from './http.ts'
import { type DeliveryOutcome, failure, type Sender, success } from './outcome.ts'
import { contentOf, type PushJob } from './push.ts'

const provider = 'fcm'
const scope = 'https://www.googleapis.com/auth/firebase.messaging'

/**
 * Pushes over FCM v1: one message per device, with an OAuth token from a signed assertion.
 * @param validateOnly the provider checks each message and delivers none
 */
export function fcmSender(config: Config, calls: Provider, { validateOnly = false } = {}): Sender<PushJob> {
  const { FCM_PROJECT_ID, FCM_CLIENT_EMAIL, FCM_PRIVATE_KEY, FCM_BASE_URL } = config
  if (!FCM_PROJECT_ID || !FCM_CLIENT_EMAIL || !FCM_PRIVATE_KEY)
    return async jobs => jobs.map(() => failure(provider, 'The push provider is not configured', { isFinal: true }))
  const tokens = accessTokens(config, calls, FCM_CLIENT_EMAIL, FCM_PRIVATE_KEY.replaceAll('\\n', '\n'))
  const url = `${FCM_BASE_URL}/v1/projects/${encodeURIComponent(FCM_PROJECT_ID)}/messages:send`

  const attempt = async (job: PushJob, token: string): Promise<ProviderAnswer> => {
    const { title, body, data } = contentOf(job, job.person.language)
    const message = {
      token: job.device.device_token,
      notification: { title, body },
      data,
      // A second copy of a notification replaces the first on the device.
      android: { collapse_key: job.notification.id, notification: { tag: job.notification.id } },
      apns: { headers: { 'apns-collapse-id': job.notification.id } },
    }
    const headers = { authorization: `Bearer ${token}` }
    return post(calls, {
      operation: 'send',
      url,
      headers,
      body: JSON.stringify(validateOnly ? { message, validate_only: true } : { message }),
    })
  }

  const send = async (job: PushJob): Promise<DeliveryOutcome> => {
    try {
      const token = await tokens.get()
      if (typeof token !== 'string') return token
      let answer = await attempt(job, token)
      if (answer.status === 401) {
        tokens.evict(token)
        const renewedToken = await tokens.get()
        if (typeof renewedToken !== 'string') return renewedToken
        answer = await attempt(job, renewedToken)
      }
      return outcomeOf(answer)
    } catch (thrown) {
      return toUnanswered(provider, thrown)
    }
  }
  return jobs => Promise.all(jobs.map(send))
}

function outcomeOf(answer: ProviderAnswer): DeliveryOutcome {
  const { json, status } = answer
  if (status === 200 && typeof json['name'] === 'string') return success(provider, json['name'], json)
  if (status === 200) return unreadableAnswer(provider)
  const error = fields(json['error'])
  const details = Array.isArray(error['details']) ? error['details'].map(fields) : []
  const code = details.map(detail => detail['errorCode']).find(errorCode => typeof errorCode === 'string') ?? null
  const reason = typeof error['message'] === 'string' ? error['message'] : 'refused'
  const isStale = code === 'UNREGISTERED' || code === 'SENDER_ID_MISMATCH' || blamesToken(code, reason, details)
  return { ...toRefusal(provider, answer, reason, code), isStale }
}

/**
 * INVALID_ARGUMENT may also blame the message, and then names its field. The token is at fault when it is the named
 * field, or when no field is named and the text mentions the token.
 */
function blamesToken(code: string | null, reason: string, details: Record<string, JsonValue>[]): boolean {
  const violations = details.flatMap(({ fieldViolations }) =>
    Array.isArray(fieldViolations) ? fieldViolations.map(fields) : [],
  )
  if (violations.length > 0) return violations.some(({ field }) => field === 'message.token')
  return code === 'INVALID_ARGUMENT' && /registration token/i.test(reason)
}

const fields = (value: JsonValue | undefined): Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** OAuth answers 400, 401 or 403 to an invalid key; any other status is a fault of the provider. */
const tokenFault = ({ status }: ProviderAnswer): string =>
  status === 400 || status === 401 || status === 403
    ? 'The push provider rejected its credentials'
    : `The push provider issued no access token (${status})`

type Token = { value: string; validUntilMs: number }

/** Access tokens, fetched one at a time and renewed a minute before they expire. */
function accessTokens(config: Config, calls: Provider, clientEmail: string, privateKey: string) {
  const { FCM_TOKEN_URL: url } = config
  let currentToken: Token | undefined
  let tokenRequest: Promise<string | DeliveryOutcome> | undefined

  const requestToken = async (): Promise<string | DeliveryOutcome> => {
    const assertion = assertionOf(clientEmail, privateKey, url)
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await post(calls, { operation: 'token', url, headers, body })
    const { access_token: value, expires_in: seconds } = answer.json
    if (answer.status !== 200) return toRefusal(provider, answer, tokenFault(answer))
    if (typeof value !== 'string' || typeof seconds !== 'number') return unreadableAnswer(provider)
    currentToken = { value, validUntilMs: Date.now() + (seconds - 60) * 1_000 }
    return value
  }

  return {
    async get(): Promise<string | DeliveryOutcome> {
      if (currentToken && currentToken.validUntilMs > Date.now()) return currentToken.value
      tokenRequest ??= requestToken().finally(() => (tokenRequest = undefined))
      return tokenRequest
    },
    evict(token: string): void {
      if (currentToken?.value === token) currentToken = undefined
    },
  }
}

function assertionOf(clientEmail: string, privateKey: string, audience: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const toBase64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: clientEmail, scope, aud: audience, iat, exp: iat + 3600 }
  const text = `${toBase64Url({ alg: 'RS256', typ: 'JWT' })}.${toBase64Url(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}
