import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { ReadyFrameSchema } from '../../../gen/platform/live/v1/connection_pb.ts'
import { NotFoundError, ServiceUnavailableError, toRpcError } from '../../../services/kernel/base/errors.ts'
import type { Origins } from '../../http/origins.ts'
import { requestIdFrom } from '../../http/request-id.ts'
import { requireHost } from '../../http/well-formed.ts'
import { messageBytes } from '../frames.ts'
import type { Hub } from '../hub.ts'
import { largestFrameBytes } from './commands.ts'
import type { Connection, Port } from './connection.ts'
import { dispatch } from './dispatch.ts'
import {
  bearerProtocol,
  checkOrigin,
  isHidden,
  offsetOf,
  pathOf,
  refuse,
  refuseForm,
  tokenOf,
  wantsSocket,
} from './handshake.ts'
import { admit, identify } from './identity.ts'
import { LiveSocket, openConnection } from './live-socket.ts'

export type UpgradeRules = {
  /** Foreign origins whose pages may open sockets. */
  origins: Origins
  /** Whether the URL may contain a token (true). */
  takesQueryTokens?: boolean
}

type Upgrades = {
  /** Answers every upgrade from now on, including those in progress, with a 503. */
  refuseAll(): void
  /** Leaves the servers' upgrades to other listeners. */
  detach(): void
}

type Listener = { server: Server; paths?: string[]; port: Port }
/** A server's ports by the path of their sockets. */
type Ports = Map<string, Port>

function portsByServer(listeners: Listener[]): Map<Server, Ports> {
  const serverPorts = new Map<Server, Ports>()
  for (const { server, paths = ['/ws', '/'], port } of listeners) {
    const ports = serverPorts.get(server) ?? new Map<string, Port>()
    for (const path of paths) ports.set(path, port)
    serverPorts.set(server, ports)
  }
  return serverPorts
}

/** Accepts the servers' upgrades as sockets of the port at their path. */
export function takeUpgrades(hub: Hub, listeners: Listener[], { origins, takesQueryTokens }: UpgradeRules): Upgrades {
  const { log } = hub
  let isClosing = false
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: LiveSocket,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: largestFrameBytes(hub.limits),
    maxFragments: 1_024,
    handleProtocols: offered => (offered.has(bearerProtocol) ? bearerProtocol : false),
  }).on('wsClientError', ({ message }, socket, request) => refuseForm(socket, message, request))

  async function openSocket(request: IncomingMessage, socket: Duplex, head: Buffer, ports: Ports): Promise<void> {
    if (isClosing) throw new ServiceUnavailableError()
    requireHost(request)
    const port = ports.get(pathOf(request))
    if (!port) throw new NotFoundError()
    checkOrigin(request, origins)
    const offset = offsetOf(request)
    const token = tokenOf(request, takesQueryTokens)
    // Only with a valid token, since no limit counts handshakes: others could pile up here.
    if (token !== undefined && hub.host.tokens.verify(token)) await hub.history.settled(offset)
    const { epoch } = hub
    const caller = token === undefined ? undefined : await identify(hub, token, () => !socket.destroyed)
    if (isClosing) throw new ServiceUnavailableError()
    sockets.handleUpgrade(request, socket, head, ws => {
      const connection = acceptConnection(hub, port, ws, socket as Socket, caller !== undefined)
      if (!connection) return
      connection.isHidden = isHidden(request)
      if (!caller) return
      const answer = admit(hub, connection, caller, offset)
      if (!answer) return
      if (offset !== undefined) hub.outgoing.add(connection, messageBytes(ReadyFrameSchema, answer))
      // Rights that changed during the handshake may have been looked up before.
      if (epoch !== hub.epoch) hub.recheck([caller.identity.personId])
    })
  }

  function refuseFor(thrown: unknown, request: IncomingMessage, socket: Duplex): void {
    const error = toRpcError(thrown)
    const requestId = requestIdFrom(request)
    if (error.info.status >= 500 && !isClosing) log.error({ requestId, err: error.cause ?? error }, 'handshake failed')
    refuse(socket, error, requestId)
  }

  const detachers = [...portsByServer(listeners)].map(([server, ports]) => {
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const onError = (error: Error) => log.debug({ err: error }, 'handshake aborted')
      socket.on('error', onError)
      openSocket(request, socket, head, ports).then(
        () => socket.off('error', onError),
        (thrown: unknown) => refuseFor(thrown, request, socket),
      )
    }
    server.on('upgrade', upgrade)
    // Clients that offer HTTP/2 with an Upgrade header get a normal answer (Node 24.9 and later).
    Object.assign(server, { shouldUpgradeCallback: wantsSocket })
    return () => server.off('upgrade', upgrade)
  })

  return {
    refuseAll() {
      isClosing = true
    },
    detach() {
      for (const off of detachers) off()
    },
  }
}

/**
 * A connection of an upgraded socket; undefined when there are too many, and this one is closed.
 * @param isAuthenticated whether its person is known, so that the limit of anonymous sockets doesn't apply
 */
function acceptConnection(
  hub: Hub,
  port: Port,
  ws: LiveSocket,
  socket: Socket,
  isAuthenticated: boolean,
): Connection | undefined {
  const connection = openConnection(hub, port, ws, socket)
  ws.on('message', onMessage)
  const { connections, authenticatedCount, limits } = hub
  const anonymousCount = connections.size - authenticatedCount - (isAuthenticated ? 1 : 0)
  if (connections.size <= limits.sockets && anonymousCount <= limits.anonymousSockets) return connection
  connection.close('overloaded')
  return undefined
}

/** One function for all sockets, since there are thousands of them. */
function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const { hub, connection } = this as LiveSocket
  if (hub && connection) dispatch(hub, connection, data as Buffer, isBinary)
}
