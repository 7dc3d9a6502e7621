import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { type LiveWorld, startWorld } from '../../../test/kit/live/live.ts'
import type { LivePerson } from '../../../test/kit/live/services.ts'

const test = suite('a slow client')

const person = (): LivePerson => ({ userId: newId(), memberId: newId(), workspaces: [] })
const [ivo, ida] = [person(), person()]

/** Completes the handshake and then reads nothing. */
async function deafClient(world: LiveWorld): Promise<Socket> {
  const socket = connect(Number(new URL(world.addressOf('member')).port), '127.0.0.1')
  // The cut may arrive as a reset.
  socket.on('error', () => {})
  const key = Buffer.alloc(16).toString('base64')
  const headers = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  socket.write(
    `GET /ws?token=${world.tokenOf(ivo)} HTTP/1.1\r\n${headers.join('\r\n')}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await once(socket, 'data')
  return socket.pause()
}

const tell = (world: LiveWorld, receiver: LivePerson, bytes: number) =>
  world.host.bus.publishCore(
    'live.frames',
    JSON.stringify({
      rooms: [`member:${receiver.memberId}`],
      event: 'role:updated',
      data: { text: 'x'.repeat(bytes) },
    }),
  )

const cuts = (world: LiveWorld): number => world.live.stats().closed['4408'] ?? 0

/** Frames of 300 kB: the system's buffers take several MiB before anything waits here. */
async function flood(world: LiveWorld, isEnough: () => boolean): Promise<number> {
  const neighbour = await world.open('member', ida)
  let frameCount = 0
  for (; frameCount < 60 && !isEnough(); frameCount++) {
    tell(world, ivo, 300_000)
    tell(world, ida, 10)
    await neighbour.next('role:updated')
  }
  neighbour.ws.close()
  await neighbour.closed()
  return frameCount
}

test('is closed with 4408 when more than 1 MiB is queued for it, while its neighbour receives everything', async () => {
  const world = await startWorld([ivo, ida], [], { bufferedMs: 60_000 })
  const deaf = await deafClient(world)
  await flood(world, () => cuts(world) > 0)
  await eventually(() => cuts(world) === 1)
  // The neighbour is uncounted once its close has arrived.
  await eventually(() => world.live.stats().sockets === 0)
  assert.is(cuts(world), 1)
  deaf.destroy()
  await world.end()
})

test('is closed with 4408 when a frame is queued too long', async () => {
  const world = await startWorld([ivo, ida], [], { bufferedBytes: 2 ** 30, bufferedMs: 200, sweepMs: 20 })
  const deaf = await deafClient(world)
  await flood(world, () => false)
  await eventually(() => cuts(world) === 1)
  deaf.destroy()
  await world.end()
})

test.run()
