import { connectBus } from '../../services/kernel/bus/bus.ts'
import { testBus } from '../../test/kit/database.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { eventReader, mostSearched } from './events.ts'

const test = suite('the console’s events')
const resources: { close(): Promise<void> }[] = []
test.after(async () => {
  for (const one of resources) await one.close()
})

/** A stream of some events, one every tenth of which is a booking, and how often a reader reads it. */
async function streamOf(count: number, bodyOf: (sequence: number) => object | string = booking) {
  const broker = await testBus()
  const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
  resources.push(bus, broker)
  for (let index = 1; index <= count; index++) {
    const body = bodyOf(index)
    const publication = bus.publish('platform.spa.noted', typeof body === 'string' ? body : JSON.stringify(body), {
      id: String(index),
      headers: { 'Request-Id': `request-${index}` },
    })
    // In order, a hundred on their way at once.
    if (index % 100 === 0 || index === count) await publication
  }
  const reads: number[] = []
  const read: typeof bus.read = (stream, sequence) => {
    reads.push(sequence)
    return bus.read(stream, sequence)
  }
  return { reads, list: eventReader({ stream: bus.stream, bounds: bus.bounds, read }) }
}
const booking = (sequence: number) => ({ type: sequence % 10 === 0 ? 'Spa.Booked' : 'page.created' })
const sequences = (page: { data: { sequence: number }[] }) => page.data.map(({ sequence }) => sequence)

test('a filter searches the stored events, not only the newest, and returns what was searched', async () => {
  const { list } = await streamOf(1_000)
  const page = await list({ limit: 5, type: 'spa.b' })
  assert.equal(sequences(page), [1000, 990, 980, 970, 960])
  assert.equal([page.first, page.last, page.from, page.to], [1, 1000, 960, 1000])
  const next = await list({ limit: 3, type: 'booked', before: page.from })
  assert.equal(sequences(next), [950, 940, 930])
  assert.equal(sequences(await list({ limit: 5, type: 'spa', after: 990 })), [1000])
  const rest = await list({ limit: 5, type: 'booked', before: 25 })
  assert.equal([sequences(rest), rest.from], [[20, 10], 1])
})

test('a type matches in any case as a part, or whole; an event without a type matches by its key', async () => {
  const { list } = await streamOf(20, sequence => (sequence === 12 ? 'no json' : { type: 'page.created' }))
  const counts = await Promise.all(
    [
      { type: 'PAGE' },
      { type: 'page', exact: true },
      { type: 'Page.Created', exact: true },
      { type: 'spa.noted' },
      { type: 'platform.spa.noted', exact: true },
    ].map(async filter => (await list({ limit: 100, ...filter })).data.length),
  )
  assert.equal(counts, [19, 0, 19, 1, 1])
})

test('events are found by each of their ids', async () => {
  const ids = ['hotel', 'workspace', 'record', 'actor', 'occurrence']
  const { list } = await streamOf(20, sequence =>
    sequence === 15
      ? {
          ecosystemId: 'hotel',
          workspaceId: 'workspace',
          payload: { id: 'record' },
          metadata: { actor: { id: 'actor' }, occurrenceId: 'occurrence' },
        }
      : { payload: { title: 'hotel' } },
  )
  for (const id of [...ids, 'request-15']) assert.equal(sequences(await list({ limit: 9, about: [id] })), [15], id)
  assert.equal(sequences(await list({ limit: 9, about: ['other', 'record'] })), [15])
  assert.equal(sequences(await list({ limit: 9, about: ['record'], type: 'elsewhere' })), [])
})

test('one request searches a limited number of events, and repeats no reads of stored ones', async () => {
  const { list, reads } = await streamOf(mostSearched + 200)
  const page = await list({ limit: 50, type: 'nothing' })
  assert.equal([page.data.length, page.from, page.to], [0, 201, mostSearched + 200])
  assert.is(reads.length, mostSearched)
  await list({ limit: 50, type: 'nothing' })
  assert.is(reads.length, mostSearched)
  await list({ limit: 50 })
  assert.is(reads.length, mostSearched, 'without a filter nothing more is read')
})

test.run()
