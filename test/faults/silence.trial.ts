import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { testBus } from '../kit/bus.ts'
import { eventually } from '../kit/kit.ts'

const test = suite('a silent broker')

/** Forwards connections to an address, until it stays silent with all of them open. */
async function startForwarder(to: URL) {
  const sockets: Socket[] = []
  let isSilent = false
  const keep = (socket: Socket) => sockets.push(socket.on('error', () => undefined))
  const server = createServer(near => {
    keep(near)
    if (isSilent) return
    const far = connect(Number(to.port), to.hostname)
    keep(far)
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('a process leaves a broker that neither answers nor closes within 15 s', async () => {
  const broker = await testBus()
  const forwarder = await startForwarder(new URL(broker.url))
  const bus = await connectBus({ url: forwarder.url, stream: broker.stream, name: 'test' })
  try {
    assert.is(bus.status().connected, true)
    const began = Date.now()
    forwarder.silence()
    await eventually(() => !bus.status().connected, 30_000)
    assert.ok(Date.now() - began < 15_000, `after ${Date.now() - began} ms`)
  } finally {
    await bus.close()
    forwarder.close()
    await broker.close()
  }
})

test.run()
