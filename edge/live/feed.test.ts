import { create, type DescMessage, getOption } from '@bufbuild/protobuf'
import * as comments from '../../gen/platform/events/v1/comment_pb.ts'
import * as hotels from '../../gen/platform/events/v1/hotel_pb.ts'
import { LikeCreatedSchema, LikeDeletedSchema } from '../../gen/platform/events/v1/like_pb.ts'
import { MemberAccessChangedSchema, MemberRoleUpdatedSchema } from '../../gen/platform/events/v1/member_pb.ts'
import * as pages from '../../gen/platform/events/v1/page_pb.ts'
import { SocketRelaySchema } from '../../gen/platform/events/v1/socket_pb.ts'
import { WorkspaceMemberJoinedSchema } from '../../gen/platform/events/v1/workspace_pb.ts'
import { event as eventOption } from '../../gen/platform/options/v1/options_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { toJson } from '../../services/kernel/json/encode.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { envelopeOf, startWorld } from '../../test/kit/live/live.ts'
import type { LivePerson } from '../../test/kit/live/services.ts'
import { fedSubjects, framesFor } from './feed.ts'

const test = suite('events as frames')

const [workspaceId, hotelId, otherHotel, pageId, memberId, id] = [newId(), newId(), newId(), newId(), newId(), newId()]
const actor = { id: 'a'.repeat(24), name: 'Ana Roca', type: 'member' }
const timestamp = '2026-03-01T09:00:00.000Z'
const inPage = [`page:${pageId}`]
const inWorkspace = [`workspace:${workspaceId}`, `workspace:${workspaceId}:type:feed`]
const author = { id: memberId, firstName: 'Ana', lastName: 'Roca' }
const page = { id: pageId, title: 'Menu', pageType: 'feed' }

const ofEvent = <Desc extends DescMessage>(desc: Desc, payload: object, around: object = {}) => {
  const { key, type } = getOption(desc, eventOption)
  const body = envelopeOf(type, toJson(desc, create(desc, payload as never)), { workspaceId, ...around })
  return framesFor(key, JSON.parse(JSON.stringify(body)))
}

const rows: [desc: DescMessage, payload: object, frames: { rooms: string[]; event: string; data: object }[]][] = [
  [
    pages.PageCreatedSchema,
    { ...page, medias: [{ fileUrl: 'https://x/y.png', type: 'image' }] },
    [
      {
        rooms: inWorkspace,
        event: 'page.created',
        data: {
          ...page,
          parent: null,
          medias: [{ fileUrl: 'https://x/y.png', thumbnailUrl: null, type: 'image' }],
          workspaceId,
          actor,
          timestamp,
        },
      },
    ],
  ],
  [
    pages.PageUpdatedSchema,
    { ...page, changes: { title: 'Menu' } },
    [
      {
        rooms: [...inWorkspace, ...inPage],
        event: 'page.updated',
        data: { ...page, changes: { title: 'Menu' }, workspaceId, actor, timestamp },
      },
    ],
  ],
  [
    pages.PageUpdatedSchema,
    { ...page, changes: { title: 'Menu' }, editorsOnly: true },
    [
      {
        rooms: inPage,
        event: 'page.updated',
        data: { ...page, changes: { title: 'Menu' }, workspaceId, actor, timestamp },
      },
    ],
  ],
  [
    pages.PageDeletedSchema,
    { ...page, editorsOnly: true },
    [{ rooms: inPage, event: 'page.deleted', data: { ...page, workspaceId, actor, timestamp } }],
  ],
  [
    pages.PageDeletedSchema,
    page,
    [{ rooms: [...inWorkspace, ...inPage], event: 'page.deleted', data: { ...page, workspaceId, actor, timestamp } }],
  ],
  [
    comments.CommentCreatedSchema,
    { id, pageId, title: 'Menu', content: 'Good', member: author, createdAt: { seconds: 1n, nanos: 0 } },
    [
      {
        rooms: inPage,
        event: 'comment.created',
        data: {
          id,
          pageId,
          content: 'Good',
          parentId: null,
          member: { ...author, photo_url: null },
          createdAt: '1970-01-01T00:00:01.000Z',
        },
      },
    ],
  ],
  [
    comments.CommentDeletedSchema,
    { id, pageId, title: 'Menu' },
    [{ rooms: inPage, event: 'comment.deleted', data: { id, pageId, parentId: null } }],
  ],
  [
    LikeCreatedSchema,
    { id, pageId, title: 'Menu', memberId, reactionType: 'love', replaced: true },
    [
      {
        rooms: inPage,
        event: 'like.created',
        data: { id, pageId, memberId, reactionType: 'love', replaced: true, repeated: false },
      },
    ],
  ],
  [
    LikeDeletedSchema,
    { id, pageId, memberId, reactionType: 'love' },
    [{ rooms: inPage, event: 'like.deleted', data: { id, pageId, memberId, reactionType: 'love' } }],
  ],
  [
    WorkspaceMemberJoinedSchema,
    { ...author, id: workspaceId, memberId, workspaceId, memberName: 'Ana Roca', workspaceRole: 'manager' },
    [
      {
        rooms: [`workspace:${workspaceId}`],
        event: 'member:joined',
        data: { ...author, photo_url: null, workspaceId, workspaceRole: 'manager' },
      },
    ],
  ],
  [
    MemberAccessChangedSchema,
    { id: memberId, memberIds: [memberId], workspaceId },
    [{ rooms: [memberId], event: 'rights.changed', data: {} }],
  ],
  [
    MemberRoleUpdatedSchema,
    { id: memberId, memberId, workspaceId, workspaceRole: 'manager', permissions: ['view_members'], isAdmin: true },
    [
      {
        rooms: [`member:${memberId}`],
        event: 'role:updated',
        data: { memberId, workspaceId, workspaceRole: 'manager', permissions: ['view_members'], isAdmin: true },
      },
    ],
  ],
  [
    hotels.HotelSettingsUpdatedSchema,
    { id, hotelIds: [hotelId, otherHotel], changes: { enable_push: false, logo_url: null, secret: 'x' } },
    [hotelId, otherHotel].map(hotel => ({
      rooms: [`hotel:${hotel}`],
      event: 'settings:updated',
      data: { hotelId: hotel, enable_push: false, logo_url: null },
    })),
  ],
  [
    hotels.HotelSubscriptionStatusSchema,
    { id: hotelId, hotelId, status: 'trial', plan: 'premium' },
    [{ rooms: [`hotel:${hotelId}`], event: 'subscription:status', data: { status: 'trial', plan: 'premium' } }],
  ],
  [
    SocketRelaySchema,
    { id, event: 'door:opened', rooms: inPage, data: { by: 'Ana' } },
    [{ rooms: inPage, event: 'door:opened', data: { by: 'Ana' } }],
  ],
]

