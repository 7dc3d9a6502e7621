import { createLog } from '../services/kernel/process/log.ts'
import { runProcess, stopOnSignal } from '../services/kernel/process/process.ts'
import { servePlatform } from './serve.ts'

/** The platform of `npm start` over servers that run already, for tests and benchmarks. */
const log = createLog('platform')
await runProcess(log, async () => {
  const platform = await servePlatform(process.env, log, async () => undefined)
  process.send?.({ type: 'ready' })
  await stopOnSignal(log, platform)
})
