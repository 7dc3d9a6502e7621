import { assert, suite } from '../../../test/kit/kit.ts'
import { startsIn } from './analytics.ts'

const test = suite('analytics of a workspace')

test('days and months start in the workspace’s time zone, also across changes of daylight saving time', () => {
  const paris = startsIn('Europe/Paris', new Date('2024-03-31T10:00:00Z'))
  assert.is(paris.day.toISOString(), '2024-03-30T23:00:00.000Z')
  assert.is(paris.month.toISOString(), '2024-02-29T23:00:00.000Z')
  const tokyo = startsIn('Asia/Tokyo', new Date('2024-05-31T15:30:00Z'))
  assert.is(tokyo.day.toISOString(), '2024-05-31T15:00:00.000Z')
  assert.is(tokyo.month.toISOString(), '2024-05-31T15:00:00.000Z')
})

test.run()
