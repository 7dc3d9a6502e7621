import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { during, notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('events of other emitters')
const world = await notificationsForTest()
const { host, person, workspace, publish, done } = world
test.after(() => world.end())

const inbox = async (one: Someone) => (await host.as(NotificationService, one.userId).listNotifications({})).data
const titles = async (one: Someone) => (await inbox(one)).map(({ title }) => title)

test('a channel named twice and an event without an actor are accepted', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  const body = pageCreated(workspaceId, ada, [ada, eve], { channels: ['socket', 'app', 'socket', 'app', 'socket'] })
  await done(await publish('page.created', body))
  const { actor: _nobody, ...metadata } = body.metadata
  await done(await publish('page.created', { ...pageCreated(workspaceId, ada, []), metadata }))
  await done(
    await publish('page.created', { ...pageCreated(workspaceId, ada, []), metadata: { ...metadata, actor: null } }),
  )
  const someone = 'Someone published “Menu of the day”'
  assert.equal(await titles(eve), [someone, someone, 'Ada Martin published “Menu of the day”'])
  const [latest] = await inbox(ada)
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
    await done(await publish('page.created', { ...body, metadata }))
  }
  const published = (...names: string[]) => names.map(name => `${name} published “Menu of the day”`)
  assert.equal(await titles(eve), published('The platform', 'The platform', 'PMS Opera'))
  assert.equal((await titles(ada))[2], 'PMS Opera a publié «\u00a0Menu of the day\u00a0»')
})

test('names of the greatest length are shown in full', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const name = `${'A'.repeat(255)} ${'b'.repeat(255)}`
  const body = pageCreated(workspaceId, ada, [ada])
  const metadata = { ...body.metadata, actor: { id: newId(), name, type: 'member' } }
  await done(await publish('page.created', { ...body, workspaceName: 'W'.repeat(255), metadata }))
  const [latest] = await inbox(ada)
  assert.ok(latest?.title.startsWith(`${name} a publié`))
  assert.ok(latest?.body.includes('W'.repeat(255)))
})

test('a new member causes one entry for the colleagues and none for the new member', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada, bob)
  const occurrence = newId()
  const payload = { id: bob.id, memberId: bob.id, memberName: bob.name, workspaceId }
  const around = pageCreated(workspaceId, bob, [ada, bob])
  await done(
    await publish(
      'workspace.member_joined',
      during(occurrence, { ...around, payload: { ...payload, id: workspaceId } }),
    ),
  )
  await done(await publish('member.registered', during(occurrence, { ...around, payload })))
  assert.equal(await titles(ada), ['Bob Martin a rejoint Hotel Azur'])
  assert.equal(await titles(bob), [])
})

test.run()
