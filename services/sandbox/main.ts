import { integer, readSetting, readSettings } from '../kernel/process/config.ts'
import { createLog } from '../kernel/process/log.ts'
import { listenProblem, runProcess, stopOnSignal } from '../kernel/process/process.ts'
import { startSandbox } from './service.ts'

const log = createLog('sandbox')
await runProcess(log, async () => {
  const { SANDBOX_PORT: port, SANDBOX_SMTP_PORT: smtpPort } = readSettings(process.env, '', {
    SANDBOX_PORT: integer(0, 65_535).default(3010),
    SANDBOX_SMTP_PORT: integer(0, 65_535).default(0),
  })
  const text = (name: string) => readSetting(process.env, '', name)
  const host = text('SANDBOX_HOST')
  const publicUrl = text('SANDBOX_PUBLIC_URL')
  const dataDir = text('SANDBOX_DATA_DIR')
  const sandbox = await startSandbox({
    port,
    smtpPort,
    ...(host && { host }),
    ...(publicUrl && { publicUrl }),
    ...(dataDir && { dataDir }),
    log,
    env: process.env,
  }).catch((error: NodeJS.ErrnoException) => {
    throw listenProblem(error, {
      port,
      host: host ?? '127.0.0.1',
      portSetting: 'SANDBOX_PORT',
      hostSetting: 'SANDBOX_HOST',
    })
  })
  process.send?.({ type: 'ready' })
  await stopOnSignal(log, { stop: () => sandbox.close() })
})
