import { events } from '../../../gen/events.ts'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { entitiesOf } from '../../kernel/bus/event-option.ts'
import { effects } from './effects.ts'

const { test, world, host, db, frames, person, workspace, publish, waitUntilHandled } = await notificationSuite(
  'what is gone is gone everywhere',
)

const inbox = async (one: Someone, language?: string) =>
  (await host.as(NotificationService, one.userId).listNotifications(language ? { language } : {})).data
const unread = async (one: Someone) => (await host.as(NotificationService, one.userId).getUnreadCount({})).count
const pendingOf = (one: Someone) =>
  db.selectFrom('deliveries').select('lane').where('member_id', '=', one.id).where('status', '=', 'pending').execute()
const collectedBy = (one: Someone) =>
  db.selectFrom('digest_items').selectAll().where('member_id', '=', one.id).execute()
const countsTo = (one: Someone) =>
  frames.flatMap(({ event, rooms, data }) =>
    event === 'notification:count' && rooms.includes(`member:${one.id}`) ? [data['unread']] : [],
  )

/** Somebody who has not read, somebody who has, somebody whose mails are collected. */
async function readers() {
  const [author, ada, bob, eve] = [await person({ firstName: 'Max' }), await person(), await person(), await person()]
  const workspaceId = await workspace(author, ada, bob, eve)
  const wish = host.as(PreferenceService, eve.userId)
  await wish.updatePreferences({ emailDigest: 'weekly', updateMask: { paths: ['email_digest'] } })
  // A device that the provider refuses for now, so that the push waits.
  const device = { deviceToken: `fcm-${newId()}`, platform: 'fcm', deviceType: 'ios', workspaceId }
  await host.as(SubscriptionService, ada.userId).registerDevice(device)
  const tell = async (
    type: string,
    payload: object,
    receivers = [ada, bob, eve],
    channels = ['push', 'email', 'socket'],
  ) => {
    const body = pageCreated(workspaceId, author, receivers, { channels })
    await waitUntilHandled(await publish(type, { ...body, payload: { ...body.payload, ...payload } }))
  }
  const remove = async (key: string, type: string, payload: object) => {
    const body = { type, ...pageCreated(workspaceId, author, [], { channels: ['socket'] }), payload }
    await host.bus.publish(key, JSON.stringify(body), { id: newId() })
  }
  return { author, ada, bob, eve, workspaceId, tell, remove }
}

type Gone = { key: string; payload: object }
type Case = { entity: string; events: [type: string, payload: object][]; removal: Gone }

const ids = { page: newId(), comment: newId(), like: newId(), member: newId(), hotel: newId(), workspace: newId() }
const notifying = (type: string, payload: object): Gone => ({ key: `platform.notification.${type}`, payload })
const comment = { id: ids.comment, pageId: ids.page, title: 'Menu', content: 'Bon' }
const like = { id: ids.like, pageId: ids.page, title: 'Menu', memberId: newId(), reactionType: 'love' }
const joined = { id: ids.workspace, workspaceId: ids.workspace, memberId: ids.member, memberName: 'Zoé' }
const person_ = { id: ids.member, memberId: ids.member, memberName: 'Zoé' }
const page = { id: ids.page, title: 'Menu', pageType: 'poll' }
const ofPage: Case['events'] = [
  ['page.created', page],
  ['page.updated', { ...page, changes: { title: 'Menu' } }],
  ['page.reminded', page],
  ['page.mentioned', page],
  ['comment.created', comment],
  ['like.created', like],
]

const cases: Case[] = [
  {
    entity: 'deleted page or poll, with its comments, reactions and reminders',
    events: ofPage,
    removal: notifying('page.deleted', page),
  },
  ...['draft', 'archived'].map(status => ({
    entity: `page that became ${status}`,
    events: ofPage,
    removal: notifying('page.updated', { ...page, changes: { status } }),
  })),
  { entity: 'comment', events: [['comment.created', comment]], removal: notifying('comment.deleted', comment) },
  {
    entity: 'reaction',
    events: [['like.created', like]],
    removal: { key: 'platform.news.like.deleted', payload: like },
  },
  {
    entity: 'must-read',
    events: [['page.reminded', page]],
    removal: { key: 'platform.news.page.released', payload: { id: ids.page } },
  },
  {
    entity: 'membership',
    events: [['workspace.member_joined', joined]],
    removal: notifying('workspace.member_left', joined),
  },
  {
    entity: 'member',
    events: [
      ['member.registered', person_],
      ['member.updated', { ...person_, changes: {} }],
    ],
    removal: notifying('member.deleted', person_),
  },
  {
    entity: 'erased person',
    events: [['member.updated', { ...person_, changes: {} }]],
    removal: { key: 'platform.member.erased', payload: { ...person_, userIds: [] } },
  },
  {
    entity: 'hotel',
    events: [['hotel.updated', { id: ids.hotel, hotelId: ids.hotel, name: 'Azur', changes: {} }]],
    removal: notifying('hotel.deleted', { id: ids.hotel, hotelId: ids.hotel, name: 'Azur' }),
  },
]

