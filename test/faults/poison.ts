import { setTimeout as sleep } from 'node:timers/promises'
import { listDeadLetters } from '../../services/kernel/bus/dead-letters.ts'
import { startAudience, type World } from './audience.ts'

type Poisoned = {
  /** Seconds until the last healthy event was stored, and until the last poison one was dead-lettered. */
  healthySeconds: number
  poisonSeconds: number
  /** Longest time in ms without a stored event while healthy ones waited. */
  longestGap: number
  /** Healthy events published minus stored; negative for duplicates. */
  missing: number
  letters: number
  /** Dead letters that aren't poison. */
  strangers: number
  /** Dead letters by reason. */
  reasons: Record<string, number>
}

/** Bodies that no handler can process. */
const kinds: ((world: World) => [body: string, key?: string])[] = [
  () => ['{"type": "page.created"'],
  world => [JSON.stringify({ ...world.body(), type: 'PAGE!' })],
  world => [JSON.stringify({ ...world.body(), type: 'page.vanished' }), 'platform.notification.page.vanished'],
  world => [JSON.stringify({ ...world.body(), channels: ['pigeon'] })],
  world => [JSON.stringify({ ...world.body(), workspaceId: 'x' })],
]

/**
 * Publishes healthy events with poison spread evenly among them, as fast as the broker accepts them, and waits for all
 * to be stored or dead-lettered.
 */
export async function poison(options: { events: number; bad: number; people: number; say: (line: string) => void }) {
  const { events, bad, people, say } = options
  const world = await startAudience(people)
  try {
    const healthy = events - bad
    const every = Math.floor(events / Math.max(bad, 1))
    const began = Date.now()
    let next = 0
    const put = async () => {
      for (let number = next++; number < events; number = next++) {
        const which = Math.floor(number / every)
        const isPoison = number % every === 0 && which < bad
        const kind = isPoison ? kinds[which % kinds.length] : undefined
        await world.put(...(kind?.(world) ?? ([JSON.stringify(world.body())] as const)))
      }
    }
    const putting = Promise.all(Array.from({ length: 16 }, put))

    const seconds = { healthy: 0, poison: 0 }
    let [stored, letters, longestGap, lastAt, said] = [0, 0, 0, Date.now(), Date.now()]
    // Gives up after a minute without progress.
    while ((stored < healthy || letters < bad) && Date.now() - lastAt < 60_000) {
      const [now, { dead }] = [await world.count('notifications'), await world.bus.backlog()]
      if (stored < healthy && now > stored) longestGap = Math.max(longestGap, Date.now() - lastAt)
      if (now > stored || dead > letters) lastAt = Date.now()
      if (now > stored) seconds.healthy = (Date.now() - began) / 1_000
      if (dead > letters) seconds.poison = (Date.now() - began) / 1_000
      ;[stored, letters] = [now, dead]
      if (Date.now() - said > 1_000) {
        said = Date.now()
        say(`${stored} of ${healthy} stored, ${letters} of ${bad} dead letters`)
      }
      await sleep(20)
    }
    await putting
    const all = await listDeadLetters(world.bus, { limit: bad * 2 + 100 })
    const reasons: Record<string, number> = {}
    for (const { reason } of all) {
      const kind = reason.split(/[:(]/, 2).join(':').slice(0, 60)
      reasons[kind] = (reasons[kind] ?? 0) + 1
    }
    const found: Poisoned = {
      healthySeconds: seconds.healthy,
      poisonSeconds: seconds.poison,
      longestGap,
      missing: healthy - (await world.count('notifications')),
      letters: all.length,
      strangers: all.filter(({ body }) => isHealthy(body)).length,
      reasons,
    }
    return found
  } finally {
    await world.stop()
  }
}

function isHealthy(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const event = body as { type?: string; channels?: string[]; workspaceId?: string }
  return event.type === 'page.created' && event.channels?.[0] === 'socket' && event.workspaceId !== 'x'
}
