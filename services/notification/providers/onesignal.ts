import { createHash } from 'node:crypto'
import type { JsonValue } from '@bufbuild/protobuf'
import type { Provider } from '../../kernel/provider/provider.ts'
import type { Config } from '../config.ts'
import { type ProviderAnswer, post, toRefusal, toUnanswered, unreadableAnswer } from './http.ts'
import { type DeliveryOutcome, failure, type Sender, success } from './outcome.ts'
import { contentOf, type PushJob } from './push.ts'

const provider = 'onesignal'

/** Pushes over OneSignal: one call for all devices of a notification. */
export function oneSignalSender(config: Config, calls: Provider): Sender<PushJob> {
  const { ONESIGNAL_APP_ID, ONESIGNAL_REST_KEY, ONESIGNAL_BASE_URL } = config
  if (!ONESIGNAL_APP_ID || !ONESIGNAL_REST_KEY)
    return async jobs => jobs.map(() => failure(provider, 'The push provider is not configured', { isFinal: true }))

  const send = async (jobs: readonly PushJob[]): Promise<DeliveryOutcome[]> => {
    const [first] = jobs
    if (!first) return []
    const fr = contentOf(first, 'fr')
    const en = contentOf(first, 'en')
    const message = {
      app_id: ONESIGNAL_APP_ID,
      include_player_ids: jobs.map(job => job.device.device_token),
      // The provider requires English.
      headings: { en: en.title, fr: fr.title },
      contents: { en: en.body || en.title, fr: fr.body || fr.title },
      data: fr.data,
      // A second copy of a notification replaces the first on the device.
      collapse_id: first.notification.id,
      idempotency_key: keyOf(jobs),
    }
    try {
      const url = `${ONESIGNAL_BASE_URL}/api/v1/notifications`
      const headers = { authorization: `${schemeOf(ONESIGNAL_REST_KEY)} ${ONESIGNAL_REST_KEY}` }
      const body = JSON.stringify(message)
      return outcomesOf(await post(calls, { operation: 'notify', url, headers, body }), jobs)
    } catch (thrown) {
      return jobs.map(() => toUnanswered(provider, thrown))
    }
  }

  return async jobs => {
    const outcomes = new Map<PushJob, DeliveryOutcome>()
    const groups = Map.groupBy(jobs, job => job.notification.id)
    await Promise.all(
      [...groups.values()].map(async group => {
        const results = await send(group)
        for (const [i, job] of group.entries()) outcomes.set(job, results[i] ?? unreadableAnswer(provider))
      }),
    )
    return jobs.map(job => outcomes.get(job) ?? unreadableAnswer(provider))
  }
}

/** Current keys begin with os_v2_ and use another scheme than older ones. */
const schemeOf = (key: string): string => (key.startsWith('os_v2_') ? 'Key' : 'Basic')

/** A 200 may still have reached no device: then the id is empty or missing, or the token is listed as invalid. */
function outcomesOf(answer: ProviderAnswer, jobs: readonly PushJob[]): DeliveryOutcome[] {
  const { id, errors } = answer.json
  if (answer.status !== 200) return jobs.map(() => toRefusal(provider, answer, textOf(errors)))
  if (typeof id !== 'string' && errors === undefined) return jobs.map(() => unreadableAnswer(provider))
  const invalid = new Set(invalidIn(errors))
  return jobs.map(({ device }) => {
    if (invalid.has(device.device_token)) {
      const details = { code: 'invalid_player_ids', isFinal: true, isStale: true, response: answer.json }
      return failure(provider, 'The device is not registered with the provider', details)
    }
    if (typeof id !== 'string' || id === '')
      return failure(provider, textOf(errors), { code: 'no_recipients', isFinal: true, response: answer.json })
    return success(provider, id, answer.json)
  })
}

function invalidIn(errors: JsonValue | undefined): string[] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return []
  const ids = errors['invalid_player_ids']
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}

const textOf = (errors: JsonValue | undefined): string =>
  Array.isArray(errors) ? errors.filter(error => typeof error === 'string').join('; ') : 'refused'

/** Idempotency key, a UUID: the same for the same devices and notification. */
function keyOf(jobs: readonly PushJob[]): string {
  const hash = createHash('sha256')
    .update(
      jobs
        .map(job => job.delivery.id)
        .toSorted()
        .join(),
    )
    .digest('hex')
  const part = (start: number, to: number) => hash.slice(start, to)
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`
}
