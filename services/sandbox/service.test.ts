import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxForTest } from '../../test/kit/sandbox.ts'
import { silentLog } from '../kernel/process/log.ts'
import { faultSchema } from './faults.ts'
import { startSandbox } from './service.ts'

const test = suite('sandbox control')
const sandbox = await sandboxForTest()
test.after(() => sandbox.close())
const weather = () => sandbox.call('GET', '/weather/data/2.5/weather?q=Paris&appid=key')

test('it refuses to start in production', async () => {
  const startup = startSandbox({ port: 0, log: silentLog, env: { NODE_ENV: 'production' } })
  assert.match(String(await startup.catch((error: Error) => error.message)), 'must not run in production')
})

test('it answers only under names of this machine, on any port, and under the configured one', async () => {
  const { port } = new URL(sandbox.url)
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const other = (free.address() as AddressInfo).port
  await new Promise(done => free.close(done))
  const namedSandbox = await sandboxForTest({ port: other, publicUrl: 'http://sandbox:3010' })
  const status = (listeningPort: string | number, host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port: listeningPort, path, headers: { host } }, answer => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
  try {
    for (const path of ['/', '/health', '/_requests', '/email/v3/mail/send']) {
      for (const host of ['127.0.0.1', `127.0.0.1:${port}`, 'localhost:1', 'LocalHost', '[::1]', '[::1]:3010'])
        assert.is.not(await status(port, host, path), 421, host)
      for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
        assert.is(await status(port, host, path), 421, host)
    }
    for (const host of ['sandbox:3010', '10.0.0.1', '127.0.0.1@evil.example', 'localhost:x'])
      assert.is(await status(port, host, '/_requests'), 421, host)
    assert.is(await status(other, 'sandbox:3010', '/_requests'), 200)
    assert.is(await status(other, 'evil.example', '/_requests'), 421)
  } finally {
    await namedSandbox.close()
  }
})

test('each fault applies to the next N requests of its provider only', async () => {
  const played = new Set<string>()
  const play = (fault: { mode: string; times?: number; delayMs?: number }) => {
    played.add(fault.mode)
    return sandbox.control({ provider: 'weather', ...fault })
  }
  await play({ mode: '429', times: 2 })
  const first = await weather()
  assert.is(first.status, 429)
  assert.is(first.headers.get('retry-after'), '1')
  assert.is((await sandbox.call('POST', '/email/v3/mail/send', {}, { authorization: 'Bearer key' })).status, 400)
  assert.is((await weather()).status, 429)
  assert.is((await weather()).status, 200)
  await play({ mode: '500', times: 100 })
  assert.is((await weather()).status, 500)
  await play({ mode: 'ok' })
  assert.is((await weather()).status, 200)
  await play({ mode: '400' })
  assert.is((await weather()).status, 400)
  await play({ mode: '410' })
  assert.is((await weather()).status, 410)
  await play({ mode: 'reset' })
  assert.is(await weather().catch(() => 'cut'), 'cut')
  await play({ mode: 'garbage' })
  const garbage = await weather()
  assert.is(garbage.status, 200)
  assert.is(garbage.json, undefined)
  await play({ mode: 'delay', delayMs: 150 })
  const start = performance.now()
  assert.is((await weather()).status, 200)
  assert.ok(performance.now() - start >= 145)
  assert.equal([...played].toSorted(), faultSchema.shape.mode.options.toSorted())
})

test('a fault can be limited to one call, and to the time after the effect', async () => {
  await sandbox.control({ provider: 'chat', mode: '500', method: 'POST', path: '/applications', after: true })
  const headers = { SENDBIRDORGANIZATIONAPITOKEN: 'token' }
  assert.is((await sandbox.call('GET', '/chat/api/v2/applications', undefined, headers)).json.count, 0)
  const answer = await sandbox.call('POST', '/chat/api/v2/applications', { app_name: 'A', region_key: 'eu-1' }, headers)
  assert.is(answer.status, 500)
  assert.is(answer.json.error, true)
  assert.is((await sandbox.call('GET', '/chat/api/v2/applications', undefined, headers)).json.count, 1)
})

