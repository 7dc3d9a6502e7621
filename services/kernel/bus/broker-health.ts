import { ErrorCode, type NatsConnection, type NatsError } from 'nats'
import { repeatEvery } from '../process/repeat.ts'
import type { BrokerLink } from './link.ts'

const everyMs = 3_000
// A busy broker answers later than usual.
const timeoutMs = 6_000

/** Checks every few seconds whether the broker has turned its storage off, as when its disk was full. */
export function watchBroker(link: Pick<BrokerLink, 'current'>): {
  isStorageOff(): boolean
  stop(): Promise<void>
} {
  let isStorageOff = false
  const checkStorage = async (nc: NatsConnection): Promise<boolean> => {
    let hasAnswered = false
    nc.flush().then(
      () => (hasAnswered = true),
      () => undefined,
    )
    const code = await nc.request('$JS.API.INFO', '', { timeout: timeoutMs }).then(
      () => '',
      (error: NatsError) => error.code,
    )
    // A broker that answers nothing at all is lost: the pings of the connection tell.
    return code === ErrorCode.NoResponders || (code === ErrorCode.Timeout && hasAnswered)
  }
  const checks = repeatEvery(everyMs, async () => {
    const connected = link.current()
    const isOff = connected !== undefined && (await checkStorage(connected.nc))
    // The answer of a replaced connection says nothing about the new one.
    isStorageOff = link.current() === connected && isOff
  })
  return { isStorageOff: () => isStorageOff, stop: checks.stop }
}
