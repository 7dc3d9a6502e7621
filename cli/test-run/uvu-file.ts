import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recordInto } from './record.ts'

// Processes that a test starts come from the compile cache, and record nothing unless they are told to.
delete process.env['NODE_DISABLE_COMPILE_CACHE']
const folder = process.env['TEST_COVERAGE']
if (folder) recordInto(folder, dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/**
 * Runs one test file in this process. uvu is told beforehand that it is driven from outside: else it begins on a timer,
 * and a file that awaits something between its suites would run in halves.
 */
const scope = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: unknown[][] }
scope.UVU_DEFER = 1
scope.UVU_INDEX = 0
const uvu = await import('uvu')
scope.UVU_QUEUE?.push([null])
await import(pathToFileURL(process.argv[2] ?? '').href)
await uvu.exec()

// Something that keeps the process from ending by itself is named, and does not hold up the others.
setTimeout(() => {
  const open = process.getActiveResourcesInfo().filter(name => name !== 'Timeout' && !/^(TTY|Pipe)Wrap$/.test(name))
  console.error(`left open: ${open.join(', ') || 'timers'}`)
  process.exit()
}, 3000).unref()
