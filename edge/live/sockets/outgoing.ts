import type { Connection } from './connection.ts'
import type { Limits } from './limits.ts'

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
export function createOutgoing({ bufferedBytes }: Pick<Limits, 'bufferedBytes'>): Outgoing {
  /** Frames of this tick that are in no queue yet, in order. */
  let fresh: { connections: readonly Connection[]; frame: Buffer }[] = []
  let waiting: Connection[] = []
  let scheduled = false
  let dropped = 0
  // Sockets of one room get the same frames in a row, so the bytes joined for one serve the next.
  let last: { frames: Buffer[]; joined: Buffer } = { frames: [], joined: Buffer.alloc(0) }

  const join = (frames: Buffer[]): Buffer => {
    const [first] = frames
    if (first && frames.length === 1) return first
    const same = frames.length === last.frames.length && frames.every((frame, index) => frame === last.frames[index])
    if (!same) last = { frames, joined: Buffer.concat(frames) }
    return last.joined
  }

  const write = (connection: Connection, bytes: Buffer, frames: number): void => {
    if (!connection.isLive) return
    if (connection.waitingBytes() + bytes.length <= bufferedBytes) return connection.write(bytes)
    dropped += frames
    connection.close('tooSlow')
  }

  const spread = (): void => {
    const now = fresh
    fresh = []
    for (const { connections, frame } of now)
      for (const connection of connections) {
        if (connection.queue) {
          connection.queue.push(frame)
        } else {
          connection.queue = [frame]
          waiting.push(connection)
        }
      }
  }

  const flush = (connection: Connection): void => {
    spread()
    const frames = connection.queue
    connection.queue = undefined
    if (frames) write(connection, join(frames), frames.length)
  }

  const flushAll = (): void => {
    scheduled = false
    const [only] = fresh
    if (only && fresh.length === 1 && waiting.length === 0) {
      fresh = []
      for (const connection of only.connections) write(connection, only.frame, 1)
      return
    }
    spread()
    const now = waiting
    waiting = []
    for (const connection of now) flush(connection)
    last = { frames: [], joined: Buffer.alloc(0) }
  }

  const addAll = (connections: readonly Connection[], frame: Buffer): void => {
    fresh.push({ connections, frame })
    if (scheduled) return
    scheduled = true
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
