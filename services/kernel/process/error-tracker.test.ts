import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Code, ConnectError } from '@connectrpc/connect'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { ConfigError } from './config.ts'
import { reportError } from './error-reports.ts'
import { errorTracker } from './error-tracker.ts'
import { redactText } from './error-tracker-event.ts'
import { silentLog } from './log.ts'
import { startObservability } from './observability.ts'

const test = suite('the error tracker')
const settings = { service: 'news', environment: 'test', release: '1.2.3' }

let sandbox: Awaited<ReturnType<typeof sandboxForTest>>
test.before(async () => {
  sandbox = await sandboxForTest()
})
test.after(() => sandbox.close())

const dsn = (key = 'abc') => sandbox.url.replace('://', `://${key}@`).concat('/errors/7')
// oxlint-disable-next-line typescript/no-explicit-any -- envelopes are read by path
const readReports = async (): Promise<any[]> => (await sandbox.call('GET', '/_requests?provider=errors')).json.data

test('an unexpected error is reported with place, request, release and stack, and without secrets or personal data', async () => {
  await sandbox.call('DELETE', '/_requests?provider=errors')
  const observability = await startObservability(
    { SENTRY_DSN: dsn(), SENTRY_RELEASE: '9.9', NODE_ENV: 'staging' },
    'news',
    silentLog,
  )
  const cause = new Error("Duplicate entry 'ada@phare.example' for key 'users.email'")
  reportError(new ConnectError('broken: Bearer abc.def.ghi', Code.Internal, undefined, undefined, cause), {
    source: 'platform.news.v1.PageService/GetPage',
    requestId: 'r-1',
  })
  await observability.stop()
  // A process that stalled while it ended may exit before the answer arrives.
  const [{ path, body }] = await eventually(async () => ((await readReports()).length > 0 ? readReports() : undefined))
  assert.is(path, '/errors/api/7/envelope/')
  const [head, item, event] = body
  assert.equal([head.event_id, item.type], [event.event_id, 'event'])
  assert.equal(
    [event.environment, event.release, event.transaction],
    ['staging', '9.9', 'platform.news.v1.PageService/GetPage'],
  )
  assert.equal(event.tags, { service: 'news', request_id: 'r-1' })
  const [first, last] = event.exception.values
  assert.is(first.value, "Duplicate entry '[e-mail]' for key 'users.email'")
  assert.match(last.stacktrace.frames.at(-1).filename, /error-tracker\.test\.ts$/)
  assert.not.match(JSON.stringify(body), /ada@|abc\.def/)
  reportError(new Error('after the end'), { source: 'nowhere' })
  assert.is((await readReports()).length, 1)
})

test('an error of one kind is reported once a minute, and all kinds at most thirty times', async () => {
  await sandbox.call('DELETE', '/_requests?provider=errors')
  const tracker = errorTracker(dsn(), settings, silentLog)
  const { now } = Date
  // All within one minute.
  const moment = now()
  Date.now = () => moment
  try {
    for (let i = 0; i < 50; i++) tracker.take(new Error('the same'), { source: 'a' })
    await tracker.flush(10_000)
    assert.is((await readReports()).length, 1)
    for (let i = 0; i < 40; i++) {
      tracker.take(new Error(`kind ${i}`), { source: 'a' })
      await tracker.flush(10_000)
    }
    assert.is((await readReports()).length, 30)
    Date.now = () => moment + 60_000
    tracker.take(new Error('the same'), { source: 'a' })
    await tracker.flush(10_000)
    // Thirty of the first kind, and 29 of the forty.
    assert.is((await readReports()).at(-1).body[2].extra.dropped_before, 11)
  } finally {
    Date.now = now
  }
})

test('a tracker that is unavailable, slow or refuses delays and breaks nothing', async () => {
  for (const address of ['http://abc@127.0.0.1:1/7', dsn('wrong')]) {
    const tracker = errorTracker(address, settings, silentLog)
    tracker.take(new Error('x'), { source: 'a' })
    tracker.take(undefined, { source: 'b' })
    await tracker.flush(5_000)
  }
  await sandbox.control({ provider: 'errors', mode: '429', times: 1, retryAfter: 600 })
  const tracker = errorTracker(dsn(), settings, silentLog)
  tracker.take(new Error('first'), { source: 'a' })
  await tracker.flush(5_000)
  const before = (await readReports()).length
  tracker.take(new Error('while it rests'), { source: 'b' })
  await tracker.flush(5_000)
  assert.is((await readReports()).length, before)
})

test('an unhandled rejection is reported and the process continues; an uncaught exception is reported and ends it with 1', async () => {
  await sandbox.call('DELETE', '/_requests?provider=errors')
  const program = `
    const { startObservability } = await import('./observability.ts')
    const { stopOnSignal } = await import('./process.ts')
    const { createLog } = await import('./log.ts')
    await startObservability({ SENTRY_DSN: process.env.DSN }, 'news', createLog('news', 'silent'))
    void stopOnSignal(createLog('news', 'silent'), { stop: async () => undefined })
    void Promise.reject(new Error('nobody waited'))
    setImmediate(() => { throw new Error('nobody caught') })`
  const cwd = new URL('.', import.meta.url)
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    env: { ...process.env, DSN: dsn() },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  assert.equal(await once(child, 'exit'), [1, null])
  const events = (await readReports()).map(({ body }) => body[2])
  assert.equal(events.map(({ transaction, exception }) => [transaction, exception.values.at(-1).value]).toSorted(), [
    ['uncaught exception', 'nobody caught'],
    ['unhandled rejection', 'nobody waited'],
  ])
})

test('an invalid address is refused at start', () => {
  for (const bad of ['nonsense', 'https://sentry.example/7', 'ftp://k@h/7', 'https://k@h'])
    assert.throws(
      () => errorTracker(bad, settings, silentLog),
      (error: unknown) => error instanceof ConfigError,
    )
})

test('tokens, keys, passwords, personal addresses and database addresses are removed from texts', () => {
  const text = (secret: string) => redactText(`it failed: ${secret} !`)
  assert.is(text('mysql://news:pa55word@db:3306/news'), 'it failed: mysql://[removed]@db:3306/news !')
  assert.is(text('password=hunter2'), 'it failed: password=[removed] !')
  assert.is(text('{"apiSecret":"s3cr3t"}'), 'it failed: {"apiSecret":[removed]} !')
  assert.is(text('sk_live_0123456789'), 'it failed: [key] !')
  assert.is(text('0123456789abcdef0123456789abcdef'), 'it failed: [removed] !')
  assert.is(
    text("Cannot read properties of undefined (reading 'id')"),
    "it failed: Cannot read properties of undefined (reading 'id') !",
  )
})

test.run()
