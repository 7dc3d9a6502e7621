import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, type Environment, integer, readSettings } from './config.ts'
import { reportError } from './error-reports.ts'
import { type Log, logLevel, switchLevelOnSignal } from './log.ts'

const sameSignalMs = 1_000
/** For a statement or handler that never ends. The server for RPCs alone may take ten seconds. */
const maxStopMs = 20_000
/** The shortest drain in which clients still reuse a connection, and so learn of the end. */
const shortestDrainMs = 5_000

/** The steps by which a process ends, in this order. */
type ShutdownSteps = {
  /** Tells load balancers and clients to go elsewhere, while requests are still answered, for DRAIN_SECONDS. */
  drain?(): void
  /** Overrides DRAIN_SECONDS, in ms; called when the process is asked to stop. */
  drainMs?(): number
  /** Stops in order. */
  stop(): Promise<void>
}

/** Whether an error lies in the settings, or in what the system or a server refuses, so that its message suffices. */
export const isOfOutside = (error: unknown): error is Error =>
  error instanceof ConfigError || (error instanceof Error && typeof Reflect.get(error, 'code') === 'string')

/**
 * Runs a process from its start. Invalid settings, and what the system or a server refuses, end it with one line that
 * says what to do.
 */
export async function runProcess(log: Log, run: () => Promise<void>): Promise<void> {
  switchLevelOnSignal(log)
  try {
    readSettings(process.env, '', { LOG_LEVEL: logLevel })
    await run()
  } catch (error) {
    if (!isOfOutside(error)) throw error
    log.fatal(error.message.replace(/\s*\n\s*/g, ' '))
    process.exit(1)
  }
}

/** A place to listen on, and the settings that it comes from. */
type ListenAddress = { port: number; host: string; portSetting: string; hostSetting: string }

/** Why a server can't listen, in terms of the settings. */
export function listenProblem(
  error: NodeJS.ErrnoException,
  { port, host, portSetting, hostSetting }: ListenAddress,
): Error {
  if (error.code === 'EADDRNOTAVAIL')
    return new ConfigError(`${host} is no address of this machine; correct ${hostSetting}`)
  const reason =
    error.code === 'EADDRINUSE' ? 'is in use' : error.code === 'EACCES' ? 'is not permitted for this user' : undefined
  return reason ? new ConfigError(`port ${port} ${reason}; set ${portSetting} to move it`) : error
}

/** How long a stopping process still serves, in ms: 0 unless another process replaces it. */
const drainMs = (env: Environment): number =>
  readSettings(env, '', { DRAIN_SECONDS: integer(0, 300).default(0) }).DRAIN_SECONDS * 1_000

/**
 * The keep-alive time that an HTTP/1.1 server announces, and the real one, in ms. Where processes are replaced, clients
 * are told to close idle connections within the drain time, so that no request meets a closing connection.
 * @param longest how long the server keeps an idle connection
 */
export function keepAliveTimes(env: Environment, longest: number) {
  const drain = drainMs(env)
  if (drain < shortestDrainMs) return { keepAliveTimeout: longest, keepAliveTimeoutBuffer: 1_000 }
  const promised = Math.min(drain - 1_000, longest)
  return { keepAliveTimeout: promised, keepAliveTimeoutBuffer: Math.max(longest - promised, 1_000) }
}

/**
 * Waits for SIGTERM, SIGINT or SIGHUP (a closed terminal), then drains, stops in order and exits with 0. A second signal
 * exits at once. A vanished parent (its IPC channel closes) counts as a signal.
 */
export async function stopOnSignal(log: Log, ending: ShutdownSteps, env: Environment = process.env): Promise<void> {
  const configuredMs = drainMs(env)
  process.on('unhandledRejection', error => {
    log.error({ err: error }, 'unhandled rejection')
    reportError(error, { source: 'unhandled rejection' })
  })
  await new Promise<void>(resolve => {
    let first: number | undefined
    const onSignal = () => {
      // One Ctrl-C arrives several times, and a dying parent both signals and disconnects.
      if (first !== undefined && Date.now() - first > sameSignalMs) process.exit(1)
      first ??= Date.now()
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, onSignal)
    if (process.send) process.once('disconnect', onSignal)
  })
  log.info('stopping')
  try {
    ending.drain?.()
    const graceMs = ending.drain ? (ending.drainMs?.() ?? configuredMs) : 0
    if (graceMs > 0) await sleep(graceMs)
    setTimeout(() => {
      log.error({ seconds: maxStopMs / 1_000 }, 'stopping took too long')
      process.exit(1)
    }, maxStopMs)
    await ending.stop()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'stopped uncleanly')
    process.exit(1)
  }
}
