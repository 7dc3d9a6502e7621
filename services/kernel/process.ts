import type { Log } from './log.ts'

/**
 * Waits for SIGTERM or SIGINT, then stops in order and exits with 0; a second signal exits at
 * once. A parent that vanishes (its IPC channel closes) counts as a signal.
 */
export async function untilStopped(log: Log, stop: () => Promise<void>): Promise<void> {
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  await new Promise<void>(resolve => {
    let signals = 0
    const onSignal = () => {
      if (++signals > 1) process.exit(1)
      resolve()
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
    if (process.send) process.once('disconnect', onSignal)
  })
  log.info('stopping')
  try {
    await stop()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'stopped uncleanly')
    process.exit(1)
  }
}
