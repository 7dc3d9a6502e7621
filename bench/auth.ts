import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Platform, startPlatform } from '../test/kit/platform/platform.ts'
import { line, median, quantile } from './support/figures.ts'
import { request } from './support/request.ts'
import { sized } from './support/size.ts'
import { withServers } from './support/world.ts'

/** Alternating turns of plain sign-ins, because a machine's speed changes every few seconds. */
const turns = sized(32, 8, 1)
/** Rounds of sign-ins beside a cheap route: counted per side, and tried at most. */
const [quietRounds, mostRounds] = sized([8, 16], [2, 6], [1, 1])
const refreshRounds = sized(6, 6, 1)
const seconds = sized(4, 4, 1)
/** Longer beside the cheap route: the first sign-ins of a round arrive together, and must weigh little in its p99. */
const besideSeconds = sized(8, 8, 1)
/** Compilation on either side takes a thousand sign-ins and more. */
const warmUpTurns = sized(20, 8, 1)
const inFlight = 8
const password = 'correct horse 7'

type Pair = { accessToken: string; refreshToken: string }
type Login = { name: string; base: string; accounts: string[]; token: string }

const post = async <T>(url: string, body: object): Promise<T> => JSON.parse(await request(url, { body })) as T

/**
 * Runs `work` in concurrent loops until the time is over.
 * @returns runs per second
 */
async function perSecond(loops: number, work: (loop: number) => Promise<unknown>, forSeconds = seconds) {
  const began = performance.now()
  const end = began + forSeconds * 1000
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

const pause = (forSeconds: number) => new Promise(done => setTimeout(done, forSeconds * 1000))

const p99 = (times: number[]) => quantile(times, 0.99)

/**
 * Calls a cheap route fifty times a second while `work` runs.
 * @returns the result of `work`, and each answer's time in ms
 */
async function beside<T>(url: string, token: string, work: () => Promise<T>): Promise<[T, number[]]> {
  const times: number[] = []
  const asked = new Set<Promise<void>>()
  const ask = async () => {
    const began = performance.now()
    await request(url, { token })
    times.push(performance.now() - began)
  }
  const timer = setInterval(() => {
    const one = ask().finally(() => asked.delete(one))
    asked.add(one)
  }, 20)
  const result = await work()
  clearInterval(timer)
  await Promise.all(asked)
  return [result, times]
}

/** CPU time that the host has given to other machines, in hundredths of seconds; 0 where it isn't reported. */
const stolen = (): number => {
  const [line = ''] = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8').split('\n') : []
  return Number(line.split(/\s+/)[8] ?? 0)
}
/** Rounds with more (half a percent of two CPUs) are repeated: their slowest answers show the host's delays. */
const mostStolen = besideSeconds

/** The bare program over the same accounts. */
async function startBare(platform: Platform): Promise<{ base: string; stop(): void }> {
  const child = fork(fileURLToPath(new URL('./plain/login.ts', import.meta.url)), {
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
 * A server in production handles far more than sign-ins: at forty a second, the compilers would still be running on
 * either side in the last round.
 */
const warmUp = (url: string, token: string) => perSecond(inFlight, () => request(url, { token }))

type Measured = {
  name: string
  rates: number[]
  alone: number[]
  busyRates: number[]
  quiet: number[][]
  all: number[]
}

const signingIn =
  ({ base, accounts }: Login) =>
  (loop: number) =>
    post(`${base}/auth/login`, { email: accounts[loop % accounts.length], password })

/** Sign-ins alone, which are compared, and sign-ins while a cheap route is called fifty times a second. */
async function logins(sides: Login[]): Promise<string> {
  const measured = sides.map(side => {
    const result: Measured = { name: side.name, rates: [], alone: [], busyRates: [], quiet: [], all: [] }
    return { ...side, result, signIn: signingIn(side), me: `${side.base}/users/me` }
  })
  for (const { me, token } of measured) await warmUp(me, token)
  for (let turn = -warmUpTurns; turn < turns; turn++)
    for (const { signIn, result } of turn % 2 ? measured : measured.toReversed()) {
      const rate = await perSecond(inFlight, signIn)
      if (turn >= 0) result.rates.push(rate)
    }
  for (const { me, token, result } of measured) [, result.alone] = await beside(me, token, () => pause(seconds))
  const isEnough = () => measured.every(({ result }) => result.quiet.length >= quietRounds)
  for (let round = 0; round < mostRounds && !isEnough(); round++)
    for (const { signIn, me, token, result } of measured) {
      // The platform keeps its priorities for two seconds after the last round.
      await pause(3)
      const before = stolen()
      const [busyRate, times] = await beside(me, token, () => perSecond(inFlight, signIn, besideSeconds))
      result.busyRates.push(busyRate)
      result.all.push(...times)
      if (stolen() - before <= mostStolen) result.quiet.push(times)
    }
  const results = measured.map(({ result }) => result)
  const lines = results.map(({ name, rates, alone, busyRates, quiet, all }) => {
    const range = `${Math.min(...rates).toFixed(1)}–${Math.max(...rates).toFixed(1)}`
    const figures = [median(rates).toFixed(1), range, ratioOf(results[0]?.rates, rates)]
    const besides = [median(busyRates).toFixed(1), ratioOf(results[0]?.busyRates, busyRates)]
    const waits = [alone, quiet.flat(), all].map(times => p99(times).toFixed(1))
    return line(name, ...figures, ...besides, ...waits, `${quiet.length} of ${busyRates.length}`)
  })
  const head =
    '| side | logins/s | range | first ÷ this | logins/s beside GET /users/me | first ÷ this | its p99 ms alone | beside the logins | rounds the host disturbed included | undisturbed |'
  return [head, '|-|-|-|-|-|-|-|-|-|-|', ...lines].join('\n')
}

/** The median over pairs of consecutive turns, in which the machine was equally fast. */
const ratioOf = (own: readonly number[] = [], others: readonly number[]): string =>
  median(own.map((rate, turn) => rate / (others[turn] ?? Number.NaN))).toFixed(3)

/** Sixteen clients that exchange their refresh tokens as fast as possible. */
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
  for (let round = 0; round <= refreshRounds; round++) rates.push(await perSecond(tokens.length, exchange))
  const [, ...measured] = rates
  return `${median(measured).toFixed(0)} refreshes/s (${Math.min(...measured).toFixed(0)}–${Math.max(...measured).toFixed(0)}), 16 sessions`
}

/** Sign-ins against the bare program with a cheap route beside them, and refreshes. */
export async function benchAuth(): Promise<string> {
  return withServers(async () => {
    const limits = { SIGN_IN_LIMIT: '1000000', SIGN_IN_SUBJECT_LIMIT: '1000000' }
    const platform = await startPlatform('one', { TENANT_GUARD: 'off', ...limits })
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
      return `${inFlight} logins in flight:\n\n${signedIn}\n\n${exchanged}`
    } finally {
      bare.stop()
      await platform.stop()
    }
  })
}
