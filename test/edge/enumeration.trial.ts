import { randomBytes } from 'node:crypto'
import { median } from '../../bench/support/figures.ts'
import { startEdge } from '../../edge/edge.ts'
import { createHasher } from '../../services/auth/hashing/hashing.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import { startAuthHost } from '../kit/auth/auth.ts'
import { anyPorts } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { testPool } from '../kit/sql.ts'

const test = suite('e-mail enumeration')

const tries = 60
/** Addresses per side, so that none exceeds its hourly limit of requests. */
const addresses = 25
const warmUp = 10
const allowedMs = 5

const host = await startAuthHost({
  ...(anyPorts as Record<string, string>),
  // In production an anonymous caller gets no code back, so that whole bodies can be compared.
  NODE_ENV: 'production',
  FRONT_BASE_URL: 'https://front.example',
  SIGN_IN_LIMIT: '1000000',
  SIGN_IN_SUBJECT_LIMIT: '1000000',
})
const { urls, stop } = await startEdge(host, host.env, createLog('edge', 'fatal'))
const db = testPool(host.databaseUrl('auth'))
const hasher = await createHasher()

test.after(async () => {
  await db.end()
  await hasher.stop()
  await stop()
  await host.end()
})

const newAddresses = (): string[] =>
  Array.from({ length: addresses }, () => `${randomBytes(8).toString('hex')}@hotel.example`)

async function withAccounts(emails: string[]): Promise<string[]> {
  const hash = await hasher.rehash('the right horse 7')
  const now = new Date()
  const rows = emails.map(email => [newId(), email, hash, now, now])
  await db.query('insert into users (id, email, password_hash, created_at, updated_at) values ?', [rows])
  return emails
}

async function addressesThat(areKnown: boolean): Promise<string[]> {
  const emails = newAddresses()
  return areKnown ? withAccounts(emails) : emails
}

type Answer = { ms: number; status: number; body: string }

async function ask(url: string, body: object): Promise<Answer> {
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'always-the-same' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { ms: performance.now() - began, status: answer.status, body: text }
}

type Side = { isKnown: boolean; times: number[]; answers: Set<string> }

/** Alternates between known and unknown addresses, so that slow moments of the machine affect both. */
async function compare(sides: Side[], url: string, bodyOf: (email: string) => object): Promise<void> {
  let emails: string[][] = []
  for (let i = 0; i < tries + warmUp; i++) {
    // The warm-up has its own addresses, because it counts towards their limits.
    if (i === 0 || i === warmUp) emails = await Promise.all(sides.map(({ isKnown }) => addressesThat(isKnown)))
    for (const index of i % 2 ? sides.keys() : [...sides.keys()].toReversed()) {
      const email = emails[index]?.[i % addresses] ?? ''
      const { ms, status, body } = await ask(url, bodyOf(email))
      if (i >= warmUp) sides[index]?.times.push(ms)
      sides[index]?.answers.add(`${status} ${body.replaceAll(email, 'THE-EMAIL')}`)
    }
  }
}

const wrong = 'a wrong horse 7'
const routes: [string, string, (email: string) => object, number][] = [
  ['the modern sign-in', `${urls.auth}/auth/login`, email => ({ email, password: wrong }), 401],
  ['the legacy sign-in', `${urls.legacyauth}/auth/login/mobile`, email => ({ email, password: wrong }), 401],
  ['a forgotten password', `${urls.auth}/password/forgot`, email => ({ email }), 200],
  ['the legacy reset', `${urls.legacyauth}/user/reset_password/request`, email => ({ email }), 200],
  ['the legacy reset mail', `${urls.legacyauth}/user/sentreset/email`, email => ({ email }), 200],
]

for (const [name, url, bodyOf, status] of routes)
  test(`${name} answers a known and an unknown address alike, the median pair within 5 ms`, async () => {
    const measurements: string[] = []
    const sides = [true, false].map(isKnown => ({ isKnown, times: [] as number[], answers: new Set<string>() }))
    // A real difference persists over the rounds; noise of a busy machine doesn't.
    for (let round = 0; round < 6; round++) {
      await compare(sides, url, bodyOf)
      const [ofKnown = [], ofUnknown = []] = sides.map(({ answers }) => [...answers])
      assert.is(ofKnown.length, 1)
      assert.equal(ofKnown, ofUnknown)
      assert.match(ofKnown[0] ?? '', new RegExp(`^${status} `))
      const [knownTimes = [], unknownTimes = []] = sides.map(({ times }) => times)
      // The median of paired differences: slow phases affect both halves of a pair, but may shift the two medians.
      const difference = median(knownTimes.map((ms, index) => ms - (unknownTimes[index] ?? 0)))
      if (Math.abs(difference) < allowedMs) return
      const [knownMs, unknownMs] = [knownTimes, unknownTimes].map(times => median(times).toFixed(1))
      measurements.push(`known ${knownMs} ms, unknown ${unknownMs} ms, apart ${difference.toFixed(1)} ms`)
    }
    assert.unreachable(measurements.join('; '))
  })

test.run()
