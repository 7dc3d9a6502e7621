import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { frameBytes } from '../frames.ts'
import type { Connection } from './connection.ts'
import { createOutgoing } from './outgoing.ts'

const test = suite('outgoing frames')

/** Both ends of TCP connections, the part of a Connection that sending needs, and what was written at once. */
async function pairs(count: number) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const all: { client: Socket; socket: Socket; writes: Buffer[]; chunks: Buffer[]; connection: Connection }[] = []
  for (let index = 0; index < count; index++) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [socket] = (await once(server, 'connection')) as [Socket]
    const chunks: Buffer[] = []
    client.on('data', data => chunks.push(data))
    const writes: Buffer[] = []
    const write = socket.write.bind(socket)
    socket.write = ((data: Buffer) => {
      writes.push(data)
      return write(data)
    }) as typeof socket.write
    const connection = {
      isLive: true,
      waitingBytes: () => socket.writableLength,
      write: (bytes: Buffer) => socket.write(bytes),
      close: () => socket.destroy(),
    }
    all.push({ client, socket, writes, chunks, connection: connection as unknown as Connection })
  }
  const end = () => {
    for (const { client, socket } of all) [client, socket].forEach(one => one.destroy())
    server.close()
  }
  return { all, end }
}

test('ten frames of one tick are written once per socket, in order and with the same bytes', async () => {
  const { all, end } = await pairs(4)
  const outgoing = createOutgoing({ bufferedBytes: 1_000_000 })
  const frames = Array.from({ length: 10 }, (_, index) => frameBytes('settings:updated', { index }))
  for (const frame of frames) for (const { connection } of all) outgoing.add(connection, frame)
  const allBytes = Buffer.concat(frames)
  await eventually(() => all.every(({ chunks }) => Buffer.concat(chunks).equals(allBytes)))
  for (const { writes } of all) {
    assert.is(writes.length, 1)
    assert.ok(writes[0] === all[0]?.writes[0], 'one buffer for all')
  }
  end()
})

test('frames of another tick are written on arrival', async () => {
  const { all, end } = await pairs(1)
  const outgoing = createOutgoing({ bufferedBytes: 1_000_000 })
  const [only] = all
  for (const index of [0, 1]) {
    if (only) outgoing.add(only.connection, frameBytes('page.created', { index }))
    await eventually(() => only?.writes.length === index + 1)
  }
  end()
})

test('a frame is unmasked text with a length prefix', () => {
  const bytes = frameBytes('ack', { rooms: [] }, 7)
  const text = '{"event":"ack","data":{"rooms":[]},"id":7}'
  assert.equal([...bytes.subarray(0, 2)], [0x81, text.length])
  assert.is(bytes.subarray(2).toString(), text)
})

test.run()
