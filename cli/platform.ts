import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { readSetting } from '../services/kernel/process/config.ts'
import { createLog, switchLevelOnSignal } from '../services/kernel/process/log.ts'
import { isOfOutside, stopOnSignal } from '../services/kernel/process/process.ts'
import { environment, givenDatabases, platformPorts } from './environment.ts'
import { memberViews } from './published.ts'
import { root } from './run.ts'
import type { Serve, Serving } from './serve.ts'
import { lockFolder } from './stack/lock.ts'
import { LaunchError, seconds } from './stack/messages.ts'
import { checkPorts } from './stack/ports.ts'
import { ensureFolder, grantMemberViews, type Stack, startStack } from './stack/stack.ts'

const printLine = (line: string) => console.log(`  ${line}`)

function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (columns, row) => row.map((cell, i) => Math.max(columns[i] ?? 0, cell.length)),
    [],
  )
  return rows.map(row => `    ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ')}`.trimEnd()).join('\n')
}

function announce({ addresses, logins, tookMs }: Serving, dataDir: string, startedAt: number): void {
  printLine(`services, sandbox and edge ready in ${seconds(tookMs)}`)
  console.log(`\n  Everything is up after ${seconds(Date.now() - startedAt)}.\n`)
  console.log(table(addresses.map(({ name, url }) => [name, url])))
  if (logins.length > 0) {
    console.log('\n  Sign in as\n')
    console.log(table(logins.map(({ name, email, password }) => [name, email, password])))
  }
  console.log(`\n  Data in ${dataDir}, server logs in ${join(dataDir, 'logs')}. Ctrl-C stops everything.\n`)
}

/** The bundler isn't in the image, whose commands load this file, too. */
const buildFront = async (): Promise<void> => (await import('./build/bundles.ts')).buildBundles()

/** Loaded only when its settings are complete. */
const servePlatform: Serve = async (...args) => (await import('./serve.ts')).servePlatform(...args)

/**
 * Runs the whole platform until a signal: lock, ports, servers, then everything else in this process. The servers end
 * with this process, however it ends. Exits with 0 after a clean stop, with 1 when it could not start or a second
 * signal cut the stop short.
 * @param isJson prints nothing on standard output but, once everything runs, one object of addresses and logins
 */
export async function runPlatform(isJson = false, serve = servePlatform): Promise<void> {
  const print = isJson ? () => undefined : printLine
  const startedAt = Date.now()
  const dataDir = resolve(root, readSetting(process.env, '', 'DATA_DIR') ?? '.data')
  let stack: Stack | undefined
  let unlock = () => {}
  try {
    ensureFolder(dataDir)
    unlock = lockFolder(dataDir)
    await checkPorts(platformPorts(process.env))
    const natsUrl = readSetting(process.env, '', 'AMQP_GATEWAY_URL')
    const servers = await startStack({ dataDir, print, ...givenDatabases(process.env), natsUrl })
    stack = servers
    await buildFront()
    const defaults = { SEED_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir }
    Object.assign(process.env, environment(servers, servers.secrets, defaults))
    // With --json, a program reads standard output.
    const log = createLog('platform', undefined, pino.destination(isJson ? 2 : 1))
    switchLevelOnSignal(log)
    const platform = await serve(process.env, log, () => grantMemberViews(servers, memberViews))
    const { addresses, logins, tookMs } = platform
    if (isJson) console.log(JSON.stringify({ addresses, logins, tookMs, dataDir }))
    else announce(platform, dataDir, startedAt)
    await stopOnSignal(log, {
      async stop() {
        const stoppingAt = Date.now()
        print('stopping … (press again to stop immediately)')
        await platform.stop()
        await servers.stop()
        unlock()
        print(`stopped in ${seconds(Date.now() - stoppingAt)}`)
      },
    })
  } catch (error) {
    console.error(error instanceof LaunchError || isOfOutside(error) ? `\n${error.message}` : error)
    await stack?.stop()
    unlock()
    process.exit(1)
  }
}
