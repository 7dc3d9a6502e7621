import { setImmediate } from 'node:timers/promises'
import { AckPolicy, connect, DeliverPolicy, type JetStreamManager, millis, type NatsConnection, nanos } from 'nats'
import { brokerConnection, brokerProblem } from './address.ts'
import { apiCode, noStream } from './streams.ts'

/** Settings of a stream. */
export type StreamState = {
  name: string
  isPresent: boolean
  subjects: string[]
  isOnDisk: boolean
  /** Oldest message kept, in days; 0 for no limit. */
  days: number
  /** Duplicate window for message ids, in seconds. */
  duplicateSeconds: number
  replicas: number
  messages: number
}

/** The state of the broker. */
type BusState = {
  version: string
  hasJetStream: boolean
  streams: StreamState[]
  clockAheadMs: number | undefined
}

const missingStream = {
  isPresent: false,
  subjects: [],
  isOnDisk: false,
  days: 0,
  duplicateSeconds: 0,
  replicas: 0,
  messages: 0,
}

/** Connects, inspects and disconnects. Throws when the broker is unreachable. */
export async function inspectBus(url: string, stream: string): Promise<BusState> {
  const nc = await connectBroker(url)
  try {
    const version = nc.info?.version ?? ''
    if (!nc.info?.jetstream) return { version, hasJetStream: false, streams: [], clockAheadMs: undefined }
    const inspections = []
    for (const suffix of ['', '_dead', '_live']) inspections.push(await streamOf(nc, stream + suffix))
    const clocks = inspections.flatMap(({ clockAheadMs }) => clockAheadMs ?? [])
    return { version, hasJetStream: true, streams: inspections.map(({ state }) => state), clockAheadMs: clocks[0] }
  } finally {
    await nc.close()
  }
}

async function streamOf(nc: NatsConnection, name: string): Promise<{ state: StreamState; clockAheadMs?: number }> {
  const jsm = await nc.jetstreamManager({ timeout: 3_000 })
  try {
    const { config, state } = await jsm.streams.info(name)
    return {
      state: {
        name,
        isPresent: true,
        subjects: config.subjects,
        isOnDisk: config.storage === 'file',
        days: millis(config.max_age) / 86_400_000,
        duplicateSeconds: millis(config.duplicate_window) / 1_000,
        replicas: config.num_replicas,
        messages: state.messages,
      },
      clockAheadMs: await measureClockAhead(jsm, name),
    }
  } catch (error) {
    if (apiCode(error) !== noStream) throw error
    return { state: { name, ...missingStream } }
  }
}

/** How far the broker's clock is ahead, in ms, by the creation time of a short-lived consumer. */
async function measureClockAhead(jsm: JetStreamManager, stream: string): Promise<number> {
  const startedAt = Date.now()
  const consumer = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    mem_storage: true,
    inactive_threshold: nanos(5_000),
  })
  const now = (startedAt + Date.now()) / 2
  await jsm.consumers.delete(stream, consumer.name)
  return Date.parse(consumer.created) - now
}

/** Whether a broker that answers has turned its storage off. */
export async function isStorageOff(url: string): Promise<boolean> {
  const nc = await connectBroker(url, 2_000).catch(() => undefined)
  const isOff = nc !== undefined && !nc.info?.jetstream
  await nc?.close()
  return isOff
}

/** A connection for one inspection or task: it doesn't reconnect. */
export async function connectBroker(url: string, timeout = 10_000): Promise<NatsConnection> {
  const target = brokerConnection(url)
  try {
    return await connect({ ...target, timeout, reconnect: false })
  } catch (error) {
    throw new Error(brokerProblem(error, url), { cause: error })
  }
}

/**
 * The subjects that the broker refuses an account. Each is tried with a message that nobody receives: its reply subject
 * is the broker's own, for which the broker refuses it after it has checked the subject.
 * @param subjects subjects, wildcards allowed
 */
export async function refusedSubjects(url: string, subjects: { publish: string[]; subscribe: string[] }) {
  const nc = await connectBroker(url)
  const refusals = new Set<string>()
  const listen = async () => {
    for await (const { permissionContext } of nc.status())
      if (permissionContext) refusals.add(`${permissionContext.operation} ${permissionContext.subject}`)
  }
  void listen()
  for (const subject of subjects.publish) nc.publish(exampleSubject(subject), '', { reply: '_R_.refused' })
  for (const subject of subjects.subscribe) nc.subscribe(subject, { callback: () => undefined })
  // Refusals arrive before the answer to `flush`, and their events fire in the turn after it.
  await nc.flush()
  await setImmediate()
  await nc.close()
  return {
    publish: subjects.publish.filter(subject => refusals.has(`publish ${exampleSubject(subject)}`)),
    subscribe: subjects.subscribe.filter(subject => refusals.has(`subscription ${subject}`)),
  }
}

/** A subject that matches a pattern. */
const exampleSubject = (pattern: string): string => pattern.replace(/(?<=^|\.)[*>](?=\.|$)/g, 'nobody')
