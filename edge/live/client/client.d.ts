/** A frame from the server, unchanged. */
export interface LiveFrame {
  event: string
  data: unknown
  /** The frame's position; the client tracks it by itself. */
  offset?: string
  /** Set on a missed frame that arrives late: worth showing, without a sound. */
  recovered?: true
}

/**
 * connecting: in progress. open: rooms are joined and caught up. waiting: the socket is lost and reconnects by itself.
 * closed: it doesn't reconnect, because of the close code (1008, 4403) or a call of `close`.
 */
export type LiveState = 'connecting' | 'open' | 'waiting' | 'closed'

export interface Options {
  /** Address of the sockets: wss://news.hotel.example/ws. */
  url: string
  /**
   * Returns the access token; undefined when there is none: it then tries again later.
   * @param mustRenew true when the last one was refused or expires soon: get a new one
   */
  token(mustRenew: boolean): string | undefined | Promise<string | undefined>
  /** Called for every frame that isn't an answer. */
  on?(event: string, data: unknown, frame: LiveFrame): void
  /**
   * Called when frames of a joined room may be missed: after an interruption, they can't be recovered; or the room was
   * joined later than asked for. Reload the state over REST.
   */
  gap?(event: string, data: unknown): void
  /** Called on every change of state; with the close code and its reason when the connection was lost. */
  state?(state: LiveState, code?: number, reason?: string): void
  /** The member doesn't appear online. */
  invisible?: boolean
  /** Time between pings, in ms (25,000). */
  pingMs?: number
  /** Time between token refreshes, in ms (600,000). */
  refreshMs?: number
}

export interface Live {
  /**
   * Listens to an event.
   * @returns a function that removes the listener
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the listener names the type of its data
  on<Data = any>(event: string, listener: (data: Data, frame: LiveFrame) => void): () => void
  /**
   * Joins rooms, now and after every reconnect: join('joinPage', pageId), join('subscribeToTypes', {…}).
   * @param refused called each time the server refuses, also only some of the rooms, which `refused` of the error
   * names. A `statusCode` of 500 or more means that the server couldn't decide; the join is then retried automatically
   * @returns a function that leaves the rooms, unless another `join` still needs them
   */
  join(event: string, data: unknown, refused?: (error: Error) => void): () => void
  /**
   * Sends a frame. Resolves with the data of its ack; rejects with the server's refusal, or when there is no
   * connection.
   */
  send(event: string, data?: unknown): Promise<Record<string, unknown>>
  /** Sends a fresh token over the open socket. */
  refresh(): Promise<Record<string, unknown>>
  /** Closes the connection permanently. */
  close(): void
}

/**
 * Connects, and stays connected until `close`. Errors thrown by callbacks are reported like those of event listeners
 * (`reportError`), and don't affect other callbacks.
 */
export function connect(options: Options): Live
