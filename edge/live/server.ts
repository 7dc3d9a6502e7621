import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { NotFoundError, ServiceUnavailableError, toPlatformError } from '../../services/kernel/errors.ts'
import { ReadyFrameSchema } from '../../gen/platform/live/v1/connection_pb.ts'
import type { Log } from '../../services/kernel/log.ts'
import { requestIdFrom } from '../rest/request-id.ts'
import { requireHost } from '../rest/well-formed.ts'
import { listen } from './bus.ts'
import { connectionOf, inspect, LiveSocket, openConnection } from './connection.ts'
import { receive } from './dispatch.ts'
import { messageBytes } from './frames.ts'
import {
  bearerProtocol,
  checkOrigin,
  isHidden,
  isSocketPath,
  offsetOf,
  refuse,
  refuseForm,
  tokenOf,
  wantsSocket,
} from './handshake.ts'
import { alone, createHub, createPort, type Hub, type LiveHost, type Port } from './hub.ts'
import { admit, identify } from './identity.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { measureLive } from './metrics.ts'
import { linkPresence } from './presence-link.ts'
import { watchRights } from './recheck.ts'

/** One HTTP server that also takes sockets, and the services whose frames it carries. */
export type LiveServer = { server: Server; services: string[] }

/** What is going on in the sockets of this process. */
export type LiveStats = {
  sockets: number
  members: number
  rooms: number
  /** Frames given to sockets since the start. */
  delivered: number
  /** Sockets that the server closed, by close code. */
  closed: Record<string, number>
}

export type Live = {
  /** Takes no more sockets and closes those it has with 1001. */
  close(): Promise<void>
  stats(): LiveStats
}

type LiveOptions = {
  servers: LiveServer[]
  host: LiveHost
  log: Log
  /** Foreign origins whose pages may open sockets; `*` lets all. */
  corsOrigins: string[]
  /** Whether a token may come in the address; true unless told. */
  takesQueryTokens?: boolean
  limits?: Partial<Limits>
}

/** Accepts sockets on `/ws` and `/` of the servers, and feeds their rooms from the bus. */
export function startLive({ servers, host, log, corsOrigins, takesQueryTokens, limits }: LiveOptions): Live {
  const all = { ...defaultLimits, ...limits }
  const ports = servers.map(({ services }) => createPort(services))
  const hub = createHub(host, log, all, ports)
  const rights = watchRights(hub)
  const bus = listen(hub)
  hub.presence = linkPresence(hub)
  const unmeasure = measureLive(hub, host.metrics.registry)
  let isClosing = false

  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: LiveSocket,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: all.frameBytes,
    maxFragments: 1_024,
    handleProtocols: offered => (offered.has(bearerProtocol) ? bearerProtocol : false),
  }).on('wsClientError', ({ message }, socket, request) => refuseForm(socket, message, request))

  const detach = servers.map(({ server }, index) => {
    const port = ports[index] as Port
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const onError = (error: Error) => log.debug({ err: error }, 'handshake broken off')
      socket.on('error', onError)
      open(request, socket, head, port).then(
        () => socket.off('error', onError),
        (thrown: unknown) => {
          const error = toPlatformError(thrown)
          const requestId = requestIdFrom(request)
          if (error.info.status >= 500 && !isClosing)
            log.error({ requestId, err: error.cause ?? error }, 'handshake failed')
          refuse(socket, error, requestId)
        },
      )
    }
    server.on('upgrade', upgrade)
    // Clients that offer HTTP/2 with an Upgrade header are answered as if they had not (Node 24.9 and later).
    Object.assign(server, { shouldUpgradeCallback: wantsSocket })
    return () => server.off('upgrade', upgrade)
  })

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer, port: Port): Promise<void> {
    if (isClosing) throw new ServiceUnavailableError()
    requireHost(request)
    if (!isSocketPath(request)) throw new NotFoundError()
    checkOrigin(request, corsOrigins)
    const offset = offsetOf(request)
    await hub.history.settled(offset)
    const { epoch } = hub
    const token = tokenOf(request, takesQueryTokens)
    const known = token === undefined ? undefined : await identify(hub, token)
    if (isClosing) throw new ServiceUnavailableError()
    sockets.handleUpgrade(request, socket, head, ws => {
      const connection = accept(hub, port, ws, socket as Socket, known !== undefined)
      if (!connection) return
      connection.hidden = isHidden(request)
      if (!known) return
      const answer = admit(hub, connection, known, offset)
      if (!answer) return
      if (offset !== undefined) hub.outgoing.add(connection, messageBytes(ReadyFrameSchema, answer))
      // Rights that changed during the handshake may have been asked for before they did.
      if (epoch !== hub.epoch) hub.recheck([known.identity.owner])
    })
  }

  const sweep = setInterval(() => {
    const now = Date.now()
    for (const connection of hub.connections) inspect(hub, connection, now)
    hub.history.expire()
  }, all.sweepMs)
  sweep.unref()

  return {
    async close() {
      if (isClosing) return
      isClosing = true
      bus.stop()
      rights.stop()
      unmeasure()
      hub.presence.stop()
      hub.presence = alone
      hub.outgoing.flushAll()
      clearInterval(sweep)
      await closeAll(hub)
      for (const off of detach) off()
    },
    stats: () => ({
      sockets: hub.connections.size,
      members: hub.owners.size,
      rooms: ports.reduce((sum, { rooms }) => sum + rooms.count, 0),
      delivered: hub.delivered,
      closed: Object.fromEntries(hub.closed),
    }),
  }
}

/** @param isKnown whether it has said who it is, so that the limit of those who have not is not for it */
function accept(hub: Hub, port: Port, ws: LiveSocket, socket: Socket, isKnown: boolean) {
  const connection = openConnection(hub, port, ws, socket)
  ws.on('message', said)
  const { connections, identified, limits } = hub
  const anonymous = connections.size - identified - (isKnown ? 1 : 0)
  if (connections.size <= limits.sockets && anonymous <= limits.anonymousSockets) return connection
  connection.close('overloaded')
  return undefined
}

function said(this: WebSocket, data: RawData, isBinary: boolean): void {
  const connection = connectionOf(this)
  if (connection) receive(connection.hub, connection, data as Buffer, isBinary)
}

/** Closes every socket with 1001 and waits until they are gone. */
async function closeAll(hub: Hub): Promise<void> {
  const open = [...hub.connections]
  const gone = open.map(({ socket }) => new Promise(resolve => socket.once('close', resolve)))
  for (const connection of open) connection.close('goingAway')
  await Promise.all(gone)
}