for (const [desc, payload, frames] of rows)
  test(`${getOption(desc, eventOption).type}${'editorsOnly' in payload ? ' of a draft' : ''} becomes its frame in its rooms`, () => {
    const feedFrames = ofEvent(desc, payload)
    assert.equal(
      feedFrames.map(({ rooms, event, data }) => ({ rooms, event, data })),
      frames,
    )
  })

test('every row of the feed is in `rows`', () => {
  const keys = new Set(rows.map(([desc]) => getOption(desc, eventOption).key))
  assert.equal([...fedSubjects].sort(), [...keys].sort())
})

test('a relayed frame without rooms goes to the rooms of its receivers', () => {
  const metadata = { timestamp, actor, receiverIds: [memberId, id] }
  const [frame] = ofEvent(SocketRelaySchema, { id, event: 'note', data: {} }, { metadata })
  assert.equal(frame?.rooms, [`member:${memberId}`, `member:${id}`])
})

test('the second message of an occurrence causes no frame', () => {
  const twice: DescMessage[] = [pages.PageCreatedSchema, comments.CommentCreatedSchema]
  for (const [desc, payload] of rows.filter(([each]) => twice.includes(each)))
    assert.equal(ofEvent(desc, payload, { channels: ['push', 'socket'] }), [])
})

test('an event without a row causes no frame, and unknown fields of a newer version are ignored', () => {
  assert.equal(framesFor('platform.notification.hotel.created', envelopeOf('hotel.created', {})), [])
  const body = envelopeOf('comment.deleted', { id, pageId, news: 1 }, { workspaceId, further: true })
  assert.is(framesFor('platform.notification.comment.deleted', body).length, 1)
})

const ana: LivePerson = { userId: newId(), memberId, workspaces: [{ workspaceId, ecosystemId: hotelId }] }
const eve: LivePerson = {
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: newId(), ecosystemId: otherHotel }],
}
const world = await startWorld([ana, eve])
test.after(() => world.end())

test('a published page appears once on the news sockets of its workspace, and nowhere else', async () => {
  const reader = await world.open('news', ana)
  await reader.ask('joinWorkspace', workspaceId)
  await reader.ask('subscribeToTypes', { workspaceId, types: ['feed', 'poll'] })
  const [foreignClient, otherPort] = [await world.open('news', eve), await world.open('notification', ana)]

  const around = { workspaceId, metadata: envelopeOf('', {}).metadata }
  await world.emit(pages.PageCreatedSchema, page, around)
  await world.emit(pages.PageCreatedSchema, page, around)
  await world.emit(pages.PageCreatedSchema, page, { ...around, channels: ['push', 'socket'] })
  await world.emit(pages.PageDeletedSchema, page, { workspaceId })

  await reader.next('page.deleted')
  assert.equal(
    reader.frames.map(({ event }) => event),
    ['page.created'],
  )
  for (const client of [foreignClient, otherPort]) {
    await client.ask('ping')
    assert.equal(client.frames, [])
  }
  for (const { ws } of [reader, foreignClient, otherPort]) ws.close()
})

test('a frame on live.frames goes to the rooms it names, once per id', async () => {
  const client = await world.open('notification', ana)
  const frame = { rooms: [`member:${memberId}`, `workspace:${workspaceId}`], data: { workspaceId, unread: 1 } }
  const send = (extra: object) => world.host.bus.publishCore('live.frames', JSON.stringify({ ...frame, ...extra }))
  send({ event: 'notification:count', id: 'one' })
  send({ event: 'notification:count', id: 'one' })
  world.host.bus.publishCore('live.frames', 'nonsense')
  send({ event: 'notification:new' })
  await client.next('notification:new')
  assert.equal(
    client.frames.map(({ event, data }) => ({ event, data })),
    [{ event: 'notification:count', data: { workspaceId, unread: 1 } }],
  )
  client.ws.close()
})

test.run()
