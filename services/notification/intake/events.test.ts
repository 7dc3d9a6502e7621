import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { header } from '../../kernel/bus/message.ts'
import { readEnvelope } from './envelope.ts'
import { notificationOf } from './notification.ts'
import { storeArrivals } from './store.ts'

const { test, world, host, db, frames, person, workspace, publish, waitUntilHandled, waitForDeadLetter } =
  await notificationSuite('notification events')

const inbox = (userId: string) => host.as(NotificationService, userId).listNotifications({})
const titles = async (one: Someone) => (await inbox(one.userId)).data.map(({ title }) => title)

test('an event becomes one notification with the text of its template, and an unread entry for each receiver', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [ada, bob])))
  const { data, meta } = await inbox(bob.userId)
  assert.is(data.length, 1)
  const [item] = data
  assert.equal(
    [item?.type, item?.category, item?.title, item?.body, item?.isRead],
    [
      'page',
      'created',
      'Ada Martin a publié «\u00a0Menu of the day\u00a0»',
      'Une nouvelle page est à lire dans Hotel Azur.',
      false,
    ],
  )
  assert.equal([item?.actor?.id, item?.actor?.firstName, item?.actor?.lastName], [ada.id, 'Ada', 'Martin'])
  assert.is(item?.data?.['title'], 'Menu of the day')
  assert.equal([meta?.total, meta?.unread, meta?.page, meta?.limit], [1, 1, 1, 20])
  const row = await db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  assert.equal(
    [row.entity_type, row.priority, row.receiver_count, row.socket_count, row.sent_count, row.delivered_count],
    ['page', 1, 2, 2, 2, 1],
  )
})

test('a change of a draft is not stored and notifies nobody', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const page = { id: newId(), title: 'Secret', pageType: 'article', changes: {}, editorsOnly: true }
  await publish('page.updated', pageCreated(workspaceId, ada, [ada], { channels: ['socket'], payload: page }))
  // Events about one page are processed in order.
  const publicPage = { ...page, title: 'Shown', editorsOnly: false }
  await waitUntilHandled(await publish('page.updated', pageCreated(workspaceId, ada, [ada], { payload: publicPage })))
  const rows = await db.selectFrom('notifications').select('title').where('workspace_id', '=', workspaceId).execute()
  assert.equal(
    rows.map(({ title }) => title),
    ['Ada Martin a modifié «\u00a0Shown\u00a0»'],
  )
})

test('sockets are notified: the member in their language, the workspace, and the member with the unread count', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  await publish('page.created', pageCreated(workspaceId, ada, [ada, eve]))
  const to = (room: string, event: string) => frames.find(each => each.event === event && each.rooms.includes(room))
  const english = await eventually(() => to(`member:${eve.id}`, 'notification:new'))
  assert.equal(Object.keys(english.data), ['id', 'type', 'category', 'title', 'body', 'data', 'createdAt'])
  assert.is(english.data['title'], 'Ada Martin published “Menu of the day”')
  assert.is(
    (await eventually(() => to(`member:${ada.id}`, 'notification:new'))).data['title'],
    'Ada Martin a publié «\u00a0Menu of the day\u00a0»',
  )
  assert.equal((await eventually(() => to(`workspace:${workspaceId}`, 'notification:count'))).data, { workspaceId })
  assert.equal((await eventually(() => to(`member:${eve.id}`, 'notification:count'))).data, { workspaceId, unread: 1 })
})

test('a notification stores actor, event and record, with the highest priority of its occurrence', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const { ecosystem_id: hotel } = (
    await sql<{ ecosystem_id: string }>`select ecosystem_id from workspaces where id = ${workspaceId}`.execute(
      world.members,
    )
  ).rows[0] ?? { ecosystem_id: '' }
  const occurrence = newId()
  const body = during(occurrence, pageCreated(workspaceId, ada, [bob]))
  const record = () =>
    db.selectFrom('notifications').selectAll().where('occurrence_id', '=', occurrence).executeTakeFirstOrThrow()
  await waitUntilHandled(await publish('page.created', { ...body, priority: 3 }))
  await waitUntilHandled(await publish('page.created', { ...body, priority: 2, channels: ['email', 'socket'] }))
  const row = await record()
  assert.equal(
    [
      row.type,
      row.category,
      row.entity_type,
      row.entity_id,
      row.actor_type,
      row.actor_id,
      row.ecosystem_id,
      row.priority,
    ],
    ['page', 'created', 'page', body.payload.id, 'member', ada.id, hotel, 3],
  )
  const system = { id: 'system', name: 'system', type: 'system' }
  const nested = {
    ...pageCreated(workspaceId, ada, [bob]),
    metadata: { ...body.metadata, actor: system, occurrenceId: newId() },
  }
  await waitUntilHandled(
    await publish('workspace.member_left', {
      ...nested,
      ecosystemId: newId(),
      payload: { id: newId(), memberName: 'Zoé' },
    }),
  )
  const [latest] = (await inbox(bob.userId)).data
  assert.equal([latest?.type, latest?.category, latest?.actor?.id], ['workspace', 'member_left', undefined])
})

