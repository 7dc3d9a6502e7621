import { assert, suite } from '../../../test/kit/kit.ts'
import { messageFields, timestamp } from './fields.ts'

const test = suite('fields')

test('a row becomes fields: names in camel case, times, flags, and null as absent', () => {
  const seenAt = new Date('2026-03-01T09:00:00.250Z')
  const row = {
    id: 'a',
    photo_url: null,
    last_seen_at: seenAt,
    left_at: null,
    is_active: 1,
    is_admin: 0,
    members_count: 3,
  }
  assert.equal(messageFields(row), {
    id: 'a',
    photoUrl: undefined,
    lastSeenAt: timestamp(seenAt),
    leftAt: undefined,
    isActive: true,
    isAdmin: false,
    membersCount: 3,
  })
})

test.run()
