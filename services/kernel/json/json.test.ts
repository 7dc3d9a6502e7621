import { create } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PageMetaSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { UpdateHotelResponseSchema } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { UpdateRoleRequestSchema } from '../../../gen/platform/member/v1/roles_pb.ts'
import {
  AddTeamMemberRequestSchema,
  CreateTeamRequestSchema,
  TeamSchema,
  UpdateTeamRequestSchema,
} from '../../../gen/platform/member/v1/teams_pb.ts'
import { CreatePageRequestSchema, SchedulePageRequestSchema } from '../../../gen/platform/news/v1/pages_pb.ts'
import { UpdatePreferencesRequestSchema } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { ValidationError } from '../base/errors.ts'
import { fromJson } from './decode.ts'
import { toJson } from './encode.ts'

const test = suite('JSON form of messages')

test('every field is printed: zeros, false and empty text as they are, absent values as null', () => {
  const team = toJson(TeamSchema, create(TeamSchema, { id: 'a', name: '' }))
  assert.is(team['membersCount'], 0)
  assert.is(team['isActive'], false)
  assert.is(team['name'], '')
  assert.is(team['leaderId'], null)
  assert.is(team['createdAt'], null)
})

test('an omittable field is omitted when absent', () => {
  const body = toJson(UpdateHotelResponseSchema, create(UpdateHotelResponseSchema, { id: 'a', name: 'New' }))
  assert.is(body['name'], 'New')
  assert.not.ok('city' in body)
})

test('times print as ISO 8601 UTC with milliseconds', () => {
  const team = create(TeamSchema, { createdAt: { seconds: 1_700_000_000n, nanos: 5_123_456 } })
  assert.is(toJson(TeamSchema, team)['createdAt'], '2023-11-14T22:13:20.005Z')
})

test('names follow the contract', () => {
  assert.equal(Object.keys(toJson(PageMetaSchema, create(PageMetaSchema))), ['total', 'page', 'limit', 'totalPages'])
})

const violations = (run: () => unknown): string[] => {
  try {
    run()
  } catch (error) {
    if (error instanceof ValidationError) return error.info.violations.map(v => `${v.path} ${v.rule}`)
    throw error
  }
  return []
}

test('wrong types, unknown keys and nested errors are all reported with their full path', () => {
  const body = {
    title: 7,
    content: [],
    medias: [{ fileUrl: 'https://x', thumbnailUrl: 5 }, 'x'],
    enableComments: 'false',
    surprise: 1,
    workspaceId: null,
  }
  assert.equal(violations(() => fromJson(CreatePageRequestSchema, body)).toSorted(), [
    'content type',
    'enableComments type',
    'medias[0].thumbnailUrl type',
    'medias[1] type',
    'surprise unknown_field',
    'title type',
    'workspaceId type',
  ])
})

test('null for a list or a map is an empty one, and in a change it clears the list or map', () => {
  assert.equal(fromJson(CreatePageRequestSchema, { medias: null }).medias, [])
  assert.equal(fromJson(UpdateRoleRequestSchema, { permissions: null }).permissions, [])
  assert.equal(fromJson(UpdatePreferencesRequestSchema, { categoryPrefs: null }).categoryPrefs, {})
})

test('a body that is not an object is refused', () => {
  for (const body of [[], 'x', 1, true])
    assert.equal(
      violations(() => fromJson(CreateTeamRequestSchema, body)),
      ['body type'],
    )
})

test('a time must be a valid moment', () => {
  const invalidTimes = [
    '2030-02-30T02:00:00Z',
    '2030-02-29T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-00-01T00:00:00Z',
    '2030-01-00T00:00:00Z',
    '2030-01-01T25:00:00Z',
    '2030-01-01T00',
    '2030-01',
    5,
  ]
  for (const scheduledAt of invalidTimes)
    assert.equal(
      [scheduledAt, violations(() => fromJson(SchedulePageRequestSchema, { scheduledAt }))],
      [scheduledAt, ['scheduledAt type']],
    )
  for (const scheduledAt of [
    '2028-02-29T23:59:59.5Z',
    '2030-12-31T23:00:00+02:00',
    '1970-01-01T00:00Z',
    '9998-12-31T23:59:59.999Z',
  ])
    assert.equal(
      [scheduledAt, violations(() => fromJson(SchedulePageRequestSchema, { scheduledAt }))],
      [scheduledAt, []],
    )
})

test('a time without a zone is UTC, and a date alone its midnight', () => {
  for (const [scheduledAt, moment] of [
    ['2030-06-01T09:30', '2030-06-01T09:30:00Z'],
    ['2030-06-01T09:30:15.5', '2030-06-01T09:30:15.5Z'],
    ['2030-06-01', '2030-06-01T00:00:00Z'],
  ])
    assert.equal(
      fromJson(SchedulePageRequestSchema, { scheduledAt }),
      fromJson(SchedulePageRequestSchema, { scheduledAt: moment }),
    )
})

test('a time outside the years 1970 to 9998 is refused by name, in any zone', () => {
  for (const scheduledAt of [
    '9999-12-31T23:59:59-12:00',
    '9999-01-01T00:00:00Z',
    '9998-12-31T23:30:00-01:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:30:00+01:00',
    '0099-02-28T00:00Z',
  ])
    assert.equal(
      [scheduledAt, violations(() => fromJson(SchedulePageRequestSchema, { scheduledAt }))],
      [scheduledAt, ['scheduledAt type']],
    )
})

test('a list that is too long is refused as a whole, before its items are read', () => {
  const medias = Array.from({ length: 100_000 }, () => 7)
  assert.equal(
    violations(() => fromJson(CreatePageRequestSchema, { medias })),
    ['medias repeated.max_items'],
  )
})

test('of a thousand errors twenty are reported, and no key longer than 200 characters is repeated', () => {
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${'k'.repeat(900)}${n}`, n]))
  const messages = violations(() => fromJson(CreateTeamRequestSchema, body))
  assert.is(messages.length, 20)
  for (const one of messages) assert.ok(one.length < 230, one)
})

test('null means an absent optional value', () => {
  const message = fromJson(UpdateTeamRequestSchema, { description: null, name: 'B' })
  assert.is(message.description, undefined)
  assert.is(message.name, 'B')
})

test('fields that the path binds and the update mask cannot be set by the body', () => {
  assert.equal(
    violations(() => fromJson(AddTeamMemberRequestSchema, { id: 'x' }, { lockedKeys: new Set(['id']) })),
    ['id unknown_field'],
  )
  assert.equal(
    violations(() => fromJson(UpdateTeamRequestSchema, { updateMask: 'name' })),
    ['updateMask unknown_field'],
  )
})

test('keys that pollute prototypes, NUL and lone surrogates are refused', () => {
  const content = JSON.parse('{"a":{"__proto__":{"x":1}}}') as object
  assert.equal(
    violations(() => fromJson(CreatePageRequestSchema, { content })),
    ['content.a.__proto__ unsafe_key'],
  )
  assert.equal(
    violations(() => fromJson(CreateTeamRequestSchema, { name: 'a\0' })),
    ['name type'],
  )
  assert.equal(
    violations(() => fromJson(CreateTeamRequestSchema, { name: '\ud800' })),
    ['name type'],
  )
  assert.is(({} as { x?: unknown }).x, undefined)
})

test.run()
