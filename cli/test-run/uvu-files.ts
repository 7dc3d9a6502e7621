import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endShared } from './at-end.ts'

/**
 * Records the executed lines of the project's files from now on, and writes them into the folder at exit, like
 * NODE_V8_COVERAGE, but without packages and child processes.
 */
function recordInto(folder: string, root: string): void {
  const rootUrl = `${pathToFileURL(root).href}/`
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_error, coverage: Profiler.TakePreciseCoverageReturnType) => {
      const result = coverage.result.filter(({ url }) => url.startsWith(rootUrl) && !url.includes('/node_modules/'))
      writeFileSync(join(folder, `coverage-${process.pid}-${Date.now()}.json`), JSON.stringify({ result }))
    })
  })
}

// Processes started by a test use the compile cache, and record nothing unless asked.
delete process.env['NODE_DISABLE_COMPILE_CACHE']
const folder = process.env['TEST_COVERAGE']
if (folder) recordInto(folder, dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/**
 * Runs the named test files in this process, and prints the milliseconds of each after it, see `run-files.ts`. uvu is
 * set to be driven from outside: otherwise it starts on a timer, and a file that awaits between its suites would run in
 * halves.
 */
const scope = globalThis as { UVU_DEFER?: number; UVU_QUEUE?: unknown[][] }
scope.UVU_DEFER = 1
const uvu = await import('uvu')
let code = 0
let beganAt = performance.timeOrigin
for (const file of process.argv.slice(2)) {
  scope.UVU_QUEUE?.splice(0, Infinity, [null])
  await import(pathToFileURL(file).href)
  await uvu.exec()
  code ||= Number(process.exitCode)
  const now = Date.now()
  process.stdout.write(`\u001e${Math.round(now - beganAt)}\u001e`)
  beganAt = now
}
await endShared()
process.exitCode = code

// Names what keeps the process from ending, without blocking the other files.
setTimeout(() => {
  const open = process.getActiveResourcesInfo().filter(name => name !== 'Timeout' && !/^(TTY|Pipe)Wrap$/.test(name))
  console.error(`left open: ${open.join(', ') || 'timers'}`)
  process.exit()
}, 3000).unref()
