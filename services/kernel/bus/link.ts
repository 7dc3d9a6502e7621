import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect, type JetStreamClient, type JetStreamManager, type NatsConnection } from 'nats'
import { failureLog } from '../process/failure-log.ts'
import { brokerConnection, brokerProblem } from './address.ts'

/** The bus's log; pino's loggers fit. */
export interface BusLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Runs a subscriber for one message, or a listener of the connection. */
export type Receive = (subject: string, handle: () => void) => void

/**
 * Runs every subscriber. An error would end the client's read loop, and with it all subscriptions of the process, so a
 * message that can't be read is logged and dropped [D510].
 */
export function receiver(log: BusLog | undefined): Receive {
  const drop = failureLog((fields, message) => log?.error(fields, message))
  return (subject, handle) => {
    try {
      handle()
    } catch (error) {
      drop(subject, { subject, err: error }, 'unreadable message dropped')
    }
  }
}

/** A connection whose streams exist. */
interface BrokerConnection {
  nc: NatsConnection
  js: JetStreamClient
  jsm: JetStreamManager
}

/** The connection over its whole life, through absence, loss and reconnects. */
export interface BrokerLink {
  /** The connection while it can be used. */
  current(): BrokerConnection | undefined
  /** The connection even while the streams are not created yet. */
  connection(): NatsConnection | undefined
  /** Why there is no connection. */
  problem(): string
  /** Resolves once there is a connection, or on close. */
  whenUp(): Promise<void>
  onUp(listener: () => void): () => void
  onDown(listener: () => void): () => void
  closed(): boolean
  close(): Promise<void>
}

interface LinkOptions {
  /** nats:// or tls://user:password@host:port, or several separated by commas. */
  url: string
  /** The process's name in the broker's monitoring. */
  name: string
  /** Prefix of reply subjects (`_INBOX`): a restricted account may subscribe to no other. */
  inbox?: string | undefined
  log: BusLog | undefined
  receive: Receive
  /** Called with every new connection, before it can be used. */
  onOpen(connection: NatsConnection): void
  /** Creates the streams; the link is up once it has succeeded. */
  prepare(jsm: JetStreamManager): Promise<void>
}

const apiTimeoutMs = 5_000

/**
 * Connects and reconnects for ever. A broker that is away isn't an error; an invalid address or certificate is.
 */
export function openLink(options: LinkOptions): BrokerLink {
  const target = connectionOptions(options)
  const listeners = { up: new Set<() => void>(), down: new Set<() => void>() }
  let connection: NatsConnection | undefined
  let link: BrokerConnection | undefined
  let problem = 'not connected yet'
  let generation = 0
  let isClosed = false

  const warn = failureLog((fields, message) => options.log?.warn(fields, message))
  const addListener = (kind: 'up' | 'down') => (listener: () => void) => {
    listeners[kind].add(listener)
    return () => void listeners[kind].delete(listener)
  }
  const notify = (kind: 'up' | 'down') => {
    for (const listener of [...listeners[kind]]) options.receive(`(connection ${kind})`, listener)
  }
  const logProblem = (error: unknown) => {
    const reason = brokerProblem(error, options.url)
    warn(reason, { reason }, 'message broker unavailable')
    problem = reason
  }
  const dropConnection = () => {
    generation++
    if (!link) return
    link = undefined
    notify('down')
  }
  /** A newer connect, or the loss of this one, cancels an older attempt. */
  const prepareConnection = async (nc: NatsConnection) => {
    const attempt = ++generation
    while (!isClosed && attempt === generation) {
      try {
        const jsm = await nc.jetstreamManager({ timeout: apiTimeoutMs })
        await options.prepare(jsm)
        if (isClosed || attempt !== generation) return
        link = { nc, jsm, js: nc.jetstream({ timeout: apiTimeoutMs }) }
        problem = ''
        options.log?.info({ server: nc.getServer() }, 'connected to the message broker')
        return notify('up')
      } catch (error) {
        logProblem(error)
        await sleep(500)
      }
    }
  }
  const watchStatus = async (nc: NatsConnection) => {
    const reportedSubjects = new Set<string>()
    for await (const { type, data, permissionContext } of nc.status()) {
      if (permissionContext) {
        const { operation, subject } = permissionContext
        if (!reportedSubjects.has(`${operation} ${subject}`))
          options.log?.error({ operation, subject }, 'no permission for a subject of the message broker')
        reportedSubjects.add(`${operation} ${subject}`)
      } else if (type === 'disconnect') {
        // Each failed try to reconnect also reports a disconnect.
        if (link) logProblem('disconnected')
        dropConnection()
      } else if (type === 'error') logProblem(data)
      else if (type === 'reconnect') void prepareConnection(nc)
    }
  }
  const connectForever = async () => {
    while (!isClosed) {
      try {
        connection = await connect(target)
      } catch (error) {
        logProblem(error)
        await sleep(200 + Math.random() * 200)
        continue
      }
      if (isClosed) return connection.close()
      options.onOpen(connection)
      void prepareConnection(connection)
      void watchStatus(connection)
      const closeError = await connection.closed()
      dropConnection()
      if (closeError) logProblem(closeError)
    }
  }
  void connectForever()

  return {
    current: () => link,
    connection: () => (connection?.isClosed() ? undefined : connection),
    problem: () => problem,
    closed: () => isClosed,
    onUp: addListener('up'),
    onDown: addListener('down'),
    whenUp: () =>
      new Promise(resolve => {
        if (link || isClosed) return resolve()
        const off = addListener('up')(() => (off(), resolve()))
      }),
    async close() {
      isClosed = true
      const draining = link?.nc.drain().catch(() => {})
      dropConnection()
      await Promise.race([draining, sleep(2_000, undefined, { ref: false })])
      await connection?.close()
      notify('up')
    },
  }
}

function connectionOptions({ url, name, inbox }: LinkOptions): ConnectionOptions {
  return {
    ...brokerConnection(url),
    ...(inbox === undefined ? {} : { inboxPrefix: inbox }),
    name,
    timeout: 3_000,
    // Doubles the rate of acknowledged publishes.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 200,
    // After three pings without an answer the client reconnects, as when the server's machine is cut off.
    pingInterval: 3_000,
    ignoreAuthErrorAbort: true,
  }
}
