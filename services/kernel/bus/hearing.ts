import { ErrorCode, type NatsError } from 'nats'
import { repeatEvery } from '../process/repeat.ts'
import type { Link } from './link.ts'

const everyMs = 3_000
const patienceMs = 3_000

/** What the last question to the broker showed. */
export type Hearing = {
  /** The connection is up, but nothing arrives on its subscriptions. */
  isDeaf(): boolean
  /** The broker has turned its storage off, as when its disk was full. */
  isStorageOff(): boolean
  stop(): Promise<void>
}

/** Asks the broker every few seconds: the answer arrives on a subscription of this process, like every message. */
export function watchHearing(link: Pick<Link, 'current'>): Hearing {
  let code: string | undefined
  const asking = repeatEvery(everyMs, async () => {
    const asked = link.current()
    const answer = await asked?.nc.request('$JS.API.INFO', '', { timeout: patienceMs }).then(
      () => undefined,
      (error: NatsError) => error.code,
    )
    // A connection that was replaced meanwhile tells nothing about the new one.
    code = link.current() === asked ? answer : undefined
  })
  return {
    isDeaf: () => code === ErrorCode.Timeout,
    isStorageOff: () => code === ErrorCode.NoResponders,
    stop: asking.stop,
  }
}
