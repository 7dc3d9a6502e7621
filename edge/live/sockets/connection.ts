import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Hub, Port } from '../hub.ts'
import { type CloseCause, closeCodes } from './close-codes.ts'
import type { Identity } from './identity.ts'

/** One socket. There are thousands, so what most don't need is created on demand. */
export class Connection {
  /** False once a close has begun: nothing is written any more. */
  isLive = true
  /** Frames that wait for the end of the tick. */
  queue: Buffer[] | undefined = undefined
  /** The authenticated person; undefined until a socket without a credential has sent its `auth` frame. */
  identity: Identity | undefined = undefined
  /** Its rooms, each with the place in the stream after which it has received everything. */
  readonly rooms = new Map<string, number>()
  /** Rooms joined automatically: one that the client left is not joined again. */
  readonly given = new Set<string>()
  /** Workspaces of the page rooms it is in. */
  pages: Map<string, string> | undefined = undefined
  /** Does not make its owner appear online. */
  hidden = false
  /** Answers client frames one after another. */
  busy: Promise<void> = idle
  waiting = 0
  /** Client frames since the current second began, and their bytes. */
  secondFrom: number
  secondFrames = 0
  secondBytes = 0
  readonly openedAt: number
  receivedAt: number
  pingedAt: number
  /** The socket's `bytesWritten` at `markAt`; see `isStuck`. */
  markBytes = 0
  markAt: number
  readonly port: Port
  readonly socket: Socket
  readonly hub: Hub
  readonly #ws: WebSocket

  constructor(hub: Hub, port: Port, ws: WebSocket, socket: Socket) {
    const now = Date.now()
    this.hub = hub
    this.port = port
    this.#ws = ws
    this.socket = socket
    this.openedAt = nextMoment(now)
    this.receivedAt = now
    this.pingedAt = now
    this.secondFrom = now
    this.markAt = now
  }

  isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  ping(): void {
    this.#ws.ping()
  }

  /** Writes whole frames, in order. */
  write(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** Bytes that the system has not accepted yet. */
  waitingBytes(): number {
    return this.socket.writableLength
  }

  close(cause: CloseCause): void {
    if (!this.isOpen()) return
    this.hub.outgoing.flush(this)
    if (!this.isOpen()) return
    const { code, reason } = closeCodes[cause]
    const { closed, limits } = this.hub
    closed.set(code, (closed.get(code) ?? 0) + 1)
    removeConnection(this.hub, this)
    this.#ws.close(code, reason)
    // A client that doesn't read doesn't read the close frame either.
    setTimeout(() => this.#ws.terminate(), limits.closeMs).unref()
  }
}

const idle = Promise.resolve()

let last = 0

/** A time in ms, unique in this process, so that of two sockets the newer one is always known. */
const nextMoment = (now: number): number => (last = Math.max(now, last + 0.001))

/** An accepted WebSocket that knows its connection, so that all sockets share their listeners. */
export class LiveSocket extends WebSocket {
  connection: Connection | undefined = undefined

  /** Called by the server, and by ws itself when the client closes. */
  override close(code?: number, reason?: string | Buffer): void {
    if (this.connection) this.connection.isLive = false
    super.close(code, reason)
  }
}

/** Creates and registers the connection of an accepted WebSocket. */
export function openConnection(hub: Hub, port: Port, ws: LiveSocket, socket: Socket): Connection {
  const connection = new Connection(hub, port, ws, socket)
  ws.connection = connection
  ws.on('pong', received)
  ws.on('ping', received)
  ws.on('close', closed)
  ws.on('error', failed)
  hub.connections.add(connection)
  return connection
}

function received(this: WebSocket, data: Buffer): void {
  const connection = connectionOf(this)
  if (connection?.isOpen() && !isWithinRate(connection, data.length)) connection.close('tooMany')
}

function closed(this: WebSocket): void {
  const connection = connectionOf(this)
  if (connection) removeConnection(connection.hub, connection)
}

/** ws closes the socket itself after a broken or too large frame. */
function failed(this: WebSocket, error: Error): void {
  connectionOf(this)?.hub.log.debug({ err: error }, 'socket error')
}

/** The connection of a WebSocket, for shared listeners. */
export const connectionOf = (ws: WebSocket): Connection | undefined =>
  ws instanceof LiveSocket ? ws.connection : undefined

/** Removes the connection from every room and count. */
function removeConnection(hub: Hub, connection: Connection): void {
  if (!hub.connections.delete(connection)) return
  connection.isLive = false
  for (const room of connection.rooms.keys()) connection.port.rooms.leave(room, connection)
  connection.queue = undefined
  if (!connection.identity) return
  hub.identified--
  const { owner } = connection.identity
  const siblings = hub.owners.get(owner)
  siblings?.delete(connection)
  if (siblings?.size === 0) hub.owners.delete(owner)
  hub.presence.changed(owner)
}

/** Counts a received frame; false when this second has brought too many, or too many bytes. */
export function isWithinRate(connection: Connection, bytes: number): boolean {
  const now = Date.now()
  const { framesPerSecond, bytesPerSecond } = connection.hub.limits
  connection.receivedAt = now
  if (now - connection.secondFrom >= 1_000) {
    connection.secondFrom = now
    connection.secondFrames = 0
    connection.secondBytes = 0
  }
  connection.secondBytes += bytes
  return ++connection.secondFrames <= framesPerSecond && connection.secondBytes <= bytesPerSecond
}

/** Checks a socket: closes it when its time is up, pings it when due. */
export function checkLiveness(hub: Hub, connection: Connection, now: number): void {
  const { limits } = hub
  const { identity } = connection
  // A client whose token is being checked is not late: it may be one of thousands that return at once.
  const isSilent = !identity && connection.waiting === 0
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
  const waiting = connection.waitingBytes()
  if (bytesWritten - waiting >= connection.markBytes) {
    connection.markBytes = bytesWritten
    connection.markAt = now
  }
  return waiting > 0 && now - connection.markAt > ms
}
