import path from 'node:path'
import { edgeConfig } from '../edge/config.ts'
import { startEdge } from '../edge/edge.ts'
import { type Environment, integer, readSettings } from '../services/kernel/process/config.ts'
import type { Log } from '../services/kernel/process/log.ts'
import { isProduction } from '../services/kernel/process/mode.ts'
import { startObservability } from '../services/kernel/process/observability.ts'
import { serviceNames, startHost } from '../services/kernel/rpc/host.ts'
import { loadServices } from '../services/modules.ts'
import { startSandbox } from '../services/sandbox/service.ts'
import { sandboxSettings } from '../services/sandbox/settings.ts'
import { addressesOf } from './published.ts'
import { seedDemo } from './seed.ts'

/** A running platform: its addresses and logins for people. */
export type Serving = {
  addresses: { name: string; url: string }[]
  logins: { name: string; email: string; password: string }[]
  tookMs: number
  stop(): Promise<void>
}

/** Starts everything but the servers, see `servePlatform`. */
export type Serve = (env: Environment, log: Log, grantViews: () => Promise<void>) => Promise<Serving>

/**
 * Starts the sandbox (outside of production), every service and the edge in this process, and adds the demonstration
 * hotel.
 * @param env also receives the sandbox's addresses
 * @param grantViews lets the reading account read member's views, once migrations have created them
 */
export const servePlatform: Serve = async (env, log, grantViews) => {
  const startedAt = Date.now()
  edgeConfig(env)
  const sandbox = isProduction(env) ? undefined : await startSandboxFor(env, log)
  const host = await startHost(await loadServices([...serviceNames]), env, log)
  await grantViews()
  const edge = await startEdge(host, env, log)
  const observed = await startObservability(env, 'platform', log, () => host.metrics.registry.metrics())
  const { logins } = await seedDemo(env, edge.urls, log)
  return {
    addresses: [...addressesOf(edge.urls, env), ...(sandbox ? [{ name: 'sandbox inbox', url: sandbox.url }] : [])],
    logins,
    tookMs: Date.now() - startedAt,
    async stop() {
      await edge.stop()
      await host.stop()
      await observed.stop()
      await sandbox?.close()
    },
  }
}

async function startSandboxFor(env: Environment, log: Log) {
  const { SANDBOX_PORT } = readSettings(env, '', { SANDBOX_PORT: integer(0, 65_535).default(3010) })
  const placeholder = sandboxSettings('', '', env)
  const dataDir = env['DATA_DIR'] && path.join(env['DATA_DIR'], 'sandbox')
  const sandboxEnv = { ...placeholder, ...env }
  const sandbox = await startSandbox({ port: SANDBOX_PORT, log, env: sandboxEnv, ...(dataDir ? { dataDir } : {}) })
  const keys = { FCM_PRIVATE_KEY: placeholder['FCM_PRIVATE_KEY'], ...env }
  Object.assign(env, sandboxSettings(sandbox.url, sandbox.smtpUrl, keys))
  return sandbox
}
