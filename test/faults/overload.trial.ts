import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { overload } from './overload.ts'

const test = suite('overload')
const prefetch = 16

test('at three times the maximum load publishing continues, memory stays low, and all events are stored once', async () => {
  const said: string[] = []
  // One event at a time keeps the capacity low and the test short.
  const settings = { NOTIFICATION_PARALLEL: '1', NOTIFICATION_PREFETCH: String(prefetch) }
  const found = await overload({ people: 500, seconds: 2, settings, say: line => said.push(line) })
  const { asked, published, missing, mostHeld, growth } = found
  const report = [...said, JSON.stringify(found)].join('\n')
  assert.is(published, asked, report)
  assert.equal(missing, { notifications: 0, receivers: 0 }, report)
  assert.ok(mostHeld <= prefetch, report)
  assert.ok(growth.platform < 512 && growth.broker < 512, report)
})

test.run()
