import type { Connection } from './connection.ts'
import type { Limits } from './limits.ts'

/** Frames on their way out: those of one tick leave in one write per socket. */
export type Outgoing = {
  add(connection: Connection, frame: Buffer): void
  /** Writes what waits for one socket now. */
  flush(connection: Connection): void
  flushAll(): void
  /** Frames that were thrown away because their client took none. */
  dropped(): number
}

/**
 * The system call per socket is what a frame costs, so a burst is joined before it is written
 * (research: four frames in one write are four times as fast as four writes).
 */
export function createOutgoing({ bufferedBytes }: Pick<Limits, 'bufferedBytes'>): Outgoing {
  let waiting: Connection[] = []
  let scheduled = false
  let dropped = 0
  // Sockets of one room get the same frames in a row: what was joined for one serves the next.
  let last: { frames: Buffer[]; joined: Buffer } = { frames: [], joined: Buffer.alloc(0) }

  const join = (frames: Buffer[]): Buffer => {
    const [first] = frames
    if (first && frames.length === 1) return first
    const same = frames.length === last.frames.length && frames.every((frame, index) => frame === last.frames[index])
    if (!same) last = { frames, joined: Buffer.concat(frames) }
    return last.joined
  }

  const flush = (connection: Connection): void => {
    const frames = connection.queue
    if (frames.length === 0) return
    connection.queue = []
    if (!connection.isOpen()) return
    const { socket } = connection
    const bytes = join(frames)
    if (socket.writableLength + bytes.length <= bufferedBytes) return void socket.write(bytes)
    dropped += frames.length
    connection.close('tooSlow')
  }

  const flushAll = (): void => {
    scheduled = false
    const now = waiting
    waiting = []
    for (const connection of now) flush(connection)
    last = { frames: [], joined: Buffer.alloc(0) }
  }

  return {
    add(connection, frame) {
      if (connection.queue.length === 0) waiting.push(connection)
      connection.queue.push(frame)
      if (scheduled) return
      scheduled = true
      setImmediate(flushAll)
    },
    flush,
    flushAll,
    dropped: () => dropped,
  }
}
