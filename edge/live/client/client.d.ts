/** A frame of the server as it came. */
export interface Frame {
  event: string
  data: unknown
  /** The frame's place; the client keeps track of it by itself. */
  offset?: string
  /** True of a frame that was missed and comes late: worth showing, not worth a sound. */
  recovered?: true
}

/**
 * connecting: on the way. open: rooms are joined and caught up. waiting: the socket was lost and comes back by itself.
 * closed: it does not, because the code says so (1008, 4403) or `close` was called.
 */
export type State = 'connecting' | 'open' | 'waiting' | 'closed'

export interface Options {
  /** Where sockets are taken: wss://news.hotel.example/ws. */
  url: string
  /** The access token. @param fresh true when the last one was refused or is about to end: get a new one */
  token(fresh: boolean): string | Promise<string>
  /** Every frame that is no answer. */
  on?(event: string, data: unknown, frame: Frame): void
  /** What was missed in the rooms of a join is not known: read the state anew over REST. */
  gap?(event: string, data: unknown): void
  /** What becomes of the connection; with the close code and its reason when it was lost. */
  state?(state: State, code?: number, reason?: string): void
  /** Do not make the member appear online. */
  invisible?: boolean
  /** Time between signs of life, in ms (25,000). */
  pingMs?: number
  /** Time between fresh tokens, in ms (600,000). */
  refreshMs?: number
}

export interface Live {
  /** Hears an event. @returns a function that stops that */
  on(event: string, listener: (data: unknown, frame: Frame) => void): () => void
  /**
   * Joins rooms, now and after every interruption: join('joinPage', pageId), join('subscribeToTypes', {…}).
   * @param refused told when the server refuses, each time it is tried. With a `statusCode` of 500 or more nobody could
   *   answer, and it is tried again by itself
   * @returns a function that leaves them, unless another `join` of the same rooms still wants them
   */
  join(event: string, data: unknown, refused?: (error: Error) => void): () => void
  /** Sends a frame. Resolves with the data of its ack, rejects with the server's refusal or when there is no connection. */
  send(event: string, data?: unknown): Promise<Record<string, unknown>>
  /** Brings a fresh token over the open socket. */
  refresh(): Promise<Record<string, unknown>>
  /** Ends the connection for good. */
  close(): void
}

/**
 * Connects, and stays connected until `close`. What a function given to it throws is reported as the browser reports
 * errors of a listener (`reportError`), and keeps nothing from the other ones.
 */
export function connect(options: Options): Live
