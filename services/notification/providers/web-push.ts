import webPush from 'web-push'
import type { Provider } from '../../kernel/provider/provider.ts'
import type { Config } from '../config.ts'
import { buttonOf } from '../mails/buttons.ts'
import { post, toRefusal, toUnanswered } from './http.ts'
import { type DeliveryOutcome, failure, type Sender, success } from './outcome.ts'
import { contentOf, type PushJob } from './push.ts'

const provider = 'webpush'

/** How long a push service keeps a push for a browser that isn't running, in seconds. */
const keptSeconds = 3 * 24 * 3_600

type Parts = {
  config: Config
  /** The push service of a browser: the failures of one must not stop the others. */
  callsTo: (endpoint: string) => Provider
  /** The live ones of these sessions. */
  findLiveSessions(ids: string[]): Promise<readonly string[]>
  countUnread(memberIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>
}

/**
 * Pushes to browsers (RFC 8030): each is encrypted for its browser (RFC 8291) and signed by the platform (RFC 8292). A
 * browser whose session has ended gets none and is removed.
 */
export function webPushSender({ config, callsTo, findLiveSessions, countUnread }: Parts): Sender<PushJob> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, EMAIL_FROM, FRONT_BASE_URL } = config
  if (!publicKey || !privateKey)
    return async jobs => jobs.map(() => failure(provider, 'The push provider is not configured', { isFinal: true }))
  const vapidDetails = { subject: `mailto:${EMAIL_FROM}`, publicKey, privateKey }

  /** What the service worker of the web client shows. */
  const payloadOf = (job: PushJob, unread: number): string => {
    const { notification, person } = job
    const { title, body, data } = contentOf(job, person.language)
    const { address } = buttonOf(notification, data, FRONT_BASE_URL, person.language)
    return JSON.stringify({ id: notification.id, title, body, language: person.language, address, unread })
  }

  /** The encrypted request; undefined when the browser's keys are no keys. */
  const requestOf = (job: PushJob, unread: number) => {
    const { device_token: endpoint, p256dh, auth } = job.device
    const subscription = { endpoint, keys: { p256dh: p256dh ?? '', auth: auth ?? '' } }
    // A second copy replaces one that still waits at the push service.
    const options = { vapidDetails, TTL: keptSeconds, topic: job.notification.id }
    try {
      return webPush.generateRequestDetails(subscription, payloadOf(job, unread), options)
    } catch {
      return undefined
    }
  }

  const send = async (job: PushJob, unread: number): Promise<DeliveryOutcome> => {
    const request = requestOf(job, unread)
    if (!request) return invalidKeys
    const { endpoint: url, body } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
    try {
      return outcomeOf(await post(callsTo(url), { operation: 'push', url, headers, body }))
    } catch (thrown) {
      return toUnanswered(provider, thrown)
    }
  }

  return async jobs => {
    if (jobs.length === 0) return []
    try {
      const ids = jobs.flatMap(({ device }) => device.session_id ?? [])
      const liveIds = new Set(await findLiveSessions(ids))
      const unreadByMember = await countUnread(new Set(jobs.map(({ person }) => person.id)))
      const attempt = async (job: PushJob) =>
        liveIds.has(job.device.session_id ?? '') ? send(job, unreadByMember.get(job.person.id) ?? 0) : sessionEnded
      return await Promise.all(jobs.map(attempt))
    } catch {
      return jobs.map(() => failure(provider, 'Sessions or unread counts cannot be read', { code: 'UNKNOWN_SESSION' }))
    }
  }
}

const deadBrowser = { isFinal: true, isStale: true }
const sessionEnded = failure(provider, 'The session of the browser has ended', {
  code: 'SESSION_ENDED',
  ...deadBrowser,
})
const invalidKeys = failure(provider, 'The keys of the browser are invalid', { code: 'INVALID_KEYS', ...deadBrowser })

/** 404 and 410 mean that the browser has left. */
function outcomeOf(answer: Awaited<ReturnType<typeof post>>): DeliveryOutcome {
  const { status, json, header } = answer
  if (status < 300) return success(provider, header('location'))
  const reason = typeof json['message'] === 'string' ? json['message'] : 'refused'
  return { ...toRefusal(provider, answer, reason), isStale: status === 404 || status === 410 }
}
