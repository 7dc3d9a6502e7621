import type { Connection } from './connection.ts'
import type { SocketLimits } from './limits.ts'

/** Outgoing frames: those of one tick leave in one write per socket. */
export type Outgoing = {
  add(connection: Connection, frame: Buffer): void
  /** The same frame for many sockets; the list is kept until the end of the tick. */
  addAll(connections: readonly Connection[], frame: Buffer): void
  /** Writes the pending frames of one socket now. */
  flush(connection: Connection): void
  flushAll(): void
  /** Frames discarded because their client reads none. */
  dropped(): number
}

/** The system call per socket is the cost of a frame, so the frames of a tick are joined before they are written. */
export function createOutgoing({ bufferedBytes }: Pick<SocketLimits, 'bufferedBytes'>): Outgoing {
  /** Frames of this tick that are in no queue yet, in order. */
  let unqueuedFrames: { connections: readonly Connection[]; frame: Buffer }[] = []
  let waitingConnections: Connection[] = []
  let isScheduled = false
  let dropped = 0
  // Sockets of one room get the same frames in a row, so the bytes joined for one serve the next.
  let lastJoin: { frames: Buffer[]; joined: Buffer } = { frames: [], joined: Buffer.alloc(0) }

  const joinFrames = (frames: Buffer[]): Buffer => {
    const [first] = frames
    if (first && frames.length === 1) return first
    const isSame =
      frames.length === lastJoin.frames.length && frames.every((frame, index) => frame === lastJoin.frames[index])
    if (!isSame) lastJoin = { frames, joined: Buffer.concat(frames) }
    return lastJoin.joined
  }

  const writeBytes = (connection: Connection, bytes: Buffer, frames: number): void => {
    if (!connection.isLive) return
    if (connection.waitingBytes() + bytes.length <= bufferedBytes) return connection.write(bytes)
    dropped += frames
    connection.close('tooSlow')
  }

  const enqueueFrames = (): void => {
    const tickFrames = unqueuedFrames
    unqueuedFrames = []
    for (const { connections, frame } of tickFrames)
      for (const connection of connections) {
        if (connection.queue) {
          connection.queue.push(frame)
        } else {
          connection.queue = [frame]
          waitingConnections.push(connection)
        }
      }
  }

  const flush = (connection: Connection): void => {
    enqueueFrames()
    const frames = connection.queue
    connection.queue = undefined
    if (frames) writeBytes(connection, joinFrames(frames), frames.length)
  }

  const flushAll = (): void => {
    isScheduled = false
    const [singleFrame] = unqueuedFrames
    if (singleFrame && unqueuedFrames.length === 1 && waitingConnections.length === 0) {
      unqueuedFrames = []
      for (const connection of singleFrame.connections) writeBytes(connection, singleFrame.frame, 1)
      return
    }
    enqueueFrames()
    const tickConnections = waitingConnections
    waitingConnections = []
    for (const connection of tickConnections) flush(connection)
    lastJoin = { frames: [], joined: Buffer.alloc(0) }
  }

  const addAll = (connections: readonly Connection[], frame: Buffer): void => {
    unqueuedFrames.push({ connections, frame })
    if (isScheduled) return
    isScheduled = true
    setImmediate(flushAll)
  }

  return {
    addAll,
    add: (connection, frame) => addAll([connection], frame),
    flush,
    flushAll,
    dropped: () => dropped,
  }
}
