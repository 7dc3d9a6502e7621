import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually } from '../kit.ts'
import type { Client, RoomFrame } from './live.ts'

/** The numbers of the test's frames (`n`), as received. */
export const numbers = (frames: RoomFrame[]): unknown[] =>
  frames.filter(({ event }) => event === 'n').map(({ data }) => data['n'])

/** Joins, optionally with an offset, and returns the ack's data. The frame's id identifies the ack. */
export async function join(client: Client, event: string, data: unknown, offset?: string): Promise<RoomFrame['data']> {
  const id = newId()
  client.send({ event, data, id, ...(offset === undefined ? {} : { offset }) })
  const { event: name, data: ack } = await eventually(() => client.frames.find(frame => frame.id === id))
  assert.is(name, 'ack', JSON.stringify(ack))
  return ack
}

/** Waits until a client has received a number, and returns its offset. */
export const offsetOf = async ({ frames }: Client, n: number): Promise<string> =>
  (await eventually(() => frames.find(({ event, data }) => event === 'n' && data['n'] === n))).offset ?? ''

/** Closes a client and waits until it is gone. */
export async function disconnect(client: Client): Promise<void> {
  client.ws.close()
  await client.closed()
}
