import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders } from '../fixtures/folders.ts'
import { findTests } from './find.ts'
import { type Outcome, runFile } from './run-file.ts'
import { secondTry } from './second-try.ts'

const test = suite('npm test')
test.after(removeFolders)

const head = `
import { suite } from ${JSON.stringify(import.meta.resolve('uvu'))}
import * as assert from ${JSON.stringify(import.meta.resolve('uvu/assert'))}
const test = suite('inner')
`
async function outcome(source: string, timeoutMs = 120_000): Promise<Outcome> {
  const root = newFolder()
  writeFileSync(join(root, 'inner.test.ts'), head + source)
  return runFile('inner.test.ts', { root, env: process.env, timeoutMs, stream: false })
}
const counts = ({ passed, failed, skipped }: Outcome) => [passed, failed, skipped]

test('passed, failed and skipped tests of a file are counted over all its suites, with waits between them', async () => {
  const result = await outcome(`
    test('one', () => {}); test('two', () => assert.is(1, 2)); test.skip('three', () => {}); test.run()
    await new Promise(resolve => setTimeout(resolve, 50))
    const other = suite('other'); other('four', () => {}); other.run()`)
  assert.equal(counts(result), [2, 1, 1])
  assert.is(result.fault, undefined)
  assert.match(result.output, 'two')
})

test('a file that crashes counts as failed, with the reason', async () => {
  const thrown = await outcome(`throw new Error('at once')`)
  assert.equal(counts(thrown), [0, 1, 0])
  assert.is(thrown.fault, 'crashed (exit code 1)')
  assert.match(thrown.output, 'at once')
  const killed = await outcome(`test('one', () => process.kill(process.pid, 'SIGKILL')); test.run()`)
  assert.equal(counts(killed), [0, 1, 0])
  assert.is(killed.fault, 'crashed (signal SIGKILL)')
})

test('a file whose tests never end counts as failed', async () => {
  const empty = await outcome(`test('waits for nothing', () => new Promise(() => {})); test.run()`)
  assert.equal(counts(empty), [0, 1, 0])
  const late = await outcome(`test('waits', () => new Promise(done => setTimeout(done, 60_000))); test.run()`, 1000)
  assert.equal(counts(late), [0, 1, 0])
  assert.is(late.fault, 'took longer than 1 s')
})

test('a second try runs failed files alone; one that fails again stays failed, one that passes is flaky', async () => {
  const root = newFolder()
  const write = (file: string, source: string) => writeFileSync(join(root, file), head + source)
  write('good.test.ts', `test('one', () => {}); test.run()`)
  write('bad.test.ts', `test('one', () => assert.is(1, 2)); test.run()`)
  write('late.test.ts', `test('one', () => assert.is(1, 2)); test.run()`)
  const run = (file: string) => runFile(file, { root, env: process.env, timeoutMs: 60_000, stream: false })
  const first: Outcome[] = []
  for (const file of ['good.test.ts', 'bad.test.ts', 'late.test.ts']) first.push(await run(file))
  write('late.test.ts', `test('one', () => {}); test.run()`)
  const { outcomes, flaky } = await secondTry(first, run)
  assert.equal(outcomes.map(counts), [
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 0],
  ])
  assert.equal(flaky, [first[2]])
  const bad = first[1] as Outcome
  assert.equal(
    await secondTry(
      Array.from({ length: 6 }, () => bad),
      () => Promise.reject(new Error('ran')),
    ),
    {
      outcomes: Array.from({ length: 6 }, () => bad),
      flaky: [],
    },
  )
})

test('a file without a test, and one that fails after its tests, count as failed', async () => {
  const none = await outcome(`test('one', () => {})`)
  assert.equal(counts(none), [0, 1, 0])
  assert.is(none.fault, 'ran no test: is .run() missing?')
  const after = await outcome(`test('one', () => {}); test.run(); process.on('exit', () => { process.exitCode = 3 })`)
  assert.equal(counts(after), [1, 1, 0])
  assert.is(after.fault, 'ended with exit code 3 although its tests passed')
})

test('open handles of a file are reported and do not delay the run', async () => {
  const result = await outcome(`import { createServer } from 'node:net'
    test('one', () => { createServer().listen(0, '127.0.0.1') }); test.run()`)
  assert.equal(counts(result), [1, 0, 0])
  assert.match(result.litter ?? '', /left open: TCPServerWrap/)
  assert.is(result.fault, undefined)
})

test('processes that a file leaves behind are stopped and reported', async () => {
  const result = await outcome(`import { spawn } from 'node:child_process'
    test('one', () => { spawn('sleep', ['600'], { stdio: 'inherit' }).unref() }); test.run()`)
  assert.equal(counts(result), [1, 0, 0])
  assert.match(result.litter ?? '', 'left processes running')
})

test('finds test files by kind and by parts of their path, never generated or installed ones', () => {
  const root = newFolder()
  const files = [
    'a/z.test.ts',
    'a/b.test.ts',
    'a/h.trial.ts',
    'a/c/d.test.ts',
    'a/gen/e.test.ts',
    'a/node_modules/f.test.ts',
    'a/g.ts',
    'b/first.test.ts',
  ]
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  assert.equal(findTests(root, 'test', ['a', 'missing'], []), ['a/z.test.ts', 'a/c/d.test.ts', 'a/b.test.ts'])
  assert.equal(findTests(root, 'test', ['a'], ['./a/z', 'b.test']), ['a/z.test.ts', 'a/b.test.ts'])
  assert.equal(findTests(root, 'test', ['b', 'a'], ['a/b', 'first']), ['b/first.test.ts', 'a/b.test.ts'])
  assert.equal(findTests(root, 'trial', ['a'], []), ['a/h.trial.ts'])
})

test('the whole command starts its own servers, prints the sum and leaves the temporary folder empty', () => {
  const folder = newFolder()
  const run = (pattern: string) => {
    const script = fileURLToPath(new URL('../test.ts', import.meta.url))
    const env = { ...process.env, TMPDIR: folder, TEST_DATABASE_URL: '', TEST_NATS_URL: '' }
    return spawnSync(process.execPath, [script, pattern], { encoding: 'utf8', env })
  }
  const { stdout, status } = run('cli/stack/ports.test.ts')
  assert.match(stdout, /MariaDB ready in/)
  assert.match(stdout, /\n[1-9]\d* passed, 0 failed\n$/)
  assert.is(status, 0)
  assert.equal(readdirSync(folder), [])
  const none = run('cli/no/such/file')
  assert.match(none.stdout, /\n0 passed, 0 failed\n$/)
  assert.is(none.status, 1)
})

test.run()