for (const { entity, events: entityEvents, removal } of cases)
  test(`${entity}: its unread entries go, its read ones lose their texts, and nothing that waits is sent`, async () => {
    const { ada, bob, eve, tell, remove } = await readers()
    await world.sandbox.control({ provider: 'fcm', mode: '500', times: 500, path: 'messages' })
    for (const [type, payload] of entityEvents) await tell(type, payload)
    assert.equal([await unread(ada), await unread(bob)], [entityEvents.length, entityEvents.length])
    await host.as(NotificationService, bob.userId).markAllRead({})
    const type = removal.key.replace(/^platform\.(notification|news)\./, '').replace(/^platform\.member\./, 'member.')
    await remove(removal.key, type, removal.payload)
    await eventually(async () => (await unread(ada)) === 0)
    await eventually(async () => (await inbox(bob)).every(item => item.title === "Ce contenu n'est plus disponible"))
    const english = await inbox(bob, 'en')
    assert.equal(
      [english.length, new Set(english.map(item => item.title))],
      [entityEvents.length, new Set(['This is no longer available'])],
    )
    assert.ok(english.every(item => item.body === '' && item.data === undefined))
    assert.equal([await inbox(ada), await inbox(eve), await unread(eve)], [[], [], 0])
    await eventually(async () => (await pendingOf(ada)).length === 0)
    assert.equal([await pendingOf(bob), await pendingOf(eve), await collectedBy(eve)], [[], [], []])
    await eventually(() => countsTo(ada).at(-1) === 0)
    await world.sandbox.control({ provider: 'fcm', mode: 'ok' })
  })

test('a cancelled invitation isn’t mailed, also when its event comes late', async () => {
  const { workspaceId, tell, remove } = await readers()
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const id = newId()
  await remove('platform.member.invitation_cancelled', 'member.invitation_cancelled', { id })
  await eventually(async () => {
    const rows = db.selectFrom('ended_entities').select('entity_id').where('workspace_id', '=', workspaceId)
    return (await rows.where('entity_id', '=', id).execute()).length === 1
  })
  const email = `${newId()}@guest.example`
  const body = pageCreated(workspaceId, await person(), [], { channels: ['email'] })
  const metadata = { ...body.metadata, timestamp: '2020-01-01T00:00:00Z' }
  const payload = { id, email, sealedLink: links.seal('https://front.example/i?token=1') }
  await waitUntilHandled(await publish('member.onboarding', { ...body, metadata, payload }))
  const deliveries = db.selectFrom('deliveries').select('id').where('workspace_id', '=', workspaceId)
  assert.equal(await deliveries.execute(), [])
  await tell('page.created', page, [])
})

test('a renewed invitation is mailed once: the mail of its former link is dropped while it waits', async () => {
  const { author, workspaceId } = await readers()
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const [id, email] = [newId(), `${newId()}@guest.example`]
  const waiting = async () => {
    const rows = db.selectFrom('deliveries').select('id').where('workspace_id', '=', workspaceId)
    return (await rows.where('status', '=', 'pending').execute()).map(row => row.id)
  }
  await world.sandbox.control({ provider: 'email', mode: '500', times: 500 })
  const body = pageCreated(workspaceId, author, [], { channels: ['email'] })
  const mailed = async (token: string) => {
    const payload = { id, email, sealedLink: links.seal(`https://front.example/i?token=${token}`) }
    await waitUntilHandled(await publish('member.onboarding', { ...body, payload }))
    return waiting()
  }
  const [first, ...otherIds] = await mailed('1')
  assert.equal([first === undefined, otherIds], [false, []])
  await mailed('2')
  // The former mail is dropped after the latest one is stored.
  const [renewed, ...extraIds] = await eventually(async () => {
    const ids = await waiting()
    return ids.includes(first ?? '') ? undefined : ids
  })
  assert.equal([renewed === undefined, extraIds], [false, []])
  await world.sandbox.control({ provider: 'email', mode: 'ok' })
})

