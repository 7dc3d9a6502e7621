import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { ownAddress } from '../../../test/kit/bus.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { silentLog } from '../process/log.ts'
import { ProviderFailure } from './failure.ts'
import { callHttp } from './http.ts'
import { createProvider } from './provider.ts'
import { type ProviderSettings, providerSettings } from './settings.ts'

const test = suite('calls to outside providers')
const quick: ProviderSettings = {
  timeoutMs: 30_000,
  retryDelays: [1, 2, 4],
  retryAfterMs: 1_500,
  concurrency: 2,
  failures: 5,
  restMs: 60_000,
}
type Reply = { status?: number; body?: string; headers?: Record<string, string>; never?: boolean; reset?: boolean }
let replies: Reply[] = []
let requestCount = 0
let maxParallel = 0
let now = 0
let round = 0
const server = createServer((request, response) => {
  // A request abandoned in an earlier round may arrive in this one.
  if (request.url !== `/${round}`) return void response.destroy()
  requestCount += 1
  maxParallel = Math.max(maxParallel, ++now)
  const startRound = round
  response.once('close', () => {
    if (startRound === round) now -= 1
  })
  const { status = 200, body = '{"ok":true}', headers = {}, never, reset } = replies.shift() ?? {}
  if (reset) response.socket?.destroy()
  else if (!never) setTimeout(() => response.writeHead(status, headers).end(body), 5)
})
// No idle connection ends while a call takes it.
server.keepAliveTimeout = 0
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
test.after(() => {
  server.closeAllConnections()
  server.close()
})

const fresh = (settings: Partial<ProviderSettings> = {}, registry?: Registry) =>
  createProvider('test', { ...quick, ...settings }, { log: silentLog, registry })
const get = (provider: ReturnType<typeof createProvider>, options: object = {}) =>
  callHttp(provider, { operation: 'read', isRepeatable: true, url: `${url}${round}`, ...options })
const play = (...newReplies: Reply[]) => {
  round += 1
  replies = newReplies
  requestCount = maxParallel = now = 0
}
async function failure(call: Promise<unknown>): Promise<ProviderFailure> {
  const error = await call.then(
    () => assert.unreachable('the call did not fail'),
    (thrown: unknown) => thrown,
  )
  assert.instance(error, ProviderFailure)
  return error as ProviderFailure
}

test('the documented behaviour is the default, and the duration of its longest call is known', () => {
  const settings = providerSettings({}, 'HOTEL')
  assert.equal(settings, {
    timeoutMs: 5_000,
    retryDelays: [1_000, 2_000, 4_000],
    retryAfterMs: 10_000,
    concurrency: 16,
    failures: 5,
    restMs: 10_000,
  })
  const env = { PROVIDER_TIMEOUT_MS: '7', HOTEL_PROVIDER_TIMEOUT_MS: '9', PROVIDER_RETRY_DELAYS_MS: '' }
  assert.is(providerSettings(env, 'HOTEL').timeoutMs, 9)
  assert.throws(() => providerSettings({ PROVIDER_RETRY_DELAYS_MS: '1,x' }, ''), /PROVIDER_RETRY_DELAYS_MS/)
})

test('an idempotent call is tried four times for every kind of failure', async () => {
  const faults: [string, Reply][] = [
    ['status', { status: 500 }],
    ['status', { status: 503 }],
    ['status', { status: 408 }],
    ['lost', { reset: true }],
    ['unreadable', { body: '<html>' }],
  ]
  for (const [kind, reply] of faults) {
    play(reply, reply, reply)
    assert.is((await get(fresh())).status, 200, kind)
    assert.is(requestCount, 4, kind)
    play(reply, reply, reply, reply)
    assert.is((await failure(get(fresh()))).kind, kind)
    assert.is(requestCount, 4, kind)
  }
  const never = { never: true }
  play(never, never, never, never)
  assert.is((await failure(get(fresh({ timeoutMs: 20 })))).kind, 'timeout')
  let tries = 0
  const answerLate = () => (++tries < 4 ? new Promise<string>(() => undefined) : Promise.resolve('in time'))
  assert.is(await fresh({ timeoutMs: 20 }).call({ operation: 'read', isRepeatable: true }, answerLate), 'in time')
  assert.is(tries, 4)
})

