import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { RestService } from '../edge/catalogue.ts'
import { AggregatorRegistry } from 'prom-client'
import { integer, settings } from '../services/kernel/config.ts'
import { createLog } from '../services/kernel/log.ts'
import { observe } from '../services/kernel/observability.ts'
import { untilStopped } from '../services/kernel/process.ts'
import { startSandbox } from '../services/sandbox/service.ts'
import { sandboxSettings } from './sandbox-settings.ts'
import { seedDemo } from './seed.ts'
import { addressesOf, memberViews } from './published.ts'
import type { Ready } from './worker-process.ts'

/*
 * What the launcher supervises. One process by default per core: the first holds the sandbox
 * and, with WORKERS=1, the platform itself; otherwise it forks that many platform processes,
 * which share every port.
 */
const began = Date.now()
const log = createLog('platform')
const { WORKERS } = settings(process.env, '', { WORKERS: integer(1, 64).default(availableParallelism()) })

/** Asks the launcher to let the reading account see member's views. */
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
  await untilStopped(log, {
    async stop() {
      await stopPlatform()
      await sandbox?.close()
    },
  })
}

let stopPlatform = async (): Promise<void> => undefined

async function sandboxUnlessProduction() {
  if (process.env['NODE_ENV'] === 'production') return undefined
  const { SANDBOX_PORT } = settings(process.env, '', { SANDBOX_PORT: integer(0, 65_535).default(3010) })
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

/** The services and the edge, loaded only by the processes that run them. */
async function serve() {
  const { servePlatform } = await import('./serve.ts')
  return servePlatform(process.env, grantViews, WORKERS === 1)
}

/** Starts the platform processes; one that dies unexpectedly is replaced. */
async function forkAll(count: number): Promise<Record<RestService, string>> {
  let stopping = false
  const together = new AggregatorRegistry()
  const shown = await observe(process.env, 'platform', log, () => together.clusterMetrics())
  const start = async (): Promise<Record<RestService, string>> => {
    const worker = cluster.fork()
    worker.on('exit', code => {
      if (stopping) return
      log.error({ code }, 'a platform process died; starting another')
      setTimeout(() => void start().catch(error => log.error({ err: error }, 'no replacement')), 500)
    })
    return served(worker)
  }
  stopPlatform = async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    await Promise.all(workers.map(worker => ended(worker)))
    await shown.stop()
  }
  // All at once: migrations take turns by a lock of their own, and granting twice is granting once.
  const [urls] = await Promise.all([start(), ...Array.from({ length: count - 1 }, start)])
  return urls
}

async function ended(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const gone = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await gone
}

function served(worker: Worker): Promise<Record<RestService, string>> {
  return new Promise((resolve, reject) => {
    worker.once('exit', code => reject(new Error(`a platform process ended with ${code} before it served`)))
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
  await untilStopped(log, { drain: platform.drain, stop: platform.stop })
}

await (cluster.isPrimary ? first() : forked())
