import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recordInto } from './record.ts'

// Processes started by a test use the compile cache, and record nothing unless asked.
delete process.env['NODE_DISABLE_COMPILE_CACHE']
const folder = process.env['TEST_COVERAGE']
if (folder) recordInto(folder, dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/**
 * Runs one test file in this process. uvu is set to be driven from outside: otherwise it starts on a timer, and a file
 * that awaits between its suites would run in halves.
 */
const scope = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: unknown[][] }
scope.UVU_DEFER = 1
scope.UVU_INDEX = 0
const uvu = await import('uvu')
scope.UVU_QUEUE?.push([null])
await import(pathToFileURL(process.argv[2] ?? '').href)
await uvu.exec()

// Names what keeps the process from ending, without blocking the other files.
setTimeout(() => {
  const open = process.getActiveResourcesInfo().filter(name => name !== 'Timeout' && !/^(TTY|Pipe)Wrap$/.test(name))
  console.error(`left open: ${open.join(', ') || 'timers'}`)
  process.exit()
}, 3000).unref()
