import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { FrameAudience } from '../audience.ts'
import type { Identity } from '../people.ts'

/** The sockets of a listener, by room. */
export type Rooms = {
  in(room: string): ReadonlySet<Connection>
  /** The sockets of each non-empty room of an audience. */
  among(audience: FrameAudience): ReadonlySet<Connection>[]
  /** @param since place in the stream after which the socket gets every frame */
  join(room: string, connection: Connection, since: number): void
  leave(room: string, connection: Connection): void
  readonly count: number
}

/** One listener: the services whose frames it carries, and the rooms of its sockets. */
export type Port = { services: ReadonlySet<string>; rooms: Rooms }

/** Why the server closes a socket. What a client does for each: docs/guides/realtime.md. */
export const closeCodes = {
  goingAway: { code: 1001, reason: 'going away' },
  tooBig: { code: 1009, reason: 'message too big' },
  overloaded: { code: 1013, reason: 'try again later' },
  unauthorized: { code: 4401, reason: 'token refused' },
  forbidden: { code: 4403, reason: 'no member' },
  tooSlow: { code: 4408, reason: 'too slow' },
  tooMany: { code: 4429, reason: 'too many' },
} as const

export type CloseCause = keyof typeof closeCodes

/** A WebSocket that the server can close with one of its close codes. */
type ClosableSocket = Pick<WebSocket, 'readyState' | 'ping'> & { closeFor(cause: CloseCause): void }

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
  readonly automaticRooms = new Set<string>()
  /** Workspaces of the page rooms it is in. */
  pages: Map<string, string> | undefined = undefined
  /** Whether it must not make its owner appear online. */
  isHidden = false
  /** The answer to the last client frame: frames are answered one after another. */
  lastAnswer: Promise<void> = resolvedPromise
  waitingFrames = 0
  /** Start of the current second, and the client frames and bytes since then. */
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
  readonly #ws: ClosableSocket

  constructor(port: Port, ws: ClosableSocket, socket: Socket) {
    const now = Date.now()
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
    if (this.isOpen()) this.#ws.closeFor(cause)
  }
}

const resolvedPromise = Promise.resolve()

let lastMoment = 0

/** A time in ms, unique in this process, so that of two sockets the newer one is always known. */
const nextMoment = (now: number): number => (lastMoment = Math.max(now, lastMoment + 0.001))
