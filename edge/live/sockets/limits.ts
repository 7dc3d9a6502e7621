/** What one process lets sockets do. Times in milliseconds, sizes in bytes. */
export type Limits = {
  /** Largest client frame. */
  frameBytes: number
  /** The same before a socket has said who it is. */
  firstFrameBytes: number
  /** A socket that came without a credential has this long to send an `auth` frame. */
  authMs: number
  /** Time between pings; a client silent for twice as long is cut. */
  pingMs: number
  /** Bytes that may wait for a slow client, and for how long. */
  bufferedBytes: number
  bufferedMs: number
  /** Client frames in one second. */
  framesPerSecond: number
  /** Sockets of one member, over all ports and processes. */
  socketsPerMember: number
  roomsPerSocket: number
  /** Sockets of the process, and those of them that have not said who they are. */
  sockets: number
  anonymousSockets: number
  /** What is kept of rooms for clients that come back: for how long, frames of each room, bytes of all. */
  historyMs: number
  historyFrames: number
  historyBytes: number
  /** How long a join waits for what is known elsewhere already. */
  settleMs: number
  /** How often an edge process says that it lives, when the others give it up, how long a member may be away unseen. */
  presenceBeatMs: number
  presenceLostMs: number
  presenceGraceMs: number
  /** How often sockets are looked over. */
  sweepMs: number
  /** How long a client has to answer the server's close. */
  closeMs: number
}

export const defaultLimits: Limits = {
  frameBytes: 64 * 1024,
  firstFrameBytes: 4 * 1024,
  authMs: 5_000,
  pingMs: 25_000,
  bufferedBytes: 1024 * 1024,
  bufferedMs: 5_000,
  framesPerSecond: 100,
  socketsPerMember: 10,
  roomsPerSocket: 1_000,
  sockets: 20_000,
  anonymousSockets: 1_000,
  historyMs: 300_000,
  historyFrames: 1_000,
  historyBytes: 64 * 1024 * 1024,
  settleMs: 2_000,
  presenceBeatMs: 2_000,
  presenceLostMs: 7_000,
  presenceGraceMs: 3_000,
  sweepMs: 1_000,
  closeMs: 2_000,
}
