import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/support/figures.ts'
import { residentMemory } from '../../bench/support/processes.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { type AudienceWorld, startAudience } from './audience.ts'

type Overload = {
  /** Events a second that the machine stores, measured first. */
  capacity: number
  /** Events to commit to the outbox, and those committed. */
  asked: number
  published: number
  /** 99th percentile of commit times, in ms. */
  p99: number
  /** Most events that were committed but not yet stored. */
  mostBehind: number
  /** Most messages delivered to the notification service but not yet settled. */
  mostHeld: number
  /** Most growth in MiB of platform, broker and publisher. */
  growth: { platform: number; broker: number; publisher: number }
  /** Published minus stored notifications and receiver rows; negative for duplicates. */
  missing: { notifications: number; receivers: number }
}

type OverloadOptions = {
  people: number
  /** Duration of the overload, in seconds. */
  seconds: number
  settings?: Environment
  say: (line: string) => void
}

const factor = 3
const samples = 40

/** Samples backlog and memory until stopped. */
function watch(world: AudienceWorld, published: () => number, say: (line: string) => void) {
  const memory = () => ({
    platform: residentMemory(world.pids.platform),
    broker: residentMemory(world.pids.broker),
    publisher: residentMemory(process.pid),
  })
  const [before, growth] = [memory(), { platform: 0, broker: 0, publisher: 0 }]
  const most = { behind: 0, held: 0 }
  let running = true
  let said = 0
  const look = async () => {
    const now = memory()
    for (const name of ['platform', 'broker', 'publisher'] as const)
      growth[name] = Math.max(growth[name], now[name] - before[name])
    const { consumers } = await world.bus.backlog()
    const held = consumers.find(one => one.durable === 'notification_queue')?.delivered
    most.held = Math.max(most.held, held ?? 0)
    const stored = await world.count('notifications')
    const behind = published() - stored
    most.behind = Math.max(most.behind, behind)
    if (Date.now() - said < 1_000) return
    said = Date.now()
    const rounded = Object.entries(now).map(([name, mib]) => `${name} ${mib.toFixed(0)} MiB`)
    const waiting = await world.unpublished()
    say(`${published()} published, ${behind} behind, ${waiting} of them in the outbox; ${rounded.join(', ')}`)
  }
  const done = (async () => {
    while (running) {
      await look()
      await sleep(100)
    }
  })()
  return {
    growth,
    most,
    async stop() {
      running = false
      await done
    },
  }
}

async function untilStored(world: AudienceWorld, count: number): Promise<void> {
  // Waits while there is progress; gives up after a minute without.
  let [before, since] = [-1, Date.now()]
  for (;;) {
    const stored = await world.count('notifications')
    if (stored >= count || Date.now() - since > 60_000) return
    if (stored > before) [before, since] = [stored, Date.now()]
    await sleep(50)
  }
}

/** Publishes three times as fast as the machine stores, then waits until everything published is stored. */
export async function overload({ people, seconds, settings = {}, say }: OverloadOptions): Promise<Overload> {
  const world = await startAudience(people, settings)
  try {
    const began = performance.now()
    for (let sent = 0; sent < samples; sent += 8) await Promise.all(Array.from({ length: 8 }, () => world.publish()))
    await untilStored(world, samples)
    const capacity = (samples / (performance.now() - began)) * 1_000
    say(`${capacity.toFixed(0)} events of ${people} receivers a second are stored`)

    const asked = Math.ceil(capacity * factor * seconds)
    const times: number[] = []
    const watcher = watch(world, () => samples + times.length, say)
    const start = performance.now()
    let next = 0
    const publish = async () => {
      for (let number = next++; number < asked; number = next++) {
        await sleep(Math.max(1, start + (number / asked) * seconds * 1_000 - performance.now()))
        const from = performance.now()
        await world.publish()
        times.push(performance.now() - from)
      }
    }
    await Promise.all(Array.from({ length: 8 }, publish))
    say(`${times.length} published in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
    const total = samples + asked
    await untilStored(world, total)
    await watcher.stop()
    const missing = {
      notifications: total - (await world.count('notifications')),
      receivers: total * people - (await world.count('receivers')),
    }
    const p99 = quantile(times, 0.99)
    const { most, growth } = watcher
    const figures = { capacity, asked, published: times.length, p99 }
    return { ...figures, mostBehind: most.behind, mostHeld: most.held, growth, missing }
  } finally {
    await world.stop()
  }
}
