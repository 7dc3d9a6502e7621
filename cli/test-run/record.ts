import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Records the executed lines of the project's files from now on, and writes them into the folder at exit, like
 * NODE_V8_COVERAGE, but without packages and child processes.
 */
export function recordInto(folder: string, root: string): void {
  const own = `${pathToFileURL(root).href}/`
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_error, taken: Profiler.TakePreciseCoverageReturnType) => {
      const result = taken.result.filter(({ url }) => url.startsWith(own) && !url.includes('/node_modules/'))
      writeFileSync(join(folder, `coverage-${process.pid}-${Date.now()}.json`), JSON.stringify({ result }))
    })
  })
}
