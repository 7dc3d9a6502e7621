import { createLog } from '../services/kernel/process/log.ts'
import { beginning, untilStopped } from '../services/kernel/process/process.ts'
import { servePlatform } from './serve.ts'

/** The platform of `npm start` over servers that run already, for tests and benchmarks. */
const log = createLog('platform')
await beginning(log, async () => {
  const platform = await servePlatform(process.env, log, async () => undefined)
  process.send?.({ type: 'ready' })
  await untilStopped(log, platform)
})
