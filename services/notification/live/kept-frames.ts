import type { Bus } from '../../kernel/bus/bus.ts'

/** What is kept for each connection to the broker while it is away: the latest, for as long as sockets can catch up. */
const most = { frames: 1_000, characters: 8 * 1_024 * 1_024, ms: 300_000 }

type Kept = { at: number; text: string }

const held = new WeakMap<Pick<Bus, 'publishCore' | 'onConnected'>, Kept[]>()

/**
 * Says something on a subject; without a broker once there is one again. What is older than five minutes by then, or more
 * than the latest 1,000 or 8 MiB, is lost: the inbox is what lasts. What an event made and is lost with the process is said
 * by the next one, since the event is acknowledged behind it (bus-pull.ts).
 */
export function sayOrKeep(
  bus: Pick<Bus, 'publishCore' | 'onConnected'>,
  subject: string,
  text: string,
  now = Date.now,
): void {
  const waiting = held.get(bus)
  // What waits goes first, so that nothing overtakes it.
  if ((!waiting || waiting.length === 0) && bus.publishCore(subject, text)) return
  const kept = waiting ?? []
  kept.push({ at: now(), text })
  let characters = kept.reduce((sum, one) => sum + one.text.length, 0)
  while (kept.length > most.frames || characters > most.characters) characters -= kept.shift()?.text.length ?? 0
  if (waiting) return
  held.set(bus, kept)
  bus.onConnected(() => {
    const since = now() - most.ms
    for (let first = kept[0]; first; first = kept[0]) {
      if (first.at >= since && !bus.publishCore(subject, first.text)) return
      kept.shift()
    }
  })
}
