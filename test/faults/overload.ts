import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/support/figures.ts'
import { residentMemory } from '../../bench/support/processes.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { type AudienceWorld, startAudience } from './audience.ts'

type Overload = {
  /** Events a second that the machine stores, measured first. */
  capacity: number
  /** Events to commit to the outbox, and those committed. */
  plannedEvents: number
  published: number
  /** 99th percentile of commit times, in ms. */
  p99: number
  /** Most events that were committed but not yet stored. */
  mostBehind: number
  /** Most messages delivered to the notification service but not yet settled. */
  mostUnsettled: number
  /** Most growth in MiB of platform, broker and publisher. */
  growth: { platform: number; broker: number; publisher: number }
  /** Published minus stored notifications and receiver rows; negative for duplicates. */
  missingRows: { notifications: number; receivers: number }
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
function watch(world: AudienceWorld, countPublished: () => number, say: (line: string) => void) {
  const memory = () => ({
    platform: residentMemory(world.pids.platform),
    broker: residentMemory(world.pids.broker),
    publisher: residentMemory(process.pid),
  })
  const [before, growth] = [memory(), { platform: 0, broker: 0, publisher: 0 }]
  const peaks = { behind: 0, unsettled: 0 }
  let isRunning = true
  let reportedAt = 0
  const takeSample = async () => {
    const now = memory()
    for (const name of ['platform', 'broker', 'publisher'] as const)
      growth[name] = Math.max(growth[name], now[name] - before[name])
    const { consumers } = await world.bus.backlog()
    const unsettled = consumers.find(one => one.durable === 'notification_queue')?.delivered
    peaks.unsettled = Math.max(peaks.unsettled, unsettled ?? 0)
    const rowCount = await world.count('notifications')
    const behind = countPublished() - rowCount
    peaks.behind = Math.max(peaks.behind, behind)
    if (Date.now() - reportedAt < 1_000) return
    reportedAt = Date.now()
    const rounded = Object.entries(now).map(([name, mib]) => `${name} ${mib.toFixed(0)} MiB`)
    const waiting = await world.unpublished()
    say(`${countPublished()} published, ${behind} behind, ${waiting} of them in the outbox; ${rounded.join(', ')}`)
  }
  const loop = (async () => {
    while (isRunning) {
      await takeSample()
      await sleep(100)
    }
  })()
  return {
    growth,
    peaks,
    async stop() {
      isRunning = false
      await loop
    },
  }
}

async function untilStored(world: AudienceWorld, count: number): Promise<void> {
  // Waits while there is progress; gives up after a minute without.
  let [before, since] = [-1, Date.now()]
  for (;;) {
    const rowCount = await world.count('notifications')
    if (rowCount >= count || Date.now() - since > 60_000) return
    if (rowCount > before) [before, since] = [rowCount, Date.now()]
    await sleep(50)
  }
}

/** Publishes three times as fast as the machine stores, then waits until everything published is stored. */
export async function overload({ people, seconds, settings = {}, say }: OverloadOptions): Promise<Overload> {
  const world = await startAudience(people, settings)
  try {
    const began = performance.now()
    for (let index = 0; index < samples; index += 8) await Promise.all(Array.from({ length: 8 }, () => world.publish()))
    await untilStored(world, samples)
    const capacity = (samples / (performance.now() - began)) * 1_000
    say(`${capacity.toFixed(0)} events of ${people} receivers a second are stored`)

    const plannedEvents = Math.ceil(capacity * factor * seconds)
    const times: number[] = []
    const watcher = watch(world, () => samples + times.length, say)
    const start = performance.now()
    let next = 0
    const publish = async () => {
      for (let number = next++; number < plannedEvents; number = next++) {
        await sleep(Math.max(1, start + (number / plannedEvents) * seconds * 1_000 - performance.now()))
        const from = performance.now()
        await world.publish()
        times.push(performance.now() - from)
      }
    }
    await Promise.all(Array.from({ length: 8 }, publish))
    say(`${times.length} published in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
    const total = samples + plannedEvents
    await untilStored(world, total)
    await watcher.stop()
    const missingRows = {
      notifications: total - (await world.count('notifications')),
      receivers: total * people - (await world.count('receivers')),
    }
    const p99 = quantile(times, 0.99)
    const { peaks, growth } = watcher
    const figures = { capacity, plannedEvents, published: times.length, p99 }
    return { ...figures, mostBehind: peaks.behind, mostUnsettled: peaks.unsettled, growth, missingRows }
  } finally {
    await world.stop()
  }
}
