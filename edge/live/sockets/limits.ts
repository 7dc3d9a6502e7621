/** Limits of one process for sockets. Times in milliseconds, sizes in bytes. */
export type SocketLimits = {
  /** Largest client frame, unless its kind declares more. */
  frameBytes: number
  /** Time for a socket without a credential to send an `auth` frame. */
  authMs: number
  /** Time between pings; a client silent for twice as long is cut. */
  pingMs: number
  /** Bytes that may wait for a slow client, and for how long. */
  bufferedBytes: number
  bufferedMs: number
  /** Client frames in one second, pings and pongs included, and their bytes. */
  framesPerSecond: number
  bytesPerSecond: number
  /** Sockets of one member, over all ports and processes. */
  socketsPerMember: number
  roomsPerSocket: number
  /** Sockets of the process, and the unauthenticated ones among them. */
  sockets: number
  anonymousSockets: number
  /** The history for returning clients: age, frames per room (to few and to many rooms apart), bytes in total. */
  historyMs: number
  historyFrames: number
  historyBytes: number
  /** What one join recovers at most: it must leave room for frames meanwhile among the buffered bytes. */
  recoveryBytes: number
  /** How long a join waits for frames that other processes have already. */
  settleMs: number
  /**
   * Heartbeat interval of an edge process, the time after which the others drop it, and how long a member may be away
   * without leaving.
   */
  presenceBeatMs: number
  presenceLostMs: number
  presenceGraceMs: number
  /** Interval of the sockets' check. */
  sweepMs: number
  /** Time for a client to answer the server's close. */
  closeMs: number
}

/** Half may be unauthenticated, since all clients of a process that was killed authenticate at once. */
export const limitsFor = (sockets: number): Pick<SocketLimits, 'sockets' | 'anonymousSockets'> => ({
  sockets,
  anonymousSockets: Math.floor(sockets / 2),
})

export const defaultLimits: SocketLimits = {
  frameBytes: 4 * 1024,
  authMs: 5_000,
  pingMs: 25_000,
  bufferedBytes: 1024 * 1024,
  bufferedMs: 5_000,
  framesPerSecond: 100,
  bytesPerSecond: 64 * 1024,
  socketsPerMember: 10,
  roomsPerSocket: 1_000,
  ...limitsFor(20_000),
  historyMs: 300_000,
  historyFrames: 1_000,
  historyBytes: 64 * 1024 * 1024,
  recoveryBytes: 512 * 1024,
  settleMs: 2_000,
  presenceBeatMs: 2_000,
  presenceLostMs: 7_000,
  presenceGraceMs: 3_000,
  sweepMs: 1_000,
  closeMs: 2_000,
}
