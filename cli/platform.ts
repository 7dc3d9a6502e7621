import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, readSetting } from '../services/kernel/process/config.ts'
import { environment, givenDatabases, platformPorts } from './environment.ts'
import { LaunchError } from './stack/errors.ts'
import { lockFolder } from './stack/lock.ts'
import { checkPorts } from './stack/ports.ts'
import { noteRestart, type Restarted, restartSignal } from './stack/restart.ts'
import { seconds } from './stack/services.ts'
import { ensureFolder, type Stack, startStack } from './stack/stack.ts'
import { startWorker, type Worker } from './worker-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tell = (line: string) => console.log(`  ${line}`)
/** What the user can fix is told without a stack. */
const isOfUser = (error: unknown): error is Error => error instanceof LaunchError || error instanceof ConfigError
const setting = (name: string) => readSetting(process.env, '', name)

function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), [])
  return rows.map(row => `    ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ')}`.trimEnd()).join('\n')
}

function announce({ addresses, logins, tookMs }: Worker['ready'], dataDir: string, began: number): void {
  tell(`services, sandbox and edge ready in ${seconds(tookMs)}`)
  console.log(`\n  Everything is up after ${seconds(Date.now() - began)}.\n`)
  console.log(table(addresses.map(({ name, url }) => [name, url])))
  if (logins.length > 0) {
    console.log('\n  Sign in as\n')
    console.log(table(logins.map(({ name, email, password }) => [name, email, password])))
  }
  console.log(`\n  Data in ${dataDir}, server logs in ${join(dataDir, 'logs')}. Ctrl-C stops everything.\n`)
}

/** The bundler isn't in the image, whose commands load this file, too. */
const buildFront = async (): Promise<void> => (await import('./build/bundles.ts')).buildBundles()

/**
 * Runs the whole platform until a signal: lock, ports, stack, then the worker. Never returns before its end; exits with
 * 0 after a clean stop, 1 when it could not start, 130 when a second signal cut the stop short.
 * @param workerScript the script that serves and reports it, see `Ready`
 * @param isJson prints nothing on standard output but, once everything runs, one object of addresses and logins
 */
export async function runPlatform(workerScript: string, isJson = false): Promise<void> {
  const print = isJson ? () => undefined : tell
  const began = Date.now()
  const dataDir = resolve(root, setting('DATA_DIR') ?? '.data')
  let stack: Stack | undefined
  let worker: Worker | undefined
  let unlock = () => {}
  let stopping: number | undefined

  // Stop the writers first, then the servers.
  const stop = async (code: number): Promise<never> => {
    await worker?.stop()
    await stack?.stop()
    unlock()
    if (stopping !== undefined) print(`stopped in ${seconds(Date.now() - stopping)}`)
    process.exit(code)
  }
  const onSignal = (): void => {
    if (stopping === undefined) {
      stopping = Date.now()
      print('stopping … (press again to stop immediately)')
      // A start in progress continues to its next step, where everything it began can be stopped in order.
      if (worker) void stop(0)
      return
    }
    // One Ctrl-C arrives up to three times: from the terminal, npm and the bootstrap.
    if (Date.now() - stopping < 1000) return
    worker?.kill()
    stack?.kill()
    unlock()
    process.exit(130)
  }
  const replace = async (): Promise<void> => {
    const starting: Restarted = { count: 0, error: 'the platform is still starting' }
    if (worker) print('replacing processes …')
    await buildFront()
    const done = worker ? await worker.replace() : starting
    const { count, tookMs = 0, error } = done
    print(error === undefined ? `${count} replaced in ${seconds(tookMs)}` : `not replaced: ${error}`)
    noteRestart(dataDir, done)
  }
  process.on(restartSignal, () => void replace())
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)

  try {
    ensureFolder(dataDir)
    unlock = lockFolder(dataDir)
    await checkPorts(platformPorts(process.env))
    stack = await startStack({
      dataDir,
      print,
      ...givenDatabases(process.env),
      natsUrl: setting('AMQP_GATEWAY_URL'),
    })
    if (stopping !== undefined) await stop(0)
    await buildFront()
    const defaults = { SEED_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir }
    worker = await startWorker(workerScript, stack, environment(stack, stack.secrets, defaults), print, isJson)
    if (stopping !== undefined) await stop(0)
    if (isJson) console.log(JSON.stringify({ ...worker.ready, dataDir }))
    else announce(worker.ready, dataDir, began)
  } catch (error) {
    if (stopping === undefined) console.error(isOfUser(error) ? `\n${error.message}` : error)
    await stop(stopping === undefined ? 1 : 0)
  }
}
