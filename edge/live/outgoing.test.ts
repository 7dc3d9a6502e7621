import type { Socket } from 'node:net'
import { HotelSettingsUpdatedSchema } from '../../gen/platform/events/v1/hotel_pb.ts'
import { newId } from '../../services/kernel/ids.ts'
import { assert, suite } from '../../services/kernel/testing.ts'
import { frameBytes } from './frames.ts'
import { feedIsOn, type Person, startWorld } from './testing.ts'

const test = suite('frames on their way out')

const hotelIds = Array.from({ length: 10 }, newId)
const workspaces = hotelIds.map(ecosystemId => ({ workspaceId: newId(), ecosystemId }))
const person = (): Person => ({ userId: newId(), memberId: newId(), workspaces })
const first = person()
const people = [first, person(), person(), person()]
const world = await startWorld(people)
test.after(() => world.end())

test('ten frames of one tick leave in one write per socket, the same bytes for each', async () => {
  await feedIsOn(world, first)
  const writes: Buffer[][] = []
  const server = world.servers.find(({ services }) => services.includes('hotel'))?.server
  server?.on('connection', (socket: Socket) => {
    const mine: Buffer[] = []
    writes.push(mine)
    const write = socket.write.bind(socket)
    socket.write = ((...parts: Parameters<typeof write>) => {
      if (String(parts[0]).includes('settings:updated')) mine.push(parts[0] as Buffer)
      return write(...parts)
    }) as typeof write
  })
  const clients = await Promise.all(people.map(who => world.open('hotel', who)))
  for (const client of clients) for (const id of hotelIds) await client.ask('joinHotel', id)
  // One event about ten hotels is ten frames of one tick.
  await world.emit(HotelSettingsUpdatedSchema, { id: newId(), hotelIds, changes: { language: 'fr' } }, {})
  for (const client of clients)
    for (const hotelId of hotelIds)
      assert.equal((await client.next('settings:updated')).data, { hotelId, language: 'fr' })
  assert.is(writes.length, people.length)
  for (const mine of writes) {
    assert.is(mine.length, 1)
    assert.ok(mine[0] === writes[0]?.[0])
  }
  for (const { ws } of clients) ws.close()
})

test('a frame is unmasked text with its length in front', () => {
  const bytes = frameBytes('ack', { rooms: [] }, 7)
  const text = '{"event":"ack","data":{"rooms":[]},"id":7}'
  assert.equal([...bytes.subarray(0, 2)], [0x81, text.length])
  assert.is(bytes.subarray(2).toString(), text)
})

test.run()
