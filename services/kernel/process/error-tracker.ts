import { ConfigError } from './config.ts'
import type { ErrorContext } from './error-reports.ts'
import { type EventSettings, eventOf, type TrackedEvent } from './error-tracker-event.ts'
import type { Log } from './log.ts'

type ErrorTracker = {
  take(error: unknown, context: ErrorContext): void
  /** Waits at most `ms` for events in flight. */
  flush(ms: number): Promise<void>
}

const minuteMs = 60_000
/** Limits of events per minute, in total and per kind. */
const perMinute = 30
const perKind = 1
const atOnce = 10
const patienceMs = 5_000

/**
 * Sends errors to a tracker that speaks the Sentry protocol (envelopes over HTTP). Nothing waits for it: above its
 * rate, and while the tracker is slow or away, events are dropped and counted. The vendor's client would patch Node's
 * modules for the same single POST.
 * @param dsn https://<key>@<host>/<project>; throws a {@link ConfigError} on any other
 */
export function errorTracker(dsn: string, settings: EventSettings, log: Log): ErrorTracker {
  const { endpoint, key } = placeOf(dsn)
  const sending = new Set<Promise<void>>()
  const kinds = new Map<string, number>()
  let minute = 0
  let eventsThisMinute = 0
  let dropped = 0
  let restUntil = 0
  let isAway = false

  const mayPass = (kind: string): boolean => {
    const now = Date.now()
    if (Math.floor(now / minuteMs) !== minute) {
      minute = Math.floor(now / minuteMs)
      eventsThisMinute = 0
      kinds.clear()
    }
    const before = kinds.get(kind) ?? 0
    if (now < restUntil || eventsThisMinute >= perMinute || before >= perKind || sending.size >= atOnce) return false
    eventsThisMinute++
    kinds.set(kind, before + 1)
    return true
  }

  const send = async (event: TrackedEvent, droppedBefore: number): Promise<void> => {
    const lines = [
      { event_id: event.event_id, sent_at: new Date().toISOString() },
      { type: 'event', content_type: 'application/json' },
      { ...event, extra: { dropped_before: droppedBefore } },
    ]
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-sentry-envelope',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=platform/1, sentry_key=${key}`,
      },
      body: lines.map(line => `${JSON.stringify(line)}\n`).join(''),
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.body?.cancel()
    if (response.status === 429) restUntil = Date.now() + 1_000 * (Number(response.headers.get('retry-after')) || 60)
    else if (!response.ok) throw new Error(`status ${response.status}`)
    isAway = false
  }

  return {
    take(error, context) {
      const event = eventOf(error, context, settings)
      const [top] = event.exception.values.slice(-1)
      if (!mayPass(`${context.source} ${top?.type} ${top?.value}`)) {
        dropped++
        return
      }
      const droppedBefore = dropped
      dropped = 0
      const one = send(event, droppedBefore)
        .catch((reason: unknown) => {
          // Warns once: the log has every error anyway.
          if (!isAway) log.warn({ reason: String(reason) }, 'error tracker unreachable')
          isAway = true
        })
        .finally(() => sending.delete(one))
      sending.add(one)
    },
    async flush(ms) {
      const waited = new Promise<void>(resolve => setTimeout(resolve, ms).unref())
      await Promise.race([Promise.all(sending), waited])
    },
  }
}

function placeOf(dsn: string): { endpoint: string; key: string } {
  const url = URL.canParse(dsn) ? new URL(dsn) : undefined
  const path = url?.pathname.split('/').filter(Boolean) ?? []
  const project = path.pop()
  if (!url || !/^https?:$/.test(url.protocol) || !url.username || !project)
    throw new ConfigError('invalid settings:\n  SENTRY_DSN: must be an address https://<key>@<host>/<project>')
  const prefix = path.map(part => `/${part}`).join('')
  return { endpoint: `${url.protocol}//${url.host}${prefix}/api/${project}/envelope/`, key: url.username }
}
