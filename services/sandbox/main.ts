import { integer, readSetting, settings } from '../kernel/process/config.ts'
import { createLog } from '../kernel/process/log.ts'
import { untilStopped } from '../kernel/process/process.ts'
import { startSandbox } from './service.ts'

const log = createLog('sandbox')
try {
  const { SANDBOX_PORT: port, SANDBOX_SMTP_PORT: smtpPort } = settings(process.env, '', {
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
  })
  process.send?.({ type: 'ready' })
  await untilStopped(log, { stop: () => sandbox.close() })
} catch (error) {
  log.fatal((error as Error).message)
  process.exitCode = 1
}