test('two events of one occurrence make one notification and one entry, and the second notifies only new receivers', async () => {
  const [ada, bob, eve] = [await person(), await person(), await person()]
  const workspaceId = await workspace(ada, bob, eve)
  const occurrence = newId()
  await waitUntilHandled(await publish('page.created', during(occurrence, pageCreated(workspaceId, ada, [bob]))))
  const second = pageCreated(workspaceId, ada, [bob, eve], { channels: ['push', 'socket'] })
  await waitUntilHandled(await publish('page.created', during(occurrence, second)))
  for (const one of [bob, eve])
    assert.equal([(await inbox(one.userId)).meta?.total, (await inbox(one.userId)).meta?.unread], [1, 1])
  const rows = await db.selectFrom('notifications').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.equal([rows.length, rows[0]?.channels, rows[0]?.receiver_count, rows[0]?.socket_count], [1, 5, 2, 2])
  await eventually(() =>
    frames.some(each => each.event === 'notification:new' && each.rooms.includes(`member:${eve.id}`)),
  )
  const countFrames = () =>
    frames.filter(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`)).length
  await eventually(() => countFrames() > 0)
  assert.is(countFrames(), 1)
})

test('fifty copies and both halves of an occurrence at once make one entry and exact counters', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const occurrence = newId()
  const body = (channels: string[]) => during(occurrence, pageCreated(workspaceId, ada, [ada, bob], { channels }))
  const ids = Array.from({ length: 50 }, () => newId())
  await Promise.all(ids.map((id, i) => publish('page.created', body(i % 2 ? ['socket'] : ['push', 'socket']), id)))
  for (const id of ids) await waitUntilHandled(id)
  assert.equal([(await inbox(bob.userId)).data.length, (await inbox(bob.userId)).meta?.unread], [1, 1])
  const counts = await db.selectFrom('notifications').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.equal(
    counts.map(row => [row.receiver_count, row.socket_count]),
    [[2, 2]],
  )
})

test('members are not notified of their own comment or reaction, and a reaction reaches the page’s author', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  const payload = { id: newId(), pageId: newId(), title: 'Menu', content: 'Très bon', member: { id: bob.id } }
  await waitUntilHandled(await publish('comment.created', { ...pageCreated(workspaceId, bob, [ada, bob]), payload }))
  const like = { id: newId(), pageId: newId(), title: 'Menu', memberId: bob.id, reactionType: 'love', replaced: false }
  await waitUntilHandled(await publish('like.created', { ...pageCreated(workspaceId, bob, [ada, bob]), payload: like }))
  assert.is((await inbox(bob.userId)).data.length, 0)
  const { data } = await inbox(ada.userId)
  assert.equal(
    data.map(item => [item.title, item.body]),
    [
      ['Bob Martin a réagi à «\u00a0Menu\u00a0»', '❤️ J’adore'],
      ['Bob Martin a commenté «\u00a0Menu\u00a0»', 'Très bon'],
    ],
  )
})

test('a reminder of a must-read page reaches its receivers, with its own text', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  const payload = { id: newId(), title: 'Fire drill', pageType: 'article', dueAt: null }
  const channels = ['push', 'socket', 'app']
  await waitUntilHandled(
    await publish('page.reminded', { ...pageCreated(workspaceId, ada, [bob], { channels }), payload }),
  )
  const { data } = await inbox(bob.userId)
  assert.equal(
    data.map(item => [item.type, item.category, item.title, item.body]),
    [
      [
        'page',
        'reminded',
        'Rappel\u00a0: merci de lire «\u00a0Fire drill\u00a0»',
        'Ada Martin vous demande de confirmer que vous avez lu cette page de Hotel Azur.',
      ],
    ],
  )
  assert.is((await inbox(ada.userId)).data.length, 0)
})

test('only active members of the workspace are notified, each once, including one who has just joined', async () => {
  const [ada, formerMember, stranger, newMember] = [await person(), await person(), await person(), await person()]
  const workspaceId = await workspace(ada, formerMember)
  await workspace(stranger)
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [formerMember])))
  await world.leave(workspaceId, formerMember)
  await world.join(workspaceId, newMember)
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, ada, [ada, formerMember, stranger, newMember, newMember])),
  )
  const totals = await Promise.all(
    [ada, formerMember, stranger, newMember].map(async one => {
      const rows = await db.selectFrom('receivers').select('member_id').where('member_id', '=', one.id).execute()
      return rows.length
    }),
  )
  assert.equal(totals, [1, 1, 0, 1])
})

test('an event without a template or without what has no default is dead-lettered at once, named, and stores nothing', async () => {
  const [ada] = [await person()]
  const workspaceId = await workspace(ada)
  const valid = pageCreated(workspaceId, ada, [ada])
  const { metadata, payload } = valid
  const invalidEvents: [reason: string, type: string, body: Record<string, unknown>][] = [
    ['Template not found: spa_booked', 'spa.booked', valid],
    ['Template not found: chat_newMessage', 'chat.newMessage', valid],
    ['Template not found: test_event123', 'test.event123', valid],
    ['Not an event: type must be words of letters, digits, _ and -, separated by dots', 'x', { ...valid, type: 'a b' }],
    ['Not an event: workspaceId is missing', 'page.created', { ...valid, workspaceId: undefined }],
    ['Not an event: workspaceId must be an id', 'page.created', { ...valid, workspaceId: 7 }],
    ['Not an event: payload is missing', 'page.created', { ...valid, payload: undefined }],
    ['Not an event: payload must be an object', 'page.created', { ...valid, payload: [] }],
    ['Not an event: payload.id is missing', 'page.created', { ...valid, payload: { ...payload, id: undefined } }],
    ['Not an event: payload.id must be a text', 'page.created', { ...valid, payload: { ...payload, id: 7 } }],
    ['Not an event: metadata is missing', 'page.created', { ...valid, metadata: undefined }],
    ['Not an event: metadata must be an object', 'page.created', { ...valid, metadata: 'x' }],
    [
      'Not an event: metadata.receiverIds is missing',
      'page.created',
      { ...valid, metadata: { ...metadata, receiverIds: undefined } },
    ],
    [
      'Not an event: metadata.receiverIds must be a list of at most 20000 ids',
      'page.created',
      { ...valid, metadata: { ...metadata, receiverIds: ada.id } },
    ],
    [
      'Not an event: channels must name any of push, email, socket, app',
      'page.created',
      { ...valid, channels: ['pigeon'] },
    ],
  ]
  for (const [, type, body] of invalidEvents) await publish(type, body)
  await host.bus.publish('platform.notification.page.created', 'not json', { id: newId() })
  await waitUntilHandled(await publish('page.created', valid))
  for (const [reason, type] of invalidEvents) {
    const letter = await waitForDeadLetter(reason)
    assert.equal([letter.attempts, letter.subject], [1, `platform.notification.${type}`], reason)
  }
  await waitForDeadLetter('the body is not JSON')
  assert.is((await inbox(ada.userId)).data.length, 1)
})

test('what an event leaves out has a default, and each receiver and channel counts by itself', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const valid = pageCreated(workspaceId, ada, [bob])
  const { metadata } = valid
  const receiverIds = [bob.id.toUpperCase(), 'x', 7, null, newId(), bob.id]
  const acceptedEvents: [title: string, subject: string, body: Record<string, unknown>][] = [
    ['only what has no default', 'page.created', { ...valid, channels: undefined, metadata: { receiverIds } }],
    [
      'nulls',
      'page.created',
      { ...valid, channels: null, priority: null, metadata: { receiverIds, timestamp: null, actor: null } },
    ],
    [
      'unreadable defaults',
      'page.created',
      { ...valid, priority: 9, metadata: { ...metadata, timestamp: 'soon', actor: 7 } },
    ],
    ['an unknown channel', 'page.created', { ...valid, channels: ['pigeon', 'socket'] }],
    ['ids in capitals', 'page.created', { ...valid, workspaceId: workspaceId.toUpperCase() }],
    ['an odd occurrence', 'page.created', { ...valid, metadata: { ...metadata, occurrenceId: 'été' } }],
    ['another subject', 'some.whereElse', { ...valid, type: 'page.created' }],
  ]
  for (const [title, subject, body] of acceptedEvents) {
    const before = (await inbox(bob.userId)).meta?.total ?? 0
    const page = { ...valid.payload, id: newId() }
    await waitUntilHandled(await publish(subject, { ...body, payload: page }))
    assert.is((await inbox(bob.userId)).meta?.total, before + 1, title)
  }
  const rows = await db.selectFrom('notifications').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.equal(new Set(rows.map(({ priority }) => priority)), new Set([1]))
  const nobody = { ...valid, payload: { ...valid.payload, id: newId() }, metadata: { ...metadata, receiverIds: ['x'] } }
  await waitUntilHandled(await publish('page.created', nobody))
})

test('a relayed frame is never stored and never dead-lettered', async () => {
  const before = await db.selectFrom('notifications').select('id').execute()
  const body = { payload: { id: newId(), event: 'x', rooms: ['y'], data: {} }, channels: ['socket'] }
  await host.bus.publish('platform.notification.socket', JSON.stringify({ type: 'socket', ...body }), { id: newId() })
  const [ada] = [await person()]
  await waitUntilHandled(await publish('page.created', pageCreated(await workspace(ada), ada, [])))
  assert.is((await db.selectFrom('notifications').select('id').execute()).length, before.length + 1)
})

test('a notification stored before a kill is sent to sockets on redelivery, and not stored again', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const body = pageCreated(workspaceId, ada, [bob])
  const eventId = newId()
  const event = readEnvelope({ type: 'page.created', ...body })
  const message = { id: eventId, storedAt: new Date(), subject: '', body, headers: {}, attempt: 1, sequence: 1 }
  const texts = { title: 'T', body: 'B' }
  const notification = notificationOf(event, { fr: texts, en: texts }, message)
  const redriven = { ...message, headers: { [header.redrivenOf]: 'é' } }
  assert.match(notificationOf(event, { fr: texts, en: texts }, redriven).occurrence_id, /^sha256:[0-9a-f]{64}$/)
  const receivers = [{ memberId: bob.id, channels: 4 }]
  await storeArrivals(db, 'notification_queue', [{ eventId, notification, receivers, sealedMail: null }])
  await publish('page.created', body, eventId)
  const frame = await eventually(() =>
    frames.find(each => each.event === 'notification:new' && each.rooms.includes(`member:${bob.id}`)),
  )
  assert.equal([frame.id, frame.data['id']], [notification.id, notification.id])
  const { meta } = await inbox(bob.userId)
  assert.equal([meta?.total, meta?.unread], [1, 1])
})

test('a channel named twice and an event without an actor are accepted', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  const body = pageCreated(workspaceId, ada, [ada, eve], { channels: ['socket', 'app', 'socket', 'app', 'socket'] })
  await waitUntilHandled(await publish('page.created', body))
  const { actor: _nobody, ...metadata } = body.metadata
  await waitUntilHandled(await publish('page.created', { ...pageCreated(workspaceId, ada, []), metadata }))
  await waitUntilHandled(
    await publish('page.created', { ...pageCreated(workspaceId, ada, []), metadata: { ...metadata, actor: null } }),
  )
  const someone = 'Someone published “Menu of the day”'
  assert.equal(await titles(eve), [someone, someone, 'Ada Martin published “Menu of the day”'])
  const [latest] = (await inbox(ada.userId)).data
  assert.is(latest?.title, "Quelqu'un a publié «\u00a0Menu of the day\u00a0»")
  assert.equal([latest?.actor?.id, latest?.actor?.firstName], [undefined, undefined])
  assert.ok(latest?.actor)
})

test('the name of a system is used in texts, and the platform has one in each language', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  for (const name of ['PMS Opera', 'system', '']) {
    const body = pageCreated(workspaceId, ada, [ada, eve])
    const metadata = { ...body.metadata, actor: { id: 'system', name, type: 'system' } }
    await waitUntilHandled(await publish('page.created', { ...body, metadata }))
  }
  const publishedTitles = (...names: string[]) => names.map(name => `${name} published “Menu of the day”`)
  assert.equal(await titles(eve), publishedTitles('The platform', 'The platform', 'PMS Opera'))
  assert.equal((await titles(ada))[2], 'PMS Opera a publié «\u00a0Menu of the day\u00a0»')
})

test('names of the greatest length are shown in full', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const name = `${'A'.repeat(255)} ${'b'.repeat(255)}`
  const body = pageCreated(workspaceId, ada, [ada])
  const metadata = { ...body.metadata, actor: { id: newId(), name, type: 'member' } }
  await waitUntilHandled(await publish('page.created', { ...body, workspaceName: 'W'.repeat(255), metadata }))
  const [latest] = (await inbox(ada.userId)).data
  assert.ok(latest?.title.startsWith(`${name} a publié`))
  assert.ok(latest?.body.includes('W'.repeat(255)))
})

test('a new member causes one entry for the colleagues and none for the new member', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  const occurrence = newId()
  const payload = { id: bob.id, memberId: bob.id, memberName: bob.name, workspaceId }
  const around = pageCreated(workspaceId, bob, [ada, bob])
  await waitUntilHandled(
    await publish(
      'workspace.member_joined',
      during(occurrence, { ...around, payload: { ...payload, id: workspaceId } }),
    ),
  )
  await waitUntilHandled(await publish('member.registered', during(occurrence, { ...around, payload })))
  assert.equal(await titles(ada), ['Bob Martin a rejoint Hotel Azur'])
  assert.equal(await titles(bob), [])
})

test.run()
