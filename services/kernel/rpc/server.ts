import {
  createServer as createHttp1,
  type Server as Http1Server,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import {
  constants,
  createServer as createHttp2,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import type { Interceptor } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { Health } from '../../../gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../../gen/grpc/reflection/v1/reflection_pb.ts'
import { UnauthorizedError } from '../base/errors.ts'
import type { Environment } from '../process/config.ts'
import { keepAliveTimes, listenProblem } from '../process/process.ts'
import { longestCallMs } from './deadline.ts'
import { boundBody } from './door/bounded-body.ts'
import { type HeaderCheck, handlerOptions, methodFinder, nameHost } from './door/handlers.ts'
import { type Ending, healthImplementation } from './health.ts'
import { http2Sessions } from './http2-sessions.ts'
import type { Rpc } from './implement.ts'
import { acceptPendingConnections, type LastAnswers, lastAnswers } from './last-answers.ts'
import { reflectionImplementation } from './reflection.ts'

export type RpcServer = {
  port: number
  /** Reports "not serving" and makes clients reconnect elsewhere, but still answers. */
  drain(): void
  /** Stops accepting, lets running calls finish for at most `ms`, then cuts them. */
  close(ms?: number): Promise<void>
}

type Options = {
  rpcs: Rpc[]
  interceptors: Interceptor[]
  host: string
  port: number
  /** The setting that moves the port. */
  setting?: string
  /** Whether the process can serve; called by grpc.health.v1. */
  healthy: () => Promise<boolean>
  /** Checks a call before its body is read; without it, only the interceptors do. */
  checkHeaders?: HeaderCheck
  /** The keys that may use reflection; without it, anyone may. */
  reflectsTo?: (key: string) => boolean
  /** The process's settings, for the announced keep-alive time (DRAIN_SECONDS). */
  env?: Environment
}

/**
 * How long an idle connection stays open, in ms. Longer than any client of the platform keeps one, so that the client
 * closes it: a server that closes first may meet a request on its way, which then fails.
 */
const idleTimeoutMs = 75_000

/**
 * Serves RPCs to gRPC, gRPC-Web and Connect clients on one cleartext port, over HTTP/2 and HTTP/1.1, with
 * grpc.health.v1 and reflection. Compression is off, since connections stay within one site.
 */
export async function startRpcServer(options: Options): Promise<RpcServer> {
  const { host, port, env = {} } = options
  const last = lastAnswers()
  const [drainController, stopController] = [new AbortController(), new AbortController()]
  const beginDraining = () => {
    last.begin()
    drainController.abort()
  }
  const sessions = http2Sessions()
  const answer = listenerOf(options, { drained: drainController.signal, stopped: stopController.signal }, last)
  const listener: Listener = (request, response) => {
    nameHost(request)
    if (!('stream' in request) || sessions.admits(request.stream)) answer(request, response)
  }
  const http1 = createHttp1(
    { requestTimeout: 30_000, ...keepAliveTimes(env, idleTimeoutMs) },
    listener as RequestListener,
  )
  const http2 = createHttp2({ maxSessionRejectedStreams: 10 }, listener)
  http2.on('session', sessions.add)
  const { tcp, sockets } = splitByProtocol(http1, http2)
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', error =>
      reject(listenProblem(error, { port, host, portSetting: options.setting ?? 'its port', hostSetting: 'RPC_HOST' })),
    )
    tcp.listen(port, host, resolve)
  })
  return {
    port: (tcp.address() as AddressInfo).port,
    drain() {
      beginDraining()
      // Sessions opened from now on get theirs at the stop, since gRPC clients retry only one refusal.
      sessions.sendGoaway()
    },
    async close(ms = 10_000) {
      beginDraining()
      stopController.abort()
      await acceptPendingConnections(tcp)
      const closing = new Promise<void>(resolve => tcp.close(() => resolve()))
      http1.closeIdleConnections()
      sessions.sendGoaway()
      // New connections may send their first request, within a second; silent ones are cut. The check runs after pending
      // input is read, since in a process that stalled the timers fire before it.
      const closeSilent = () => {
        sockets.forEach(one => one.bytesRead === 0 && one.destroy())
        sessions.close()
      }
      const silentTimer = setTimeout(() => setImmediate(closeSilent), Math.min(ms, 1_000))
      const cutTimer = setTimeout(() => sockets.forEach(socket => socket.destroy()), ms)
      const idleTimer = setInterval(() => http1.closeIdleConnections(), 100)
      await closing
      clearTimeout(cutTimer)
      clearTimeout(silentTimer)
      clearInterval(idleTimer)
    },
  }
}

type Listener = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void

/** Answers the process's own RPCs behind their interceptors; health and reflection without them. */
function listenerOf(options: Options, ending: Ending, last: LastAnswers): Listener {
  const { rpcs, interceptors, healthy, checkHeaders = () => undefined, reflectsTo } = options
  const services = rpcs.map(rpc => rpc.service)
  const toolServices = connectNodeAdapter({
    routes: router => {
      router.service(Health, healthImplementation(rpcs, healthy, ending))
      router.service(ServerReflection, reflectionImplementation([...services, Health], ending.stopped))
    },
    ...handlerOptions({
      checkHeaders: ({ parent }, header) => {
        if (parent === ServerReflection && reflectsTo && !reflectsTo(header('x-api-key') ?? ''))
          throw new UnauthorizedError()
      },
      compresses: false,
      maxTimeoutMs: 0x7fffffff,
    }),
  })
  const platformServices = connectNodeAdapter({
    routes: router => {
      for (const { service, implementation } of rpcs) router.service(service, implementation)
    },
    fallback: toolServices,
    ...handlerOptions({ interceptors, checkHeaders, compresses: false, maxTimeoutMs: longestCallMs }),
  })
  const findMethod = methodFinder([...services, Health, ServerReflection])
  return (request, response) => {
    if (request.httpVersionMajor === 1) last.see(response as ServerResponse)
    // A reflection client may keep its stream open, so the server closes it after the last answer.
    else if ('stream' in response && request.url?.startsWith('/grpc.reflection.'))
      response.stream.once('wantTrailers', () => setImmediate(() => response.stream.close(constants.NGHTTP2_NO_ERROR)))
    const method = findMethod(request)
    if (method) boundBody(request, method, { decompresses: false })
    platformServices(request, response)
  }
}

/**
 * One TCP server in front of both, with its open sockets. The first bytes identify the protocol: an HTTP/2 client
 * begins with "PRI * …". They are put back, so that the chosen server reads them, too.
 */
function splitByProtocol(http1: Http1Server, http2: Http2Server) {
  const sockets = new Set<Socket>()
  const tcp = createTcp(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    const choose = () => {
      const first = socket.read() as Buffer | null
      if (first === null) {
        if (!socket.destroyed) socket.once('readable', choose)
        return
      }
      socket.unshift(first)
      const target = first.subarray(0, 3).toString('latin1') === 'PRI' ? http2 : http1
      target.emit('connection', socket)
    }
    choose()
  })
  return { tcp, sockets }
}
