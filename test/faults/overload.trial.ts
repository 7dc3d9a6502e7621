import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { overload } from './overload.ts'

const test = suite('overload')
const prefetch = 16

test('at three times the maximum load publishing continues, memory stays low, and all events are stored once', async () => {
  const messages: string[] = []
  // One event at a time keeps the capacity low and the test short.
  const settings = { NOTIFICATION_PARALLEL: '1', NOTIFICATION_PREFETCH: String(prefetch) }
  const figures = await overload({ people: 500, seconds: 2, settings, say: line => messages.push(line) })
  const { plannedEvents, published, missingRows, mostUnsettled, growth } = figures
  const report = [...messages, JSON.stringify(figures)].join('\n')
  assert.is(published, plannedEvents, report)
  assert.equal(missingRows, { notifications: 0, receivers: 0 }, report)
  assert.ok(mostUnsettled <= prefetch, report)
  assert.ok(growth.platform < 512 && growth.broker < 512, report)
})

test.run()
