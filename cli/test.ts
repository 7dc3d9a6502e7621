import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildBundles } from './build/bundles.ts'
import { root } from './run.ts'
import { operatorAccount } from './stack/broker-config.ts'
import { LaunchError, messageOf, seconds } from './stack/messages.ts'
import { type Stack, startStack } from './stack/stack.ts'
import { findTests, inProcesses } from './test-run/find.ts'
import { needsProgram, programsFor } from './test-run/programs.ts'
import { type FileOutcome, killRunning, runFiles } from './test-run/run-files.ts'
import { secondTry } from './test-run/second-try.ts'

const help = `npm test [-- patterns] [--coverage] [--jobs=N] [--trials] [--fuzz]
Runs the test files whose path contains one of the patterns (default: all).
--coverage also prints how much of the code they run, and writes coverage/lcov.info.
--trials runs the trials of timing and endurance, and every benchmark once, instead.
--fuzz sends a million random requests (FUZZ_COUNT, FUZZ_SEED) instead of the suite's thousand, with a limit on the turns
of the platform's loop (FUZZ_LOOP_MS).
With CI set, files that fail run once more, one at a time; those that pass then are named as flaky.
TEST_DATABASE_URL and TEST_NATS_URL select servers; without them, private ones run during the tests.`

const args = process.argv.slice(2)
const options = new Set(args.filter(arg => arg.startsWith('-')))
const patterns = args.filter(arg => !arg.startsWith('-'))
if (options.has('--help')) {
  console.log(help)
  process.exit(0)
}

const isFuzz = options.has('--fuzz')
if (isFuzz) {
  process.env['FUZZ_COUNT'] ??= '1000000'
  process.env['FUZZ_LOOP_MS'] ??= '250'
  patterns.push('test/hostile/fuzz')
}

const began = Date.now()
const print = (line: string) => console.log(`  ${line}`)
const kind = options.has('--trials') ? 'trial' : 'test'
await buildBundles()
// Benchmarks and whole platforms take longest, so they start first.
const files = findTests(root, kind, ['bench', 'test', 'services', 'edge', 'cli'], patterns)
if (files.length === 0) {
  console.log(`No test file's path contains ${patterns.join(' or ')}.\n\n0 passed, 0 failed`)
  process.exit(1)
}
const isAlone = files.length === 1
const coverage = options.has('--coverage')
const jobs =
  // One more than cores: a third of the time, tests wait for processes or deadlines.
  Number([...options].find(option => option.startsWith('--jobs='))?.slice(7)) || Math.min(availableParallelism() + 1, 4)

const timeoutMs = isFuzz ? 4 * 3_600_000 : kind === 'trial' ? 1_200_000 : 600_000

const folder = mkdtempSync(join(tmpdir(), 'platform-test-'))
const coverageFolder = join(folder, 'coverage')
mkdirSync(coverageFolder)
let stack: Stack | undefined

async function finish(): Promise<void> {
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
let interrupted = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (interrupted) return
    interrupted = true
    killRunning()
    void finish().finally(() => process.exit(130))
  })
}

/** Servers for the tests: those named in the environment, else private ones. */
async function servers(): Promise<Record<string, string>> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl } = process.env
  if (databaseUrl && natsUrl) return { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl }
  const missingServers = [...(databaseUrl ? [] : ['database' as const]), ...(natsUrl ? [] : ['bus' as const])]
  stack = await startStack({ dataDir: folder, ephemeral: true, print, startOnly: missingServers })
  return {
    TEST_DATABASE_URL: databaseUrl || stack.adminDatabaseUrl || '',
    TEST_NATS_URL: natsUrl || stack.natsUrlOf(operatorAccount),
  }
}

const indented = (output: string): string => output.replace(/^/gm, '    ').trimEnd()

function show({ file, passed, failed, skipped, ms, fault, litter, output }: FileOutcome): void {
  const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean)
  console.log(`${failed ? '✗' : '✓'} ${file.padEnd(58)} ${counts.join(', ')}  ${seconds(ms)}`)
  if (failed && !isAlone) console.log(indented(output))
  if (fault) console.log(`    ${fault}`)
  if (litter) console.log(`    ${litter}`)
}

try {
  const env = {
    ...process.env,
    ...(await servers()),
    // Code from the compile cache is recorded with less precision.
    ...(coverage ? { TEST_COVERAGE: coverageFolder, NODE_DISABLE_COMPILE_CACHE: '1' } : {}),
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  }
  // Fetched while the first files run; only files that need them wait.
  const programs = programsFor(files, print)
  const run = async (files: string[]): Promise<FileOutcome[]> => {
    const programPaths = files.some(needsProgram) ? await programs : {}
    const outcomes = await runFiles(files, { root, env: { ...env, ...programPaths }, timeoutMs, stream: isAlone })
    if (!interrupted) outcomes.forEach(show)
    return outcomes
  }
  const first: FileOutcome[] = []
  const waiting = inProcesses(files)
  const lane = async () => {
    for (let next = waiting.shift(); next && !interrupted; next = waiting.shift()) first.push(...(await run(next)))
  }
  await Promise.all(Array.from({ length: jobs }, lane))
  const { outcomes, flaky } =
    process.env['CI'] && !interrupted ? await secondTry(first, run) : { outcomes: first, flaky: [] }
  if (!interrupted) {
    if (coverage) await reportCoverage(root, coverageFolder, ['services', 'edge', 'cli'])
    await finish()
    const sum = (count: 'passed' | 'failed' | 'skipped') =>
      outcomes.reduce((total, outcome) => total + outcome[count], 0)
    const failing = outcomes.filter(outcome => outcome.failed > 0)
    if (failing.length > 0) console.log(`\nFailed: ${failing.map(outcome => outcome.file).join(', ')}`)
    for (const { file, output } of flaky) console.log(`\nFlaky: ${file}, whose first try printed\n${indented(output)}`)
    if (sum('skipped') > 0) console.log(`\n${sum('skipped')} skipped`)
    console.log(
      `\n${files.length} files in ${seconds(Date.now() - began)}\n${sum('passed')} passed, ${sum('failed')} failed`,
    )
    process.exitCode = sum('failed') > 0 ? 1 : 0
  }
} catch (error) {
  await finish()
  console.error(error instanceof LaunchError ? messageOf(error) : error)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
}

/** Prints a summary of V8's records in a folder and writes coverage/lcov.info. Files that no test loads count too. */
function reportCoverage(root: string, coverageFolder: string, folders: string[]): Promise<void> {
  const c8 = join(dirname(createRequire(import.meta.url).resolve('c8/package.json')), 'bin', 'c8.js')
  const reportOptions = [
    '--temp-directory',
    coverageFolder,
    '--reporter=text-summary',
    '--reporter=lcov',
    '--all',
    '--merge-async',
  ]
  const included = folders.flatMap(folder => ['--include', `${folder}/**/*.ts`])
  const excluded = ['**/*.test.ts', '**/node_modules/**', 'gen/**', 'cli/fixtures/**'].flatMap(it => ['--exclude', it])
  const args = ['report', ...reportOptions, ...included, ...excluded]
  const child = spawn(process.execPath, [c8, ...args], { cwd: root, stdio: 'inherit' })
  return new Promise(resolve => child.once('close', () => resolve()))
}
