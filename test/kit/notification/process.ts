import type { Environment } from '../../../services/kernel/process/config.ts'
import { type Process, readyOrDead, startProcess } from '../process.ts'

const skewedClock = new URL('skewed-clock.ts', import.meta.url).href

/**
 * Starts the notification service as a separate process; resolves when it works, or has died at its failpoint.
 * @param env of the host whose databases, broker and providers it shares
 */
export async function startNotifications(
  env: Environment,
  { failpoint, skewMs, databaseTime }: { failpoint?: string; skewMs?: number; databaseTime?: string } = {},
): Promise<Process> {
  const { FAILPOINT: _, ...inherited } = process.env
  const settings = {
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
  }
  const options = skewMs || databaseTime ? { execArgv: ['--import', skewedClock] } : {}
  const notifications = startProcess('services/main.ts', settings, options)
  await readyOrDead(notifications)
  return notifications
}
