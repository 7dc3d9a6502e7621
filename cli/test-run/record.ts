import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Records which lines of the project's own files this process runs from now on, and writes that into the folder when it
 * ends, as Node does for NODE_V8_COVERAGE, but nothing about packages, and nothing about processes that it starts.
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
