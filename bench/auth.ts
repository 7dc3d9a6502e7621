import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Platform, startPlatform } from '../test/support/platform.ts'
import { benchToken } from './micro.ts'
import { median } from './support/load.ts'
import { withServers } from './support/world.ts'

const quickly = process.argv.includes('--quick')
const [rounds, seconds] = quickly ? [3, 4] : [5, 8]
/** At forty a second it takes a thousand sign-ins and more until what they need is compiled, on either side. */
const warmUpRounds = 3
const inFlight = 8
const password = 'correct horse 7'

type Pair = { accessToken: string; refreshToken: string }
type Login = { name: string; base: string; accounts: string[]; token: string }

async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const json = await answer.json()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(json)}`)
  return json as T
}

/** Runs `work` in so many loops until the time is over. @returns how often per second it was done */
async function perSecond(loops: number, work: (loop: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  const end = began + seconds * 1000
  let count = 0
  const loop = async (index: number) => {
    while (performance.now() < end) {
      await work(index)
      count++
    }
  }
  await Promise.all(Array.from({ length: loops }, (_, index) => loop(index)))
  return (count * 1000) / (performance.now() - began)
}

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** Asks a cheap route fifty times a second while `work` runs. @returns what that gives, and the route's p99 in ms */
async function beside<T>(url: string, token: string, work: () => Promise<T>): Promise<[T, number]> {
  const times: number[] = []
  const asked = new Set<Promise<void>>()
  const ask = async () => {
    const began = performance.now()
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - began)
  }
  const timer = setInterval(() => {
    const one = ask().finally(() => asked.delete(one))
    asked.add(one)
  }, 20)
  const result = await work()
  clearInterval(timer)
  await Promise.all(asked)
  return [result, p99(times)]
}

/** The bare program over the same accounts. */
async function startBare(platform: Platform): Promise<{ base: string; stop(): void }> {
  const child = fork(fileURLToPath(new URL('./support/plain-login.ts', import.meta.url)), {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PLAIN_DATABASE_URL: platform.env['AUTH_DATABASE_URL'],
      PLAIN_SECRET: randomBytes(24).toString('hex'),
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { base: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/**
 * A server that runs is asked for much more than sign-ins: at the forty a second that there can be, the compilers would
 * still be at work on either side when the last round ends.
 */
const warmUp = (url: string, token: string) =>
  perSecond(inFlight, async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
  })

type Measured = { name: string; rates: number[]; alone: number[]; busyRates: number[]; beside: number[] }

/** Sign-ins by themselves, which is what is compared, and sign-ins while a cheap route is asked fifty times a second. */
async function logins(sides: Login[]): Promise<string> {
  const results: Measured[] = sides.map(({ name }) => ({ name, rates: [], alone: [], busyRates: [], beside: [] }))
  for (const { base, token } of sides) await warmUp(`${base}/users/me`, token)
  for (let round = -warmUpRounds; round < rounds; round++)
    for (const [index, { base, accounts, token }] of sides.entries()) {
      const signIn = (loop: number) => post(`${base}/auth/login`, { email: accounts[loop % accounts.length], password })
      const me = `${base}/users/me`
      const rate = await perSecond(inFlight, signIn)
      const [, alone] = await beside(me, token, () => new Promise(done => setTimeout(done, 1_000)))
      const [busyRate, busy] = await beside(me, token, () => perSecond(inFlight, signIn))
      if (round < 0) continue
      results[index]?.rates.push(rate)
      results[index]?.alone.push(alone)
      results[index]?.busyRates.push(busyRate)
      results[index]?.beside.push(busy)
    }
  const ours = results[0]
  const lines = results.map(({ name, rates, alone, busyRates, beside: busy }) => {
    const ratio = (own: number[] | undefined, others: number[]) => (median(own ?? []) / median(others)).toFixed(2)
    const range = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`
    const figures = [median(rates).toFixed(1), range, ratio(ours?.rates, rates)]
    const besides = [median(busyRates).toFixed(1), ratio(ours?.busyRates, busyRates)]
    return `| ${[name, ...figures, ...besides, median(alone).toFixed(1), median(busy).toFixed(1)].join(' | ')} |`
  })
  const head =
    '| side | logins/s | range | first ÷ this | logins/s beside GET /users/me | first ÷ this | its p99 ms alone | its p99 ms beside the logins |'
  return [head, '|-|-|-|-|-|-|-|-|', ...lines].join('\n')
}

/** Sixteen clients that exchange their refresh token as fast as they are answered. */
async function refreshes(base: string, accounts: string[]): Promise<string> {
  const tokens: string[] = []
  for (let index = 0; index < 16; index++)
    tokens.push(
      (await post<Pair>(`${base}/auth/login`, { email: accounts[index % accounts.length], password })).refreshToken,
    )
  const exchange = async (loop: number) => {
    const { refreshToken } = await post<Pair>(`${base}/auth/refreshToken`, { refreshToken: tokens[loop] })
    tokens[loop] = refreshToken
  }
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) rates.push(await perSecond(tokens.length, exchange))
  const [, ...measured] = rates
  return `${median(measured).toFixed(0)} refreshes/s (${Math.min(...measured).toFixed(0)}–${Math.max(...measured).toFixed(0)}), 16 sessions`
}

/** Sign-ins against the bare program with a cheap route beside them, refreshes, and the token check. */
export async function benchAuth(): Promise<string> {
  return withServers(async () => {
    const limits = { SIGN_IN_LIMIT: '1000000', SIGN_IN_SUBJECT_LIMIT: '1000000' }
    const platform = await startPlatform('one', { NODE_ENV: 'bench', ...limits })
    const bare = await startBare(platform)
    try {
      const base = platform.urls.auth
      const accounts = Array.from({ length: inFlight }, (_, index) => `login${index}@bench.example`)
      for (const email of accounts) await post(`${base}/auth/register`, { email, password })
      const exchanged = await refreshes(base, accounts)
      const tokenAt = async (at: string) =>
        (await post<Pair>(`${at}/auth/login`, { email: accounts[0], password })).accessToken
      const signedIn = await logins([
        { name: 'platform, one process', base, accounts, token: await tokenAt(base) },
        { name: 'bare Express + bcrypt', base: bare.base, accounts, token: await tokenAt(bare.base) },
      ])
      return `${inFlight} logins in flight:\n\n${signedIn}\n\n${exchanged}\n\n${benchToken()}`
    } finally {
      bare.stop()
      await platform.stop()
    }
  })
}
