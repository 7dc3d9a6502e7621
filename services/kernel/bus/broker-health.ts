import { ErrorCode, type NatsConnection, type NatsError } from 'nats'
import { repeatEvery } from '../process/repeat.ts'
import type { BrokerLink } from './link.ts'

const everyMs = 3_000
// A busy broker answers later than usual.
const timeoutMs = 6_000

/** The broker's state at the last check. */
type BrokerHealth = {
  /** The connection is up, but nothing arrives on its subscriptions. */
  isDeaf(): boolean
  /** The broker has turned its storage off, as when its disk was full. */
  isStorageOff(): boolean
  stop(): Promise<void>
}

/**
 * Checks the broker and its storage every few seconds. Both answers arrive in the read loop of all subscriptions, so
 * without them nothing else arrives either.
 */
export function watchBroker(link: Pick<BrokerLink, 'current'>): BrokerHealth {
  let state: 'ok' | 'deaf' | 'storage off' = 'ok'
  const checkBroker = async (nc: NatsConnection): Promise<typeof state> => {
    let hasAnswered = false
    nc.flush().then(
      () => (hasAnswered = true),
      () => undefined,
    )
    const code = await nc.request('$JS.API.INFO', '', { timeout: timeoutMs }).then(
      () => '',
      (error: NatsError) => error.code,
    )
    if (code === ErrorCode.NoResponders) return 'storage off'
    if (code !== ErrorCode.Timeout) return 'ok'
    return hasAnswered ? 'storage off' : 'deaf'
  }
  const checks = repeatEvery(everyMs, async () => {
    const connected = link.current()
    const answer = connected ? await checkBroker(connected.nc) : 'ok'
    // The answer of a replaced connection says nothing about the new one.
    state = link.current() === connected ? answer : 'ok'
  })
  return {
    isDeaf: () => state === 'deaf',
    isStorageOff: () => state === 'storage off',
    stop: checks.stop,
  }
}
