import { once } from 'node:events'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { assert, eventually, suite } from '../../services/kernel/testing.ts'
import { handleOf, type Outlet, writeDirectly } from './direct-write.ts'

const test = suite('writing to the handle of a socket')

const outletOf = (socket: Socket): Outlet => ({ socket, handle: handleOf(socket), direct: 0, isBlocked: false })

async function pair(): Promise<{ client: Socket; outlet: Outlet; end: () => void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  // As ws has: without a listener a reset would end the process.
  for (const one of [client, socket]) one.on('error', () => {})
  const end = () => {
    for (const one of [client, socket]) one.destroy()
    server.close()
  }
  return { client, outlet: outletOf(socket), end }
}

test('this Node has the parts: bytes arrive, and nothing waits', async () => {
  const { client, outlet, end } = await pair()
  assert.is(writeDirectly(outlet, Buffer.from('one')), true)
  assert.is(writeDirectly(outlet, Buffer.from('two')), true)
  assert.equal([outlet.direct, outlet.socket.bytesWritten], [0, 6])
  let text = ''
  client.on('data', data => (text += data.toString()))
  await eventually(() => text === 'onetwo')
  end()
})

test('what the system does not take at once is counted until it does, stays before what comes later, and is whole', async () => {
  const { client, outlet, end } = await pair()
  client.pause()
  const sent: Buffer[] = []
  const next = (): Buffer => {
    const bytes = Buffer.alloc(2 ** 20, sent.length)
    sent.push(bytes)
    return bytes
  }
  while (!outlet.isBlocked) assert.is(writeDirectly(outlet, next()), true)
  assert.is(outlet.direct, 2 ** 20)
  outlet.socket.write(next())
  const received: Buffer[] = []
  client.on('data', data => received.push(data)).resume()
  const hasAll = () => Buffer.concat(received).equals(Buffer.concat(sent))
  await eventually(() => outlet.direct === 0 && outlet.socket.writableLength === 0)
  assert.is(writeDirectly(outlet, next()), true)
  await eventually(hasAll)
  end()
})

test('a socket whose client is gone is destroyed, while bytes wait and before', async () => {
  const { client, outlet, end } = await pair()
  client.pause()
  while (outlet.direct === 0) writeDirectly(outlet, Buffer.alloc(2 ** 20))
  client.resetAndDestroy()
  await eventually(() => outlet.socket.destroyed)
  assert.is(writeDirectly(outlet, Buffer.from('more')), true)
  end()

  const other = await pair()
  // Nobody reads on this side, so only a write notices.
  other.client.resetAndDestroy()
  await eventually(() => {
    writeDirectly(other.outlet, Buffer.from('x'))
    return other.outlet.socket.destroyed
  })
  other.end()
})

test('a socket without a handle of that kind is left to socket.write', () => {
  assert.is(writeDirectly(outletOf(new Socket()), Buffer.from('x')), false)
})

test.run()
