import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import type { RestService } from '../gen/catalogue.ts'
import type { Environment } from '../services/kernel/process/config.ts'
import type { Log } from '../services/kernel/process/log.ts'
import { keepAliveTimes, listenProblem } from '../services/kernel/process/process.ts'
import { withOpenSpan } from '../services/kernel/process/tracing.ts'
import type { Host } from '../services/kernel/rpc/host.ts'
import { acceptPendingConnections, lastAnswers } from '../services/kernel/rpc/last-answers.ts'
import { createApp } from './app.ts'
import { consoleListener, edgeConfig, frontListener, listeners } from './config.ts'
import { createConsole } from './console/console.ts'
import { createFront, frontSockets } from './front/front.ts'
import { setAnswerHeaders } from './http/request-id.ts'
import { requestCounter } from './http/requests.ts'
import { refuseUnreadable } from './http/unreadable.ts'
import { originForm } from './http/well-formed.ts'
import { startLegacyNotices } from './legacy/legacy.ts'
import { type LiveServer, startLive } from './live/server.ts'
import { limitsFor } from './live/sockets/limits.ts'
import { admission } from './rest/admission.ts'

export type RunningEdge = {
  /** Address of each REST service: http://127.0.0.1:3000. */
  urls: Record<RestService, string>
  /** Address of the operator's console. */
  consoleUrl: string
  /** Address of the web client; undefined when it is off. */
  frontUrl: string | undefined
  /** Keeps answering, but tells clients with each answer and at /ready to go elsewhere. */
  drain(): void
  /** Stops accepting, closes sockets with 1001, lets requests finish. */
  stop(): Promise<void>
}

/** Services by listener: those of one port share it. Port 0 is a free port for each service. */
function groupByPort(ports: Record<RestService, number>): RestService[][] {
  const groups = new Map<string, RestService[]>()
  for (const [name, port] of Object.entries(ports) as [RestService, number][]) {
    const portKey = port === 0 && (name === 'legacyauth' || name === 'notification') ? 'shared' : name
    const key = port === 0 ? portKey : String(port)
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return [...groups.values()]
}

/**
 * Headers must arrive within ten seconds, checked every three. Bodies have their own rule (http/slow.ts), because an
 * upload over a slow line may take long.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 3_000,
  // Node's refusal has no body; the platform's is in http/well-formed.ts.
  requireHostHeader: false,
}

/** How long idle connections stay open, in ms: longer than load balancers commonly keep theirs. */
const idleTimeoutMs = 65_000

/** Opens every documented port: REST routes, health and sockets. */
export async function startEdge(host: Host, env: Environment, log: Log): Promise<RunningEdge> {
  const config = edgeConfig(env)
  const lastAnswersOnConnections = lastAnswers()
  const legacy = startLegacyNotices(host, config, log, () => reachableUrl(urls.auth))
  const admitted = admission(config.maxCalls, host.metrics.registry)
  const countRequest = requestCounter(host.metrics.registry)
  let isAway = false
  let consoleUrl = ''
  const developmentUrls = () => ({
    services: Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, reachableUrl(url)])),
    console: reachableUrl(consoleUrl),
    sandbox: config.sandboxUrl,
  })
  const linkedPages = () => ({
    client: config.frontAddress,
    development: config.development ? developmentUrls() : undefined,
  })
  const appOptions = { draining: () => isAway, neighbours: linkedPages, notice: legacy.notice, admitted }
  const liveServers: LiveServer[] = []
  const apps = new Map<RestService, Express>()
  const urls: Partial<Record<RestService, string>> = {}
  const servers: Server[] = []
  const openPort = async (app: Express, requestedPort: number, setting: string) => {
    const listener = setting.replace(/_PORT$/, '').toLowerCase()
    const server = createServer({ ...timeouts, ...keepAliveTimes(env, idleTimeoutMs) }, (request, response) => {
      request.url = originForm(request.url ?? '/')
      setAnswerHeaders(request, response)
      lastAnswersOnConnections.see(response)
      withOpenSpan(request.method ?? 'GET', { kind: 'server', from: request.headers }, end => {
        response.once('close', () => {
          countRequest(listener, response)
          end({ 'http.response.status_code': response.statusCode }, response.statusCode >= 500)
        })
        app(request, response)
      })
    })
    server.maxHeadersCount = 100
    refuseUnreadable(server)
    const port = await listen(server, config.host, requestedPort, setting)
    servers.push(server)
    return { server, url: `http://${config.host}:${port}` }
  }
  const consoleApp = createConsole(host, config, appOptions.draining, admitted)
  let frontUrl: string | undefined
  try {
    for (const services of groupByPort(config.ports)) {
      const [first] = services
      if (!first) continue
      const app = createApp(services, host, config, appOptions)
      const { server, url } = await openPort(app, config.ports[first], listeners[first].setting)
      liveServers.push({ server, services })
      for (const name of services) {
        urls[name] = url
        apps.set(name, app)
      }
    }
    consoleUrl = (await openPort(consoleApp, config.consolePort, consoleListener.setting)).url
    if (config.frontPort !== undefined) {
      const app = createFront({ host, config, apps, draining: appOptions.draining, admitted })
      const { server, url } = await openPort(app, config.frontPort, frontListener.setting)
      frontUrl = url
      for (const sockets of frontSockets([...apps.keys()], config)) liveServers.push({ server, ...sockets })
    }
  } catch (error) {
    await Promise.all([legacy.stop(), ...servers.map(closeServer)])
    throw error
  }
  const { origins, takesQueryTokens } = config
  const limits = limitsFor(config.maxSockets)
  const live = startLive({ servers: liveServers, host, log, limits, origins, takesQueryTokens })
  return {
    urls: urls as Record<RestService, string>,
    consoleUrl,
    frontUrl,
    drain() {
      lastAnswersOnConnections.begin()
      isAway = true
    },
    async stop() {
      isAway = true
      lastAnswersOnConnections.begin()
      await live.close()
      await Promise.all(servers.map(closeServer))
      await legacy.stop()
    },
  }
}

/** The URL that clients can use, since 0.0.0.0 and [::] aren't addresses to call. */
const reachableUrl = (url = ''): string => url.replace(/^http:\/\/(0\.0\.0\.0|::|\[::\])(?=:)/, 'http://localhost')

async function listen(server: Server, host: string, port: number, setting: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error =>
      reject(listenProblem(error, { port, host, portSetting: setting, hostSetting: 'EDGE_HOST' })),
    )
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Idle connections close at once, running requests get ten seconds. */
async function closeServer(server: Server): Promise<void> {
  await acceptPendingConnections(server)
  return new Promise(resolve => {
    const cutTimer = setTimeout(() => server.closeAllConnections(), 10_000)
    // A connection whose last request ends now becomes idle; its client would keep it for a minute.
    const idleTimer = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cutTimer)
      clearInterval(idleTimer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