test('an edited comment and a renamed page show their new texts in all their entries', async () => {
  const { ada, tell, remove } = await readers()
  const [pageId, id] = [newId(), newId()]
  await tell('page.created', { id: pageId, title: 'Old' }, [ada], ['socket'])
  await tell('comment.created', { ...comment, id, pageId, title: 'Old', content: 'Before' }, [ada], ['socket'])
  await remove('platform.news.comment.updated', 'comment.updated', { id, pageId, content: 'After' })
  await eventually(async () => (await inbox(ada)).some(item => item.body === 'After'))
  await tell('page.updated', { id: pageId, title: 'New', changes: { title: 'New' } }, [ada], ['socket'])
  await eventually(async () => (await inbox(ada)).every(item => item.title.includes('New')))
  assert.is(await unread(ada), 3)
  const excerpt = 'In brief'
  await tell('page.updated', { id: pageId, title: 'New', changes: { excerpt } }, [ada], ['socket'])
  await eventually(async () => (await inbox(ada)).some(item => item.category === 'created' && item.body === excerpt))
})

test('a later event of the same kind by the same actor renews the unread entry, and another actor adds one [R54]', async () => {
  const { ada, bob, author, workspaceId, tell } = await readers()
  const id = newId()
  const edit = (title: string) =>
    tell('page.updated', { id, title, changes: { content: true } }, [ada, bob], ['socket'])
  for (const title of ['One', 'Two', 'Three']) await edit(title)
  assert.equal(
    (await inbox(ada)).map(item => item.title),
    [`${author.name} a modifié «\u00a0Three\u00a0»`],
  )
  await host.as(NotificationService, bob.userId).markAllRead({})
  await edit('Four')
  assert.equal(
    [(await inbox(bob)).map(item => item.isRead), await unread(ada), await unread(bob)],
    [[false, true], 1, 1],
  )
  const other = pageCreated(workspaceId, bob, [ada], { payload: { id, title: 'Five', changes: {} } })
  await waitUntilHandled(await publish('page.updated', other))
  assert.is(await unread(ada), 2)
})

test('a later event of a withdrawn notification notifies nobody again', async () => {
  const { ada, author, workspaceId, remove } = await readers()
  const id = newId()
  const mention = () =>
    publish(
      'page.mentioned',
      during(`mention ${id}`, pageCreated(workspaceId, author, [ada], { payload: { ...page, id } })),
    )
  await waitUntilHandled(await mention())
  assert.is(await unread(ada), 1)
  await remove('platform.notification.page.updated', 'page.updated', { ...page, id, changes: { status: 'archived' } })
  const ofMention = db.selectFrom('notifications').select('withdrawn_at').where('occurrence_id', '=', `mention ${id}`)
  await eventually(async () => (await ofMention.executeTakeFirst())?.withdrawn_at)
  await waitUntilHandled(await mention())
  assert.equal([await inbox(ada), await unread(ada)], [[], 0])
})

test('a reaction sent again renews its unread entry', async () => {
  const { ada, tell } = await readers()
  for (const reactionType of ['like', 'wow', 'wow'])
    await tell('like.created', { ...like, id: ids.like, reactionType }, [ada], ['socket'])
  assert.equal([(await inbox(ada)).length, await unread(ada)], [1, 1])
})

test('what somebody did is stored read, without push, mail or badge', async () => {
  const { author, tell } = await readers()
  await tell('page.created', { id: newId() }, [author])
  const [ownEntry] = await inbox(author)
  assert.equal(
    [ownEntry?.isRead, await unread(author), await pendingOf(author), await collectedBy(author)],
    [true, 0, [], []],
  )
})

test('every event that deletes something has its effect in the table, and every entry is an event', () => {
  const deleting = [...events].filter(([, desc]) => entitiesOf(desc).isDeletion).map(([type]) => type)
  assert.equal(
    deleting.filter(type => !Object.hasOwn(effects, type)),
    [],
  )
  assert.equal(
    Object.keys(effects).filter(type => !events.has(type)),
    [],
  )
})

test('a reminder or message in silent hours stays in the inbox, and its push waits until they end', async () => {
  const { ada, bob, workspaceId, tell } = await readers()
  await host.as(PreferenceService, ada.userId).setDoNotDisturb({ duration: 3_600 })
  await tell('page.reminded', { id: newId(), dueAt: null }, [ada, bob], ['push', 'socket'])
  assert.equal([(await inbox(ada)).length, await unread(ada)], [1, 1])
  const [delivery] = await db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id).execute()
  assert.ok(delivery?.due_at && delivery.due_at.getTime() > Date.now() + 3_000_000, `${delivery?.due_at}`)
  const { now, later } = await host
    .client(PreferenceService)
    .countReached({ type: 'page.reminded', channels: ['push', 'socket'], memberIds: [ada.id, bob.id] })
  assert.equal([now, later], [1, 1])
  await tell('page.created', { id: newId() }, [ada], ['socket'])
  assert.is((await inbox(ada)).length, 1, `${workspaceId}: what the documents drop stays dropped`)
})

test.run()
