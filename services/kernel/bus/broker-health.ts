import { ErrorCode, type NatsConnection, type NatsError } from 'nats'
import { repeatEvery } from '../process/repeat.ts'
import type { BrokerLink } from './link.ts'

const everyMs = 3_000
const patienceMs = 3_000

/** The broker's state at the last check. */
export type BrokerHealth = {
  /** The connection is up, but nothing arrives on its subscriptions. */
  isDeaf(): boolean
  /** The broker has turned its storage off, as when its disk was full. */
  isStorageOff(): boolean
  stop(): Promise<void>
}

/**
 * Asks the broker and its storage every few seconds. Both answers arrive in the read loop of all subscriptions, so their
 * absence shows that nothing else arrives either.
 */
export function watchBroker(link: Pick<BrokerLink, 'current'>): BrokerHealth {
  let state: 'ok' | 'deaf' | 'storage off' = 'ok'
  const ask = async (nc: NatsConnection): Promise<typeof state> => {
    let isHeard = false
    nc.flush().then(
      () => (isHeard = true),
      () => undefined,
    )
    const code = await nc.request('$JS.API.INFO', '', { timeout: patienceMs }).then(
      () => '',
      (error: NatsError) => error.code,
    )
    if (code === ErrorCode.NoResponders) return 'storage off'
    if (code !== ErrorCode.Timeout) return 'ok'
    return isHeard ? 'storage off' : 'deaf'
  }
  const asking = repeatEvery(everyMs, async () => {
    const connected = link.current()
    const answer = connected ? await ask(connected.nc) : 'ok'
    // The answer of a replaced connection says nothing about the new one.
    state = link.current() === connected ? answer : 'ok'
  })
  return {
    isDeaf: () => state === 'deaf',
    isStorageOff: () => state === 'storage off',
    stop: asking.stop,
  }
}
