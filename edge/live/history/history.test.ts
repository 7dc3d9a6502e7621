import { assert, suite } from '../../../test/kit/kit.ts'
import { createAudiences, inRooms } from '../audience.ts'
import { createHistory } from './history.ts'

const test = suite('recent frames')

const crowd = Array.from({ length: 200 }, (_, index) => `member:${index}`)
const otherRooms = crowd.map(room => `${room}x`)

/** A history of a stream that was empty at the start, with a clock that the test moves. */
function beginHistory({ historyFrames = 1_000, historyBytes = 1_000_000, historyMs = 60_000 } = {}) {
  const clock = { now: Date.now() }
  const history = createHistory({ historyMs, historyFrames, historyBytes, settleMs: 10 }, () => clock.now)
  history.begin({ created: new Date(clock.now).toISOString(), last: 0, lastAt: new Date(0) })
  const audienceOf = createAudiences()
  let sequence = 0
  const say = (rooms: string[], n: number) =>
    history.add({ audience: audienceOf(rooms), event: 'n', data: { n } }, ++sequence, new Date(clock.now))
  const numbers = (rooms: string[], offset: string) =>
    history.framesAfter(rooms, offset)?.map(({ text }) => Number(/"n":(\d+)/.exec(text)?.[1]))
  return { history, clock, say, numbers, offset: () => history.offset() ?? '' }
}

test('frames for many and for few rooms are replayed in order, once each, to members of the rooms only', () => {
  const { say, numbers, offset } = beginHistory()
  say(crowd, 0)
  const savedOffset = offset()
  say(['workspace:a'], 1)
  say(crowd, 2)
  say(otherRooms, 3)
  say(['member:7', 'workspace:a'], 4)
  say([...crowd].reverse(), 5)
  assert.equal(numbers(['member:7', 'member:8', 'workspace:a'], savedOffset), [1, 2, 4, 5])
  assert.equal(numbers(['member:9x'], savedOffset), [3])
  assert.equal(numbers(['member:nobody'], savedOffset), [])
  assert.equal(numbers(['member:7'], offset()), [])
})

test('beyond the kept number of frames a room’s history is uncertain, however many rooms they had', () => {
  const { say, numbers, offset } = beginHistory({ historyFrames: 3 })
  const savedOffset = offset()
  for (let n = 1; n <= 3; n++) say(crowd, n)
  assert.equal(numbers(['member:1', 'member:2'], savedOffset), [1, 2, 3])
  say(crowd, 4)
  assert.is(numbers(['member:1'], savedOffset), undefined)
  assert.equal(numbers(['member:1x'], savedOffset), [])
})

test('old frames are removed, with the names of rooms without further frames', () => {
  const { history, clock, say, numbers, offset } = beginHistory()
  const start = offset()
  say(crowd, 1)
  const one = history.stats().bytes
  const savedOffset = offset()
  clock.now += 40_000
  say(crowd, 2)
  // The names are counted already.
  const second = history.stats().bytes - one
  assert.ok(second < one / 2, `${second} of ${one}`)
  clock.now += 30_000
  history.expire()
  assert.is(numbers(['member:1'], start), undefined)
  assert.equal(numbers(['member:1'], savedOffset), [2])
  clock.now += 60_000
  history.expire()
  assert.equal(history.stats(), { frames: 0, bytes: 0, rooms: 0 })
})

test('the kept bytes are limited, and the remaining history is certain', () => {
  const { history, say, numbers, offset } = beginHistory({ historyBytes: 40_000 })
  const start = offset()
  for (let n = 0; n < 2_000; n++) say(n % 2 ? crowd : [`page:${n}`], n)
  assert.ok(history.stats().bytes <= 40_000)
  assert.is(numbers(['member:1'], start), undefined)
  const savedOffset = offset()
  say(crowd, 2_000)
  assert.equal(numbers(['member:1'], savedOffset), [2_000])
})

test('frames at offsets of a lost broker stream are not mistaken for those that a client had', () => {
  const { history, clock, say, numbers, offset } = beginHistory()
  const createdAt = new Date(clock.now).toISOString()
  const audienceOf = createAudiences()
  const times: number[] = []
  const offsets: string[] = []
  for (let n = 1; n <= 3; n++) {
    clock.now += 10
    times.push(clock.now)
    say(['page:a'], n)
    offsets.push(offset())
  }
  const [keptOffset = '', , lostOffset = ''] = offsets
  const repeatFrame = (n: number, time: number) =>
    history.add({ audience: audienceOf(['page:a']), event: 'n', data: { n } }, n, new Date(time))
  assert.is(history.begin({ created: createdAt, last: 2, lastAt: new Date(times[1] ?? 0) }), false)
  for (const n of [1, 2]) repeatFrame(n, times[n - 1] ?? 0)
  clock.now += 10
  repeatFrame(3, clock.now)
  assert.equal(numbers(['page:a'], keptOffset), [2, 3])
  assert.is(numbers(['page:a'], lostOffset), undefined)
  repeatFrame(4, clock.now + 10)
  assert.is(numbers(['page:a'], lostOffset), undefined)
  assert.equal(numbers(['page:a'], offset()), [])
})

test('equal rooms are the same audience, other rooms another one', () => {
  const audienceOf = createAudiences()
  assert.is(audienceOf(crowd), audienceOf([...crowd]))
  assert.is.not(audienceOf(crowd), audienceOf(otherRooms))
  assert.is.not(audienceOf(crowd), audienceOf(crowd.slice(1)))
  for (const audience of [audienceOf(crowd), audienceOf(['member:3']), inRooms('member:3')])
    assert.equal([audience.has('member:3'), audience.has('member:3x')], [true, false])
})

test.run()
