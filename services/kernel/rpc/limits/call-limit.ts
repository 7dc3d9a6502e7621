import { randomUUID } from 'node:crypto'
import { ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from '@connectrpc/connect'
import { AddressLimit } from '../../../../gen/platform/options/v1/options_pb.ts'
import { type Actor, actorKey } from '../../access/actor.ts'
import { addressKey } from '../../base/client-address.ts'
import { TooManyRequestsError } from '../../base/errors.ts'
import type { ServiceName } from '../../base/service-names.ts'
import type { Bus } from '../../bus/bus.ts'
import { type Environment, integer, readSettings } from '../../process/config.ts'
import { requestHeader } from '../in-process.ts'
import { limitOf } from './limit-option.ts'
import { type Quota, reportQuota } from './quota.ts'

const windowMs = 60_000
const policy = 'calls'
/** How often the processes of a service exchange their counts, in ms. */
const publishMs = 1_000
/** Counts below this share of the limit aren't published, because most callers call rarely. */
const publishedShare = 0.05

/** The counts of one process in one minute, by caller. */
type Report = { from: string; minute: number; counts: Record<string, number> }

export type CallLimit = { interceptor: Interceptor; stop(): void }

/** Calls per minute of one person, credential or anonymous address to a service; 0 for no limit [R26]. */
export const callsPerMinute = (env: Environment, service: ServiceName): number =>
  readSettings(env, service.toUpperCase(), { RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000).default(1_000) })
    .RATE_LIMIT_PER_MINUTE

type Options = {
  service: string
  /** Calls per caller and clock minute. */
  perMinute: number
  bus: Pick<Bus, 'publishCore' | 'subscribeCore'>
  now?: () => number
}

/**
 * Limits the calls of a person, credential or anonymous address to a service per minute; services are not limited. Each
 * process adds the counts that the others publish once a second. With several processes, a caller may exceed the limit
 * by the calls they answer within a second, and by 5 % for each further process.
 */
export function callLimit({ service, perMinute, bus, now = Date.now }: Options): CallLimit {
  const subject = `internal.calls.${service}`
  const self = randomUUID()
  let minute = 0
  let ownCounts = new Map<string, number>()
  let reportedCounts = new Map<string, Map<string, number>>()

  const resetEachMinute = (): void => {
    const currentMinute = Math.floor(now() / windowMs)
    if (currentMinute === minute) return
    minute = currentMinute
    ownCounts = new Map()
    reportedCounts = new Map()
  }
  const countCall = (caller: string): number => {
    resetEachMinute()
    const ownCalls = (ownCounts.get(caller) ?? 0) + 1
    ownCounts.set(caller, ownCalls)
    let sum = ownCalls
    for (const reportedCalls of reportedCounts.get(caller)?.values() ?? []) sum += reportedCalls
    return sum
  }
  const publishTimer = setInterval(() => {
    resetEachMinute()
    const counts = [...ownCounts].filter(([, calls]) => calls >= perMinute * publishedShare)
    if (counts.length === 0) return
    const report: Report = { from: self, minute, counts: Object.fromEntries(counts) }
    bus.publishCore(subject, JSON.stringify(report))
  }, publishMs)
  publishTimer.unref()
  const unsubscribe = bus.subscribeCore(subject, data => {
    const { from, minute: reportedMinute, counts } = JSON.parse(Buffer.from(data).toString()) as Report
    resetEachMinute()
    if (from === self || reportedMinute !== minute) return
    for (const [caller, calls] of Object.entries(counts)) {
      const countsByProcess = reportedCounts.get(caller) ?? new Map<string, number>()
      reportedCounts.set(caller, countsByProcess.set(from, calls))
    }
  })

  return {
    interceptor: next => async request => {
      const caller = quotaKeyOf(request)
      if (caller === undefined) return next(request)
      const calls = countCall(caller)
      const quota = quotaOf(perMinute, calls, now())
      if (calls > perMinute) {
        const refusal = new TooManyRequestsError(undefined, { retryAfterSeconds: quota.resetSeconds })
        reportQuota(refusal.metadata, quota)
        throw refusal
      }
      try {
        const answer = await next(request)
        reportQuota(answer.header, quota)
        return answer
      } catch (error) {
        if (error instanceof ConnectError) reportQuota(error.metadata, quota)
        throw error
      }
    },
    stop() {
      clearInterval(publishTimer)
      unsubscribe()
    },
  }
}

const quotaOf = (limit: number, calls: number, timeMs: number): Quota & { resetSeconds: number } => ({
  policy,
  limit,
  windowSeconds: windowMs / 1_000,
  remaining: Math.max(0, limit - calls),
  resetSeconds: Math.ceil((windowMs - (timeMs % windowMs)) / 1_000),
})

/**
 * The key by which a caller is counted. Undefined for services, for calls without an address, and for anonymous ones of
 * a method without a limit by address.
 */
function quotaKeyOf(request: UnaryRequest | StreamRequest): string | undefined {
  const actor: Actor = request.contextValues.get(actorKey)
  if (actor.kind === 'service') return undefined
  if (actor.kind === 'person') return actor.claims.userId
  if (actor.kind === 'credential') return requestHeader(request, 'x-api-key')
  if (limitOf(request.method)?.address === AddressLimit.NONE) return undefined
  const address = requestHeader(request, 'x-client-ip')
  return address === undefined ? undefined : addressKey(address)
}
