import { assert, suite } from '../../../test/kit/kit.ts'
import { type DigestSchedule, defaultSchedule, type Frequency, nextDigest, quietEnd } from './schedule.ts'

const test = suite('when digests are due')
const next = (frequency: Frequency, zone: string, now: string, overrides: Partial<DigestSchedule> = {}) =>
  nextDigest({ ...defaultSchedule, ...overrides, frequency }, zone, new Date(now)).toISOString()

test('daily ones come at the next 8:00 of the member’s time zone, weekly ones at that of a Monday', () => {
  // A Wednesday.
  assert.is(next('daily', 'Europe/Paris', '2026-06-03T05:59:59.999Z'), '2026-06-03T06:00:00.000Z')
  assert.is(next('daily', 'Europe/Paris', '2026-06-03T06:00:00Z'), '2026-06-04T06:00:00.000Z')
  assert.is(next('daily', 'Pacific/Auckland', '2026-06-03T21:00:00Z'), '2026-06-04T20:00:00.000Z')
  assert.is(next('daily', 'America/Los_Angeles', '2026-06-03T01:00:00Z'), '2026-06-03T15:00:00.000Z')
  assert.is(next('weekly', 'Europe/Paris', '2026-06-03T05:00:00Z'), '2026-06-08T06:00:00.000Z')
  assert.is(next('weekly', 'Europe/Paris', '2026-06-08T05:00:00Z'), '2026-06-08T06:00:00.000Z')
  assert.is(next('weekly', 'Pacific/Auckland', '2026-06-07T20:00:00Z'), '2026-06-14T20:00:00.000Z')
  assert.is(next('automatic', 'Europe/Paris', '2026-06-03T05:00:00Z'), '2026-06-08T06:00:00.000Z')
  assert.is(next('off', 'Europe/Paris', '2026-06-03T05:00:00Z'), '2026-06-03T05:00:00.000Z')
})

test('they come at the hour and on the day that the member chose', () => {
  assert.is(next('daily', 'Europe/Paris', '2026-06-03T05:00:00Z', { hour: 0 }), '2026-06-03T22:00:00.000Z')
  assert.is(next('daily', 'Europe/Paris', '2026-06-03T05:00:00Z', { hour: 18 }), '2026-06-03T16:00:00.000Z')
  const friday = { hour: 17, weekday: 5 }
  assert.is(next('weekly', 'Europe/Paris', '2026-06-03T05:00:00Z', friday), '2026-06-05T15:00:00.000Z')
  assert.is(next('weekly', 'Europe/Paris', '2026-06-05T15:00:00Z', friday), '2026-06-12T15:00:00.000Z')
  assert.is(next('weekly', 'Europe/Paris', '2026-06-03T05:00:00Z', { weekday: 7 }), '2026-06-07T06:00:00.000Z')
})

test('it stays 8:00 over a change to and from daylight saving time', () => {
  assert.is(next('daily', 'Europe/Paris', '2026-03-28T12:00:00Z'), '2026-03-29T06:00:00.000Z')
  assert.is(next('daily', 'Europe/Paris', '2026-10-24T12:00:00Z'), '2026-10-25T07:00:00.000Z')
  assert.is(next('weekly', 'Europe/Paris', '2026-03-24T12:00:00Z'), '2026-03-30T06:00:00.000Z')
})

test('a digest within quiet hours waits for their end, also past midnight and a change of the clocks', () => {
  const end = (until: string, now: string) =>
    quietEnd({ end: until, timezone: 'Europe/Paris' }, new Date(now)).toISOString()
  assert.is(end('09:30', '2026-06-03T06:00:20Z'), '2026-06-03T07:30:00.000Z')
  assert.is(end('07:00', '2026-06-03T20:15:00Z'), '2026-06-04T05:00:00.000Z')
  assert.is(end('07:00', '2026-10-24T20:30:00Z'), '2026-10-25T06:00:00.000Z')
  assert.is(end('07:00', '2026-03-28T21:30:00Z'), '2026-03-29T05:00:00.000Z')
  assert.is(end('00:00', '2026-06-03T21:59:59Z'), '2026-06-03T22:00:00.000Z')
})

test.run()
