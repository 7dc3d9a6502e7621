import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders } from '../fixtures/helpers.ts'
import { findTests, inProcesses } from './find.ts'
import { type FileOutcome, runFiles } from './run-files.ts'
import { secondTry } from './second-try.ts'

const test = suite('npm test')
test.after(removeFolders)

const head = `
import { suite } from ${JSON.stringify(import.meta.resolve('uvu'))}
import * as assert from ${JSON.stringify(import.meta.resolve('uvu/assert'))}
const test = suite('inner')
`
async function outcome(source: string, timeoutMs = 120_000): Promise<FileOutcome> {
  const root = newFolder()
  writeFileSync(join(root, 'inner.test.ts'), head + source)
  const [only] = await runFiles(['inner.test.ts'], { root, env: process.env, timeoutMs, stream: false })
  return only as FileOutcome
}
const counts = ({ passed, failed, skipped }: FileOutcome) => [passed, failed, skipped]

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
  const slowOutcome = await outcome(
    `test('waits', () => new Promise(done => setTimeout(done, 60_000))); test.run()`,
    1000,
  )
  assert.equal(counts(slowOutcome), [0, 1, 0])
  assert.is(slowOutcome.fault, 'took longer than 1 s; if the machine is busy, run it alone: npm test -- inner.test.ts')
})

test('files of one process have an outcome each, and those after one that crashes or hangs run too', async () => {
  const root = newFolder()
  const sources = {
    'good.test.ts': `globalThis.shared = process.pid; test('one', () => {}); test('two', () => {}); test.run()`,
    'bad.test.ts': `test('shares', () => assert.is(globalThis.shared, process.pid)); test('fails', () => assert.is(1, 2)); test.run()`,
    'empty.test.ts': '',
    'crash.test.ts': `throw new Error('at once')`,
    'hang.test.ts': `test('waits', () => new Promise(done => setTimeout(done, 60_000))); test.run()`,
    'last.test.ts': `test('one', () => assert.is(globalThis.shared, undefined)); test.run()`,
  }
  for (const [file, source] of Object.entries(sources)) writeFileSync(join(root, file), head + source)
  const files = Object.keys(sources)
  const outcomes = await runFiles(files, { root, env: process.env, timeoutMs: 3000, stream: false })
  assert.equal(
    outcomes.map(one => [one.file, ...counts(one), one.fault]),
    [
      ['good.test.ts', 2, 0, 0, undefined],
      ['bad.test.ts', 1, 1, 0, undefined],
      ['empty.test.ts', 0, 1, 0, 'ran no test: is .run() missing?'],
      ['crash.test.ts', 0, 1, 0, 'crashed (exit code 1)'],
      ['hang.test.ts', 0, 1, 0, 'took longer than 3 s; if the machine is busy, run it alone: npm test -- hang.test.ts'],
      ['last.test.ts', 1, 0, 0, undefined],
    ],
  )
  assert.ok(outcomes.every(({ ms }) => ms >= 0))
  assert.match(outcomes[1]?.output ?? '', '1 / 2')
})

test('a second try runs failed files alone; one that fails again stays failed, one that passes is flaky', async () => {
  const root = newFolder()
  const write = (file: string, source: string) => writeFileSync(join(root, file), head + source)
  write('good.test.ts', `test('one', () => {}); test.run()`)
  write('bad.test.ts', `test('one', () => assert.is(1, 2)); test.run()`)
  write('late.test.ts', `test('one', () => assert.is(1, 2)); test.run()`)
  const run = (files: string[]) => runFiles(files, { root, env: process.env, timeoutMs: 60_000, stream: false })
  const first = await run(['good.test.ts', 'bad.test.ts', 'late.test.ts'])
  write('late.test.ts', `test('one', () => {}); test.run()`)
  const { outcomes, flaky } = await secondTry(first, run)
  assert.equal(outcomes.map(counts), [
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 0],
  ])
  assert.equal(flaky, [first[2]])
  const bad = first[1] as FileOutcome
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

test('what files share ends once, after the last of them, and its failure counts', async () => {
  const root = newFolder()
  const shares = (text: string) => `
    import { atEnd } from ${JSON.stringify(new URL('./at-end.ts', import.meta.url).href)}
    test('one', () => assert.is(globalThis.ended, undefined))
    test.run()
    globalThis.began ??= atEnd(async () => { globalThis.ended = true; ${text} }) ?? true`
  const outcomes = async (text: string) => {
    for (const file of ['first.test.ts', 'last.test.ts']) writeFileSync(join(root, file), head + shares(text))
    const run = { root, env: process.env, timeoutMs: 60_000, stream: false }
    return (await runFiles(['first.test.ts', 'last.test.ts'], run)).map(one => [...counts(one), one.fault])
  }
  const passed = [1, 0, 0, undefined]
  assert.equal(await outcomes(''), [passed, passed])
  const fault = 'ended with exit code 1 although its tests passed'
  assert.equal(await outcomes(`throw new Error('still open')`), [passed, [1, 1, 0, fault]])
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

test('up to 24 files of one service or folder share a process, 8 of a browser; files that run whole commands run alone', () => {
  const listFiles = (folder: string, length: number) =>
    Array.from({ length }, (_, index) => `${folder}/${index}.test.ts`)
  const files = [
    'test/operations/a.test.ts',
    'test/operations/b.test.ts',
    ...listFiles('test/browser', 10),
    ...listFiles('services/news/pages', 26),
    'services/auth/a.test.ts',
    'edge/a.test.ts',
  ]
  assert.equal(
    inProcesses(files).map(group => group.length),
    [1, 1, 8, 2, 24, 2, 1, 1],
  )
  assert.equal(inProcesses(files).flat(), files)
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
