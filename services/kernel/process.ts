import type { Log } from './log.ts'

const sameSignalMs = 1_000

/**
 * Waits for SIGTERM or SIGINT, then stops in order and exits with 0; a second signal exits at
 * once. A parent that vanishes (its IPC channel closes) counts as a signal.
 */
export async function untilStopped(log: Log, stop: () => Promise<void>): Promise<void> {
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  await new Promise<void>(resolve => {
    let first: number | undefined
    const onSignal = () => {
      // One Ctrl-C arrives several times, and a dying parent sends its signal and hangs up at once.
      if (first !== undefined && Date.now() - first > sameSignalMs) process.exit(1)
      first ??= Date.now()
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
