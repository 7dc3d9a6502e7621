import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import type { RoomMessage } from '../frames.ts'
import { createArrivals } from './arrivals.ts'

const test = suite('order of frames')

const [one, two] = [`member:${newId()}`, `member:${newId()}`]
const message = (fields: Partial<RoomMessage>): RoomMessage => ({
  rooms: [one],
  event: 'notification:count',
  data: {},
  id: '',
  version: 0,
  ...fields,
})
const second = 1_000_000

test('a repeated frame is dropped only for the rooms that had it', () => {
  const arrivals = createArrivals()
  assert.equal(arrivals(message({ id: 'a' })).length, 1)
  assert.equal(arrivals(message({ id: 'a' })), [])
  assert.equal(arrivals(message({ id: 'a', rooms: [one, two] }))[0]?.audience.rooms, [two])
  assert.equal(arrivals(message({ id: 'a', event: 'other' })).length, 1)
  assert.equal(arrivals(message({ id: 'b' })).length, 1)
  for (let round = 0; round < 2; round++) assert.equal(arrivals(message({})).length, 1)
})

test('a count that was read earlier is not sent after one that was read later', () => {
  const arrivals = createArrivals()
  const count = (unread: number, version: number, rooms = [one]) =>
    arrivals(message({ data: { unread }, version, rooms }))
  assert.equal(count(4, 20).length, 1)
  assert.equal(count(3, 19), [])
  assert.equal(count(5, 20).length, 1)
  assert.equal(count(3, 19, [one, two])[0]?.audience.rooms, [two])
  assert.equal(count(6, 21).length, 1)
})

test('a frame about read notifications is always sent, with the current count', () => {
  const arrivals = createArrivals()
  arrivals(message({ data: { unread: 4 }, version: 20 }))
  const lateFrame = message({ event: 'notification:read', data: { id: 'n', unread: 5 }, version: 19 })
  assert.equal(
    arrivals(lateFrame).map(({ event, data }) => ({ event, data })),
    [{ event: 'notification:read', data: { id: 'n', unread: 4 } }],
  )
})

test('frames without a version keep their order, and a clock that moved back is trusted after a minute', () => {
  const arrivals = createArrivals()
  assert.equal(arrivals(message({ data: { unread: 4 }, version: 100 * second })).length, 1)
  assert.equal(arrivals(message({ data: { unread: 3 } })).length, 1)
  assert.equal(arrivals(message({ data: { unread: 2 }, version: 30 * second })).length, 1)
})

test.run()
