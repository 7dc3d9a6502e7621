import cluster, { type Worker as Forked } from 'node:cluster'
import { once } from 'node:events'
import path from 'node:path'
import { AggregatorRegistry } from 'prom-client'
import type { RestService } from '../edge/catalogue.ts'
import { integer, readSettings } from '../services/kernel/process/config.ts'
import { createLog } from '../services/kernel/process/log.ts'
import { isProduction } from '../services/kernel/process/mode.ts'
import { startObservability } from '../services/kernel/process/observability.ts'
import { drainMs, runProcess, stopOnSignal } from '../services/kernel/process/process.ts'
import { startSandbox } from '../services/sandbox/service.ts'
import { sandboxSettings } from '../services/sandbox/settings.ts'
import { addressesOf, memberViews } from './published.ts'
import { seedDemo } from './seed.ts'
import type { Ready, Replaced } from './worker-process.ts'
import { type Leave, startWorkers } from './workers.ts'

/*
 * The launcher's supervised process. It runs the sandbox and, by default, the platform itself. With WORKERS=2 or more
 * it forks as many platform processes, which share every port.
 */
const began = Date.now()
const log = createLog('platform')
const { WORKERS } = readSettings(process.env, '', { WORKERS: integer(1, 64).default(1) })

/** How long a replaced process still serves, in ms, while others run. */
const leaveMs = Math.max(drainMs(process.env), 5_000)

/** Requests the grant of member's views for the reading account. */
async function grantViews(): Promise<void> {
  if (!process.send) return
  process.send({ type: 'grant', views: memberViews })
  for (;;) {
    const [message] = (await once(process, 'message')) as [{ type: string; error?: string }]
    if (message.type !== 'granted') continue
    if (message.error) throw new Error(message.error)
    return
  }
}

async function first(): Promise<void> {
  const sandbox = await sandboxUnlessProduction()
  const urls = WORKERS === 1 ? await serveHere() : await forkAll(WORKERS)
  const { logins } = await seedDemo(process.env, urls, log)
  const ready: Ready = {
    type: 'ready',
    addresses: [...addressesOf(urls, process.env), ...(sandbox ? [{ name: 'sandbox inbox', url: sandbox.url }] : [])],
    logins,
    tookMs: Date.now() - began,
  }
  process.send?.(ready)
  process.on('message', ({ type }: { type: string }) => {
    if (type === 'replace') void replaced().then(message => process.send?.(message))
  })
  await stopOnSignal(log, {
    async stop() {
      await stopPlatform()
      await sandbox?.close()
    },
  })
}

let stopPlatform = async (): Promise<void> => undefined
let replaceWorkers = async (): Promise<number> => {
  throw new Error('replacing processes without downtime requires WORKERS=2 or more')
}

async function replaced(): Promise<Replaced> {
  const from = Date.now()
  try {
    const count = await replaceWorkers()
    return { type: 'replaced', count, tookMs: Date.now() - from }
  } catch (error) {
    log.error({ err: error }, 'platform processes not replaced')
    return { type: 'replaced', count: 0, error: error instanceof Error ? error.message : String(error) }
  }
}

async function sandboxUnlessProduction() {
  if (isProduction(process.env)) return undefined
  const { SANDBOX_PORT } = readSettings(process.env, '', { SANDBOX_PORT: integer(0, 65_535).default(3010) })
  const placeholder = sandboxSettings('', '', process.env)
  const dataDir = process.env['DATA_DIR'] && path.join(process.env['DATA_DIR'], 'sandbox')
  const sandbox = await startSandbox({
    port: SANDBOX_PORT,
    log,
    env: { ...placeholder, ...process.env },
    ...(dataDir ? { dataDir } : {}),
  })
  const keys = { FCM_PRIVATE_KEY: placeholder['FCM_PRIVATE_KEY'], ...process.env }
  Object.assign(process.env, sandboxSettings(sandbox.url, sandbox.smtpUrl, keys))
  return sandbox
}

async function serveHere(): Promise<Record<RestService, string>> {
  const platform = await serve()
  stopPlatform = platform.stop
  return platform.edge.urls
}

/** The services and the edge, imported only by the processes that run them. */
async function serve() {
  const { servePlatform } = await import('./serve.ts')
  // Clients close idle connections before a leaving process would.
  const env = WORKERS === 1 ? process.env : { ...process.env, DRAIN_SECONDS: String(leaveMs / 1_000) }
  return servePlatform(env, grantViews, WORKERS === 1)
}

/** Starts the platform processes. */
async function forkAll(count: number): Promise<Record<RestService, string>> {
  const together = new AggregatorRegistry()
  const shown = await startObservability(process.env, 'platform', log, () => together.clusterMetrics())
  const workers = await startWorkers({ count, served, graceMs: leaveMs + 15_000, log })
  replaceWorkers = workers.replace
  stopPlatform = async () => {
    await workers.stop()
    await shown.stop()
  }
  return workers.serving
}

function served(worker: Forked): Promise<Record<RestService, string>> {
  return new Promise((resolve, reject) => {
    worker.once('exit', code => reject(new Error(`a platform process exited with ${code} before it was ready`)))
    worker.on('message', (message: { type: string; urls?: Record<RestService, string> }) => {
      if (message.type === 'grant')
        void grantViews().then(
          () => worker.send({ type: 'granted' }),
          error => worker.send({ type: 'granted', error: String(error) }),
        )
      if (message.type === 'serving' && message.urls) resolve(message.urls)
    })
  })
}

async function forked(): Promise<void> {
  const platform = await serve()
  AggregatorRegistry.setRegistries([platform.host.metrics.registry])
  new AggregatorRegistry()
  process.send?.({ type: 'serving', urls: platform.edge.urls })
  let isReplaced = false
  process.on('message', ({ type }: Leave | { type: string }) => {
    if (type !== 'leave') return
    isReplaced = true
    process.kill(process.pid, 'SIGTERM')
  })
  await stopOnSignal(log, {
    drain: () => platform.drain(isReplaced),
    drainMs: () => (isReplaced ? leaveMs : drainMs(process.env)),
    stop: platform.stop,
  })
}

await runProcess(log, () => (cluster.isPrimary ? first() : forked()))
