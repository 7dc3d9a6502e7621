import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { type CloseCause, closeCodes } from './close-codes.ts'
import type { Hub, Port } from './hub.ts'
import type { Identity } from './identity.ts'

/** One socket. */
export type Connection = {
  readonly port: Port
  readonly socket: Socket
  /** Who it is; undefined until a socket without a credential sent its `auth` frame. */
  identity: Identity | undefined
  /** Its rooms, each with the place in the stream from which on it has got everything. */
  readonly rooms: Map<string, number>
  /** Rooms that it was put into unasked: those it left are not joined again. */
  readonly given: Set<string>
  /** Workspaces of the page rooms it is in. */
  readonly pages: Map<string, string>
  /** Does not make its owner appear online. */
  hidden: boolean
  /** Frames that wait for the end of the tick. */
  queue: Buffer[]
  /** Answers client frames one after another. */
  busy: Promise<void>
  waiting: number
  /** Client frames of the running second. */
  second: { from: number; count: number }
  readonly openedAt: number
  heardAt: number
  pingedAt: number
  /** Bytes that had been handed to the system's care at a time; see `isStuck`. */
  mark: { bytes: number; at: number }
  readonly isOpen: () => boolean
  readonly ping: () => void
  readonly close: (cause: CloseCause) => void
}

let last = 0

/** A time in ms that no other socket of this process has: which of two is the newer one is always told. */
const nextMoment = (now: number): number => (last = Math.max(now, last + 0.001))

/** Makes a connection of an accepted WebSocket and counts it in. */
export function openConnection(hub: Hub, port: Port, ws: WebSocket, socket: Socket): Connection {
  const now = Date.now()
  const connection: Connection = {
    port,
    socket,
    identity: undefined,
    rooms: new Map(),
    given: new Set(),
    pages: new Map(),
    hidden: false,
    queue: [],
    busy: Promise.resolve(),
    waiting: 0,
    second: { from: now, count: 0 },
    openedAt: nextMoment(now),
    heardAt: now,
    pingedAt: now,
    mark: { bytes: 0, at: now },
    isOpen: () => ws.readyState === WebSocket.OPEN,
    ping: () => ws.ping(),
    close(cause) {
      if (ws.readyState !== WebSocket.OPEN) return
      hub.outgoing.flush(connection)
      if (ws.readyState !== WebSocket.OPEN) return
      const { code, reason } = closeCodes[cause]
      hub.closed.set(code, (hub.closed.get(code) ?? 0) + 1)
      forget(hub, connection)
      ws.close(code, reason)
      // A client that does not read does not read the close frame either.
      setTimeout(() => ws.terminate(), hub.limits.closeMs).unref()
    },
  }
  const heard = () => {
    connection.heardAt = Date.now()
  }
  ws.on('pong', heard)
  ws.on('ping', heard)
  ws.on('close', () => forget(hub, connection))
  // ws closes by itself on a broken or too big frame; there is nothing else to do.
  ws.on('error', error => hub.log.debug({ err: error }, 'socket error'))
  hub.connections.add(connection)
  return connection
}

/** Takes the connection out of every room and count. */
function forget(hub: Hub, connection: Connection): void {
  if (!hub.connections.delete(connection)) return
  for (const room of connection.rooms.keys()) connection.port.rooms.leave(room, connection)
  connection.queue = []
  if (!connection.identity) return
  hub.identified--
  const { owner } = connection.identity
  const siblings = hub.owners.get(owner)
  siblings?.delete(connection)
  if (siblings?.size === 0) hub.owners.delete(owner)
  hub.presence.changed(owner)
}

/** Counts the frame in; false when there were too many in this second. */
export function isWithinRate(hub: Hub, connection: Connection, now: number): boolean {
  const { second } = connection
  if (now - second.from >= 1_000) connection.second = { from: now, count: 1 }
  else second.count++
  return connection.second.count <= hub.limits.framesPerSecond
}

/** Looks a socket over: closes it when its time is up, pings it when it is due. */
export function inspect(hub: Hub, connection: Connection, now: number): void {
  const { limits } = hub
  const { identity } = connection
  if (!identity && now - connection.openedAt > limits.authMs) return connection.close('unauthorized')
  if (identity && identity.claims.exp * 1_000 <= now) return connection.close('unauthorized')
  if (now - connection.heardAt > 2 * limits.pingMs || isStuck(connection, now, limits.bufferedMs))
    return connection.close('tooSlow')
  if (now - connection.pingedAt < limits.pingMs) return
  connection.pingedAt = now
  connection.ping()
}

/** True when bytes that were written longer than `ms` ago still wait for the client. */
function isStuck(connection: Connection, now: number, ms: number): boolean {
  const { bytesWritten, writableLength } = connection.socket
  if (bytesWritten - writableLength >= connection.mark.bytes) connection.mark = { bytes: bytesWritten, at: now }
  return writableLength > 0 && now - connection.mark.at > ms
}
