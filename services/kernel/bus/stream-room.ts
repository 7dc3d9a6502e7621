import type { ConsumerInfo, JetStreamManager } from 'nats'

/**
 * Share of a stream that stays free: several relays measure at the same moment, and messages are larger than bodies.
 */
const reserve = 0.1
/** A consumer that has been idle this long no longer holds up the relay. */
const abandonedMs = 3_600_000

/**
 * How many bytes a stream accepts before it drops messages that an active consumer (polled within the last hour) has
 * still to read. Zero or less when the stream is full of those.
 */
export async function roomIn(jsm: JetStreamManager, stream: string): Promise<number> {
  const { config, state } = await jsm.streams.info(stream)
  if (config.max_bytes <= 0) return Infinity
  const free = config.max_bytes * (1 - reserve) - state.bytes
  if (free > config.max_bytes * reserve) return free
  let floor = state.last_seq
  for await (const consumer of jsm.consumers.list(stream))
    if (isWaitedFor(consumer)) floor = Math.min(floor, consumer.ack_floor.stream_seq)
  const read = Math.max(0, floor - state.first_seq + 1) / Math.max(1, state.last_seq - state.first_seq + 1)
  return free + read * state.bytes
}

function isWaitedFor({ config, num_pending, num_ack_pending, num_waiting, delivered, created }: ConsumerInfo): boolean {
  if (!config.durable_name || num_pending + num_ack_pending === 0) return false
  // The server sends a text, unlike the client's types; none before the first delivery.
  const last = Date.parse(String(delivered.last_active ?? created))
  return num_waiting > 0 || !(Date.now() - last > abandonedMs)
}
