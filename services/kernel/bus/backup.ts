import type { JetStreamManager, NatsConnection } from 'nats'
import { connectBroker } from './inspect.ts'
import { decodeHeaders, encodeHeaders } from './pull.ts'
import { apiCode, noMessage, noStream } from './streams.ts'

/** A message in a backup. */
export type BackupMessage = { subject: string; headers: Record<string, string>; data: string }

async function withBroker<T>(url: string, work: (nc: NatsConnection, jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connectBroker(url, 3_000)
  try {
    return await work(nc, await nc.jetstreamManager({ timeout: 5_000 }))
  } finally {
    await nc.close()
  }
}

/** The number of messages in a stream; 0 if it doesn't exist. */
export const countMessages = (url: string, stream: string): Promise<number> =>
  withBroker(url, async (_, jsm) => (await stateOf(jsm, stream))?.messages ?? 0)

async function stateOf(jsm: JetStreamManager, stream: string) {
  try {
    return (await jsm.streams.info(stream)).state
  } catch (error) {
    if (apiCode(error) === noStream) return undefined
    throw error
  }
}

/**
 * Reads the messages of a stream that a backup needs: with `pending`, those that some durable consumer has not
 * settled yet; else all.
 */
export async function backUpMessages(
  url: string,
  stream: string,
  pending: boolean,
  keep: (message: BackupMessage) => Promise<void>,
): Promise<number> {
  return withBroker(url, async (_, jsm) => {
    const state = await stateOf(jsm, stream)
    if (!state) return 0
    // An empty stream reports 0.
    let first = Math.max(state.first_seq, 1)
    if (pending) {
      const floors: number[] = []
      for await (const { config, ack_floor } of jsm.consumers.list(stream))
        if (config.durable_name) floors.push(ack_floor.stream_seq)
      if (floors.length > 0) first = Math.max(first, Math.min(...floors) + 1)
    }
    let count = 0
    for (let seq = first; seq <= state.last_seq; seq++) {
      const message = await jsm.streams.getMessage(stream, { seq }).catch((error: unknown) => {
        // Deleted from the middle, such as a discarded dead letter.
        if (apiCode(error) === noMessage) return undefined
        throw error
      })
      if (!message) continue
      const data = Buffer.from(message.data).toString('base64')
      await keep({ subject: message.subject, headers: decodeHeaders(message.header), data })
      count++
    }
    return count
  })
}

/** Deletes streams with their consumers and messages. */
export const deleteStreams = (url: string, streams: string[]): Promise<void> =>
  withBroker(url, async (_, jsm) => {
    for (const stream of streams) if (await stateOf(jsm, stream)) await jsm.streams.delete(stream)
  })

/** Stores backed-up messages in order, each under its original id. The streams must exist. */
export const restoreMessages = (url: string, messages: AsyncIterable<BackupMessage>): Promise<number> =>
  withBroker(url, async nc => {
    const js = nc.jetstream({ timeout: 5_000 })
    let count = 0
    for await (const { subject, headers, data } of messages) {
      await js.publish(subject, Buffer.from(data, 'base64'), { headers: encodeHeaders(headers) })
      count++
    }
    return count
  })
