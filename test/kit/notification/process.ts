import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../services/kernel/process/config.ts'

const script = fileURLToPath(new URL('../../../services/main.ts', import.meta.url))
const skewedClock = new URL('skewed-clock.ts', import.meta.url).href

export type NotificationProcess = {
  /** The signal or exit code it ended with. */
  ended: Promise<string>
  stop(): Promise<string>
}

/**
 * Starts the notification service as a separate process; resolves when it works, or has died at its failpoint.
 * @param env of the host whose databases, broker and providers it shares
 */
export async function startNotifications(
  env: Environment,
  { failpoint, skewMs, databaseTime }: { failpoint?: string; skewMs?: number; databaseTime?: string } = {},
): Promise<NotificationProcess> {
  const { FAILPOINT: _, ...inherited } = process.env
  const child = fork(script, {
    env: {
      ...inherited,
      LOG_LEVEL: 'silent',
      ...env,
      SERVICES: 'notification',
      // Short, but longer than a busy machine delays a process: otherwise its messages would be suspected of having
      // killed it.
      NOTIFICATION_ACK_WAIT_MS: '4000',
      ...(failpoint ? { FAILPOINT: failpoint } : {}),
      ...(skewMs ? { CLOCK_SKEW_MS: String(skewMs) } : {}),
      ...(databaseTime ? { DATABASE_TIME: databaseTime } : {}),
    },
    ...(skewMs || databaseTime ? { execArgv: ['--import', skewedClock] } : {}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', kill)
    return String(signal ?? code)
  })
  await Promise.race([once(child, 'message'), ended])
  return {
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
