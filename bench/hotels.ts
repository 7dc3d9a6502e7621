import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, call } from '../cli/tour/client.ts'
import { addressOf, expect, signIn, type World } from '../cli/tour/world.ts'
import { median, quantile } from './support/figures.ts'
import { sized } from './support/size.ts'
import { quiet, startPlatform, withServers } from './support/world.ts'

const [rounds, setUps, seconds] = sized([5, 96, 6], [3, 32, 3], [1, 4, 1])
const inFlight = 16
const readers = 8

/** Runs `work` in `many` concurrent loops until `more` returns false. */
const together = (many: number, more: () => boolean, work: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: many }, async () => {
      while (more()) await work()
    }),
  )

async function addHotel(world: World, number: number): Promise<string> {
  const administrator = { email: addressOf(world, `chef${number}`), firstName: 'Ada', lastName: 'Chef' }
  const body = { name: `Bench ${world.run} ${number}`, administrator, subscription: { plan: 'premium' } }
  const hotel = await expect(world, 201, 'hotel', 'POST', '/hotel/add', { token: world.tokens.root, body })
  return hotel['id'] as string
}

/** p95 of a hotel's reads over `ms`, and their number. */
async function readsFor(world: World, id: string, ms: number): Promise<{ p95: number; reads: number }> {
  const end = performance.now() + ms
  const times: number[] = []
  const options: Call = { token: world.tokens.root }
  await together(
    readers,
    () => performance.now() < end,
    async () => {
      const began = performance.now()
      await expect(world, 200, 'hotel', 'GET', `/hotel/get/${id}`, options)
      times.push(performance.now() - began)
    },
  )
  return { p95: quantile(times, 0.95), reads: times.length }
}

const providerIs = (world: World, mode: object) =>
  fetch(`${world.sandboxUrl}/_control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'chat', ...mode }),
  })

/**
 * The same reads while others request the figures of the hotel's chat, equally often whether the provider answers or
 * takes 30 s per call.
 */
async function readsBesideChat(world: World, id: string, ms: number, provider: 'answers' | 'is silent') {
  if (provider === 'is silent') await providerIs(world, { mode: 'delay', delayMs: 30_000, times: 1_000_000 })
  let waits = true
  const asking = together(
    inFlight,
    () => waits,
    async () => {
      await call(world.urls, 'hotel', 'GET', `/chat/stats/${id}`, { token: world.tokens.root })
      // While the circuit breaker is open, calls fail at once; the loop pauses before the next one.
      await sleep(200)
    },
  )
  const result = await readsFor(world, id, ms)
  waits = false
  await providerIs(world, { mode: 'ok' })
  await asking
  return result
}

/** Complete set-ups of hotels against the sandbox's providers, and reads beside a provider that does not answer. */
export const benchHotels = (): Promise<string> =>
  withServers(async () => {
    const platform = await startPlatform('one', { LOG_LEVEL: 'fatal' })
    const world = quiet(platform)
    world.tokens.root = await signIn(world, world.administrator.email, world.administrator.password)
    let number = 0
    const id = await addHotel(world, ++number)

    const rates: number[] = []
    for (let round = 0; round <= rounds; round++) {
      let left = setUps
      const began = performance.now()
      await together(
        inFlight,
        () => left-- > 0,
        () => addHotel(world, ++number),
      )
      // The first round warms up.
      if (round > 0) rates.push(setUps / ((performance.now() - began) / 1000))
    }

    const ratios: number[] = []
    const alone: number[] = []
    const beside: number[] = []
    await readsFor(world, id, sized(2_000, 2_000, 200))
    for (let round = 0; round < rounds; round++) {
      const before = await readsBesideChat(world, id, seconds * 1000, 'answers')
      const during = await readsBesideChat(world, id, seconds * 1000, 'is silent')
      alone.push(before.p95)
      beside.push(during.p95)
      ratios.push(during.p95 / before.p95)
    }
    await platform.stop()
    const range = (values: number[]) => `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`
    return [
      '| measure | median | range |\n|-|-|-|',
      `| set-ups of hotels per second, ${inFlight} in flight | ${median(rates).toFixed(1)} | ${range(rates)} |`,
      `| p95 of GET /hotel/get/:id, ${readers} readers beside ${inFlight} of chat figures, ms | ${median(alone).toFixed(1)} | ${range(alone)} |`,
      `| the same while the chat provider takes 30 s, ms | ${median(beside).toFixed(1)} | ${range(beside)} |`,
      `| ratio (goal: at most 1.2) | ${median(ratios).toFixed(2)} | ${range(ratios)} |`,
    ].join('\n')
  })