test('a call that is not idempotent is retried only when it certainly had no effect', async () => {
  const postOptions = { isRepeatable: false, method: 'POST', body: '{}' }
  for (const reply of [{ status: 500 }, { reset: true }, { body: 'x' }]) {
    play(reply)
    await failure(get(fresh(), postOptions))
    assert.is(requestCount, 1)
  }
  let tries = 0
  const answerLate = () => (tries++ ? Promise.resolve() : new Promise<void>(() => undefined))
  const lostCall = fresh({ timeoutMs: 20 }).call({ operation: 'write', isRepeatable: false }, answerLate)
  assert.equal([(await failure(lostCall)).kind, tries], ['timeout', 1])
  play({ status: 429 }, { status: 429 })
  assert.is((await get(fresh(), postOptions)).status, 200)
  assert.is(requestCount, 3)
})

test('a refused request is an answer and is not retried', async () => {
  play({ status: 404, body: '{"message":"no"}' })
  const answer = await get(fresh())
  assert.equal([answer.status, answer.body, requestCount], [404, { message: 'no' }, 1])
  play({ status: 400, body: '<html>' })
  assert.equal((await get(fresh())).body, undefined)
})

test('Retry-After is respected, and one beyond the limit ends the call at once', async () => {
  play({ status: 429, headers: { 'retry-after': '1' } })
  const began = performance.now()
  assert.is((await get(fresh())).status, 200)
  assert.ok(performance.now() - began >= 990)
  play({ status: 429, headers: { 'retry-after': new Date(Date.now() + 600_000).toUTCString() } })
  const error = await failure(get(fresh()))
  assert.equal([error.kind, error.status, requestCount], ['status', 429, 1])
  assert.ok(error.retryAfterMs > 500_000)
})

test('after consecutive failures calls are paused, then one call tries and the rest follow', async () => {
  const failing = async (restMs: number) => {
    const pausedProvider = fresh({ retryDelays: [], restMs })
    play(...Array.from({ length: 5 }, () => ({ status: 500 })))
    for (let i = 0; i < 5; i++) assert.is((await failure(get(pausedProvider))).kind, 'status')
    return pausedProvider
  }
  const resting = await failure(get(await failing(60_000)))
  assert.equal([resting.kind, requestCount], ['resting', 5])
  assert.ok(resting.retryAfterMs > 0 && resting.retryAfterMs <= 60_000)
  const provider = await failing(50)
  await eventually(async () => (await get(provider)).status === 200)
  assert.is((await get(provider)).status, 200)
  assert.is(requestCount, 7)
})

test('rate limits and refusals never pause a provider', async () => {
  const provider = fresh({ retryDelays: [], failures: 2 })
  play(...Array.from({ length: 6 }, () => ({ status: 429 })), { status: 400 }, { status: 404 }, { status: 401 })
  for (let i = 0; i < 6; i++) assert.is((await failure(get(provider))).status, 429)
  for (const status of [400, 404, 401, 200]) assert.is((await get(provider)).status, status)
})

test('the number of simultaneous calls is limited, a few queue, and the rest are refused', async () => {
  play()
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => get(fresh2)))
  assert.is(maxParallel, 2)
  const rejectedKinds = results
    .filter(each => each.status === 'rejected')
    .map(each => (each.reason as ProviderFailure).kind)
  assert.equal(rejectedKinds, ['busy', 'busy', 'busy', 'busy'])
})
const fresh2 = fresh()

test('an address that does not answer is unreachable, and an endless answer is unreadable', async () => {
  const closedServer = createServer()
  const host = ownAddress()
  await new Promise<void>(resolve => closedServer.listen(0, host, resolve))
  const { port } = closedServer.address() as AddressInfo
  await new Promise(resolve => closedServer.close(resolve))
  const nobody = await failure(get(fresh({ retryDelays: [] }), { url: `http://${host}:${port}/` }))
  assert.equal([nobody.kind, nobody.hadNoEffect], ['unreachable', true])
  play({ body: `"${'x'.repeat(1_100_000)}"` })
  assert.is((await failure(get(fresh({ retryDelays: [] })))).kind, 'unreadable')
})

test('an error of the caller’s code is passed on unchanged and is not a failure of the provider', async () => {
  const provider = fresh({ failures: 1 })
  const callerError = new RangeError('own')
  const thrown = await provider
    .call({ operation: 'x', isRepeatable: true }, () => Promise.reject(callerError))
    .catch((e: unknown) => e)
  assert.is(thrown, callerError)
  play()
  assert.is((await get(provider)).status, 200)
})

test('each attempt is measured by operation and result, as is a pause', async () => {
  const registry = new Registry()
  const provider = fresh({ failures: 2, retryDelays: [1] }, registry)
  fresh({}, registry)
  play({ status: 500 }, { status: 500 })
  await failure(get(provider))
  const text = await registry.metrics()
  assert.match(text, 'provider_call_seconds_count{provider="test",operation="read",result="status"} 2')
  assert.match(text, 'provider_resting{provider="test"} 1')
})

test.run()