test('requests are recorded in order with their bodies, and can be filtered and deleted by provider', async () => {
  await sandbox.call('DELETE', '/_requests')
  await weather()
  await sandbox.call('POST', '/v1/customers', 'name=A&metadata[hotelId]=1', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const all = (await sandbox.call('GET', '/_requests')).json.data
  assert.equal(
    all.map((each: { provider: string }) => each.provider),
    ['weather', 'payment'],
  )
  assert.equal(Object.keys(all[1]), ['receivedAt', 'provider', 'method', 'path', 'body'])
  assert.equal(all[1].body, { name: 'A', metadata: { hotelId: '1' } })
  await sandbox.call('DELETE', '/_requests?provider=weather')
  assert.equal((await sandbox.call('GET', '/_requests?provider=weather')).json.data, [])
  assert.is((await sandbox.call('GET', '/_requests?provider=payment')).json.data.length, 1)
  const waiting = sandbox.call('GET', '/_requests?provider=weather&wait=30000&count=2')
  await weather()
  await weather()
  assert.is((await waiting).json.data.length, 2)
})

test('an invalid control request is a 400 with path and message and changes nothing', async () => {
  const good = { provider: 'weather', mode: '500' }
  for (const body of [
    { ...good, provider: 'x' },
    { ...good, mode: 'x' },
    { ...good, times: 0 },
    { ...good, times: '1' },
    { ...good, delayMs: 1e9 },
    { ...good, extra: 1 },
    '[]',
    '{',
    '"x"',
  ]) {
    const { status, json } = await sandbox.call('POST', '/_control', body)
    assert.is(status, 400, JSON.stringify(body))
    assert.type(json.error[0].message, 'string')
  }
  assert.is(
    (await sandbox.call('POST', '/_control', JSON.stringify(good), { 'content-type': 'text/plain' })).status,
    400,
  )
  assert.equal((await sandbox.call('GET', '/_control')).json.data, [])
  assert.is((await sandbox.call('GET', '/_requests?provider=x')).status, 400)
  assert.is((await sandbox.call('GET', '/_state/x')).status, 404)
})

test('no input causes a server error', async () => {
  const headers = { authorization: 'Bearer sk_test', SENDBIRDORGANIZATIONAPITOKEN: 'token' }
  const paths = [
    '/email/v3/mail/send',
    '/onesignal/notifications',
    '/fcm/token',
    '/fcm/v1/projects/p/messages:send',
    '/webpush/a-browser',
    '/chat/api/v2/applications',
    '/v1/customers',
    '/v1/subscriptions',
    '/_control',
    '/_control/trial',
  ]
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']
  const names = [
    'personalizations',
    'from',
    'content',
    'to',
    'contents',
    'message',
    'token',
    'data',
    'app_name',
    'metadata',
    'items',
    'customer',
    '__proto__',
    'constructor',
    'toString',
    'personalizations[0][toString]',
    'customer[toString]',
    'trial_end',
    'quantity',
    'items[0][price]',
    'a[b][c]',
    'expand[]',
  ]
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any
  const form = fc
    .array(fc.tuple(fc.constantFrom(...names), fc.string()))
    .map(pairs => new URLSearchParams(pairs).toString())
  const body = fc.oneof(
    value.map(each => JSON.stringify(each) ?? ''),
    form,
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.constantFrom(...types), body, async (path, type, text) => {
      const { status } = await sandbox.call('POST', path, text, { ...headers, 'content-type': type })
      assert.ok(status < 500, `${status} for ${path}`)
    }),
    // A fixed seed, so that a failure is caused by the change under test and not by new inputs.
    { numRuns: 600, seed: 20_260_301 },
  )
  const odd = [
    '/chat/api/v2/applications/%E0%A4%A',
    '/mails/%FF',
    '/weather/data/2.5/weather?q=%FF%FE&appid=key',
    '/v1/customers?limit[a]=1',
    '/v1/customers?starting_after=%00',
    `/v1/${'x'.repeat(5000)}`,
    '/_inbox?to[]=x&wait=-1',
    '/storage/%00/%00',
    '/_state/__proto__',
  ]
  for (const path of odd) assert.ok((await sandbox.call('GET', path, undefined, headers)).status < 500, path)
  assert.is((await sandbox.call('POST', '/email/v3/mail/send', 'x'.repeat(4_000_000), headers)).status, 413)
  const deep = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)
  assert.is((await sandbox.call('POST', '/email/v3/mail/send', deep, headers)).status, 400)
  assert.is(
    (await sandbox.call('POST', '/chat/api/v2/applications', 'x', { ...headers, 'content-encoding': 'gzip' })).status,
    400,
  )
})

test('with a data folder it restores its state, which only its owner may read', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const first = await sandboxForTest({ dataDir })
  const headers = { SENDBIRDORGANIZATIONAPITOKEN: 'token' }
  const { app_id } = (
    await first.call('POST', '/chat/api/v2/applications', { app_name: 'A', region_key: 'eu-1' }, headers)
  ).json
  await first.close()
  const second = await sandboxForTest({ dataDir })
  assert.is((await second.call('GET', `/chat/api/v2/applications/${app_id}`, undefined, headers)).json.app_name, 'A')
  await second.close()
  assert.is(statSync(join(dataDir, 'sandbox.json')).mode & 0o777, 0o600)
  rmSync(dataDir, { recursive: true })
})

test('run alone it serves, and stops cleanly on SIGTERM even during a delayed call', async () => {
  const env = { ...process.env, NODE_ENV: 'test', SANDBOX_PORT: '0', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', chunk => (out += chunk))
  while (!out.includes('sandbox is ready')) await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  const { url } = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as { url: string }
  assert.is((await fetch(`${url}/health`)).status, 200)
  await fetch(`${url}/_control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"provider":"weather","mode":"delay","delayMs":60000}',
  })
  const delayedRequest = fetch(`${url}/weather/data/2.5/weather?q=Paris&appid=key`).catch(() => 'cut')
  await (await fetch(`${url}/_requests?wait=30000`)).text()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
  assert.is(code, 0)
  assert.is(await delayedRequest, 'cut')
})

test.run()
