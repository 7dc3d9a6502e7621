import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Hub } from '../hub.ts'
import { type CloseCause, Connection, closeCodes, type Port } from './connection.ts'

/** An accepted WebSocket that knows its connection, so that all sockets share their listeners. */
export class LiveSocket extends WebSocket {
  hub: Hub | undefined = undefined
  connection: Connection | undefined = undefined

  /** Called by the server, and by ws itself when the client closes. */
  override close(code?: number, reason?: string | Buffer): void {
    if (this.connection) this.connection.isLive = false
    super.close(code, reason)
  }

  /** Writes the pending frames, removes the connection, and closes with the code of a cause. */
  closeFor(cause: CloseCause): void {
    const { hub, connection } = this
    if (!hub || !connection) return
    hub.outgoing.flush(connection)
    if (!connection.isOpen()) return
    const { code, reason } = closeCodes[cause]
    const { closedByCode, limits } = hub
    closedByCode.set(code, (closedByCode.get(code) ?? 0) + 1)
    removeConnection(hub, connection)
    this.close(code, reason)
    // A client that doesn't read won't answer the close frame.
    setTimeout(() => this.terminate(), limits.closeMs).unref()
  }
}

/** Creates and registers the connection of an accepted WebSocket. */
export function openConnection(hub: Hub, port: Port, ws: LiveSocket, socket: Socket): Connection {
  const connection = new Connection(port, ws, socket)
  ws.hub = hub
  ws.connection = connection
  ws.on('pong', onPing)
  ws.on('ping', onPing)
  ws.on('close', onClose)
  ws.on('error', onError)
  hub.connections.add(connection)
  return connection
}

// One function each for all sockets, since there are thousands of them.

function onPing(this: WebSocket, data: Buffer): void {
  const { hub, connection } = this as LiveSocket
  if (hub && connection?.isOpen() && !isWithinRate(hub, connection, data.length)) connection.close('tooMany')
}

function onClose(this: WebSocket): void {
  const { hub, connection } = this as LiveSocket
  if (hub && connection) removeConnection(hub, connection)
}

/** ws closes the socket itself after a broken or too large frame. */
function onError(this: WebSocket, error: Error): void {
  ;(this as LiveSocket).hub?.log.debug({ err: error }, 'socket error')
}

/** Removes the connection from every room and count. */
function removeConnection(hub: Hub, connection: Connection): void {
  if (!hub.connections.delete(connection)) return
  connection.isLive = false
  for (const room of connection.rooms.keys()) connection.port.rooms.leave(room, connection)
  connection.queue = undefined
  if (!connection.identity) return
  hub.authenticatedCount--
  const { personId } = connection.identity
  const siblings = hub.socketsByPerson.get(personId)
  siblings?.delete(connection)
  if (siblings?.size === 0) hub.socketsByPerson.delete(personId)
  hub.presence.personChanged(personId)
}

/** Counts a received frame; false when this second had too many frames or bytes. */
export function isWithinRate({ limits }: Hub, connection: Connection, bytes: number): boolean {
  const now = Date.now()
  const { framesPerSecond, bytesPerSecond } = limits
  connection.receivedAt = now
  if (now - connection.secondFrom >= 1_000) {
    connection.secondFrom = now
    connection.secondFrames = 0
    connection.secondBytes = 0
  }
  connection.secondBytes += bytes
  return ++connection.secondFrames <= framesPerSecond && connection.secondBytes <= bytesPerSecond
}

/** Checks a socket: closes it when it is silent, expired or stuck, and pings it when due. */
export function checkLiveness(hub: Hub, connection: Connection, now: number): void {
  const { limits } = hub
  const { identity } = connection
  // A client whose token is being checked is not late: it may be one of thousands that return at once.
  const isSilent = !identity && connection.waitingFrames === 0
  if (isSilent && now - connection.openedAt > limits.authMs) return connection.close('unauthorized')
  if (identity && identity.claims.exp * 1_000 <= now) return connection.close('unauthorized')
  if (now - connection.receivedAt > 2 * limits.pingMs || isStuck(connection, now, limits.bufferedMs))
    return connection.close('tooSlow')
  if (now - connection.pingedAt < limits.pingMs) return
  connection.pingedAt = now
  connection.ping()
}

/** Whether bytes written longer than `ms` ago still wait for the client. */
function isStuck(connection: Connection, now: number, ms: number): boolean {
  const { bytesWritten } = connection.socket
  const waitingBytes = connection.waitingBytes()
  if (bytesWritten - waitingBytes >= connection.markBytes) {
    connection.markBytes = bytesWritten
    connection.markAt = now
  }
  return waitingBytes > 0 && now - connection.markAt > ms
}
