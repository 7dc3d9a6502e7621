import {
  type ConsumerConfig,
  type ConsumerInfo,
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'
import type { BusLog } from './link.ts'

const dayMs = 24 * 3600 * 1000
const minuteMs = 60_000

/** Error numbers of JetStream, as `apiCode` returns them. */
export const noStream = 10_059
export const noMessage = 10_037
export const noSequence = 10_043
const noSpace = 10_047

/** A stream on disk that expires messages after `days`, or earlier above `maxBytes`. */
export function streamConfig(name: string, subjects: string[], days: number, maxBytes: number) {
  return {
    name,
    subjects,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(days * dayMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(120_000),
  } satisfies Partial<StreamConfig>
}

/** A short-lived stream. Its duplicate window is as long as its retention. */
export function shortLivedConfig(name: string, subjects: string[], maxBytes: number, minutes: number) {
  const age = nanos(minutes * minuteMs)
  return { ...streamConfig(name, subjects, 7, maxBytes), max_age: age, duplicate_window: age }
}

type StreamSettings = ReturnType<typeof streamConfig> & { num_replicas: number }

/**
 * Creates the stream if it is missing. An existing one only gains missing subjects and replicas: its limits are the
 * operator's. An account that may not change streams uses the stream as it is, with a warning in the log.
 */
export async function ensureStream(jsm: JetStreamManager, config: StreamSettings, log?: BusLog): Promise<void> {
  try {
    const { config: existing } = await jsm.streams.info(config.name)
    const subjects = [...new Set([...existing.subjects, ...config.subjects])]
    const num_replicas = Math.max(existing.num_replicas, config.num_replicas)
    if (subjects.length > existing.subjects.length || num_replicas > existing.num_replicas)
      await updateStream(jsm, config.name, { subjects, num_replicas }, log)
  } catch (error) {
    if (apiCode(error) !== noStream) throw error
    await addStream(jsm, config)
  }
}

async function updateStream(
  jsm: JetStreamManager,
  stream: string,
  to: Partial<StreamConfig>,
  log?: BusLog,
): Promise<void> {
  try {
    await jsm.streams.update(stream, to)
  } catch (error) {
    if (!(error instanceof NatsError && error.isPermissionError())) throw error
    log?.warn({ stream, ...to }, 'no permission to change the stream; the doctor command shows how an operator does it')
  }
}

async function addStream(jsm: JetStreamManager, config: Partial<StreamConfig>): Promise<void> {
  try {
    await jsm.streams.add(config)
  } catch (error) {
    if (apiCode(error) !== noSpace || config.max_bytes === -1) throw error
    // The server has too little disk for the limit: use the server's own.
    await addStream(jsm, { ...config, max_bytes: -1 })
  }
}

/** Creates the consumer, or updates an existing one to these settings. */
export async function ensureConsumer(
  jsm: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig>,
): Promise<ConsumerInfo> {
  if (config.durable_name === undefined) return jsm.consumers.add(stream, config)
  const existing = await jsm.consumers.info(stream, config.durable_name).catch((error: unknown) => {
    if (error instanceof NatsError && error.message === 'consumer not found') return undefined
    throw error
  })
  if (!existing) return jsm.consumers.add(stream, config)
  return jsm.consumers.update(stream, config.durable_name, config)
}

/** The number of a JetStream error, or 0 for any other error. */
export function apiCode(error: unknown): number {
  return error instanceof NatsError ? (error.api_error?.err_code ?? 0) : 0
}

/** Share of a stream that stays free: several relays may measure at once, and messages are larger than their bodies. */
const reservedShare = 0.1
/** The relay doesn't wait for consumers that have been idle this long. */
const abandonedMs = 3_600_000

/**
 * How many bytes a stream accepts before it drops messages that an active consumer (polled within the last hour) hasn't
 * read. Zero or less when the stream is full of such messages.
 */
export async function freeBytesIn(jsm: JetStreamManager, stream: string): Promise<number> {
  const { config, state } = await jsm.streams.info(stream)
  if (config.max_bytes <= 0) return Infinity
  const freeBytes = config.max_bytes * (1 - reservedShare) - state.bytes
  if (freeBytes > config.max_bytes * reservedShare) return freeBytes
  let readUpTo = state.last_seq
  for await (const consumer of jsm.consumers.list(stream))
    if (holdsUpRelay(consumer)) readUpTo = Math.min(readUpTo, consumer.ack_floor.stream_seq)
  const readShare = Math.max(0, readUpTo - state.first_seq + 1) / Math.max(1, state.last_seq - state.first_seq + 1)
  return freeBytes + readShare * state.bytes
}

function holdsUpRelay({
  config,
  num_pending,
  num_ack_pending,
  num_waiting,
  delivered,
  created,
}: ConsumerInfo): boolean {
  if (!config.durable_name || num_pending + num_ack_pending === 0) return false
  // The server sends a text, unlike the client's types; none before the first delivery.
  const lastActive = Date.parse(String(delivered.last_active ?? created))
  return num_waiting > 0 || !(Date.now() - lastActive > abandonedMs)
}
