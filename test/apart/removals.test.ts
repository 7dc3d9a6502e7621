import { readFileSync } from 'node:fs'
import type { RowDataPacket } from 'mysql2/promise'
import { call, type LooseJson } from '../../cli/tour/client.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { expect, password } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, houses, type SharedPerson } from '../kit/platform/shared-person.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'
import { testPool } from '../kit/sql.ts'

/** Each process has its own account at the broker, which opens only the consumers of that process. */
const test = suite('removals between processes')

test('what is taken back in one process disappears from the inboxes of another', async () => {
  const platform = await sharedPlatform('split')
  const { world, ownHotel, viewer } = await twoHotels(platform)
  const { workspace: workspaceId, token } = ownHotel
  const page = { workspaceId, title: 'Menu', content: { blocks: [] }, status: 'published', enableLikes: true }
  const { id: pageId } = await expect(world, 201, 'news', 'POST', '/api/v1/pages', { token, body: page })
  const body = { pageId, reactionType: 'love' }
  await expect(world, 201, 'news', 'POST', '/api/v1/likes', { token: viewer, body })
  const likes = async () =>
    (await expect(world, 200, 'notification', 'GET', '/api/v1/notifications?type=like', { token }))[
      'data'
    ] as unknown as LooseJson[]
  await eventually(async () => (await likes()).length === 1)
  const { status } = await call(platform.urls, 'news', 'DELETE', `/api/v1/likes/${pageId}`, { token: viewer })
  assert.is(status, 200)
  await eventually(async () => (await likes()).length === 0)
})

/** A row of the table of people in docs/removals.md. */
type Removal = {
  event: string
  path(person: SharedPerson, house: House): [service: 'auth' | 'hotel' | 'member', path: string]
  /** Whether the person sends the request; otherwise the platform's administrator. */
  isOwn?: boolean
  /** What the platform's administrator reads of the member: the status, and whether they are active. */
  member: [status: number, isActive?: boolean]
  /** Whether the former token opens the own account, and whether the person can sign in again. */
  auth: { token: 200 | 401; signIn: 200 | 401 }
  /** Whether inbox entries and devices stay, hidden. */
  notification: 'hidden' | 'deleted'
}

const removals: Removal[] = [
  {
    event: 'workspace.member_left',
    path: ({ id }, { workspace }) => ['member', `/workspaces/${workspace}/remove-member/${id}`],
    member: [200, true],
    auth: { token: 200, signIn: 200 },
    notification: 'hidden',
  },
  {
    event: 'member.deleted',
    path: ({ id }) => ['member', `/members/delete/${id}`],
    member: [404],
    auth: { token: 401, signIn: 200 },
    notification: 'hidden',
  },
  {
    event: 'member.erased',
    path: ({ id }) => ['member', `/members/erase/${id}`],
    member: [404],
    auth: { token: 401, signIn: 401 },
    notification: 'deleted',
  },
  {
    event: 'user.deleted',
    path: () => ['auth', '/users/me'],
    isOwn: true,
    member: [200, false],
    auth: { token: 401, signIn: 401 },
    notification: 'hidden',
  },
  {
    event: 'hotel.deleted',
    path: (_person, { ecosystem }) => ['hotel', `/hotel/delete/${ecosystem}`],
    member: [200, false],
    auth: { token: 401, signIn: 401 },
    notification: 'hidden',
  },
]

test('the table of people lists these removals', () => {
  const [, table = ''] = readFileSync(new URL('../../docs/removals.md', import.meta.url), 'utf8').split('## People')
  assert.equal(
    [...table.matchAll(/^\| .*?: `([\w.]+)` \|/gm)].map(([, event]) => event),
    removals.map(({ event }) => event),
  )
})

for (const { event, path, isOwn, member, auth, notification } of removals)
  test(`${event} ends what the table of people says`, async () => {
    const platform = await sharedPlatform('split')
    const { urls, env } = platform
    const { world, root, house, settle } = await houses(platform)
    const name = event.replaceAll(/\W/g, '-')
    const ownHotel = await house(name, `boss-${name}`)
    const person = await settle(ownHotel, name, ['Pia', 'Gone'])
    const { id, token, email } = person
    const { workspace: workspaceId } = ownHotel
    const device = { workspaceId, deviceToken: `t-${id}`, platform: 'fcm', deviceType: 'ios' }
    await expect(world, 201, 'notification', 'POST', '/api/v1/subscriptions', { token, body: device })
    const page = { workspaceId, title: 'Menu', content: { blocks: [] }, status: 'published' }
    await expect(world, 201, 'news', 'POST', '/api/v1/pages', { token: ownHotel.token, body: page })
    const inbox = async () =>
      (await expect(world, 200, 'notification', 'GET', '/api/v1/notifications', { token }))['meta']['total']
    await eventually(async () => (await inbox()) > 0)
    const socket = await openSocket(urls.notification, token)
    const [service, route] = path(person, ownHotel)
    const body = isOwn ? { body: { password } } : {}
    await expect(world, 200, service, 'DELETE', route, { token: isOwn ? token : root, ...body })
    assert.is(await socket.closed, 4401)
    assert.is((await call(urls, 'auth', 'GET', '/users/me', { token })).status, auth.token)
    assert.is((await call(urls, 'auth', 'POST', '/auth/login', { body: { email, password } })).status, auth.signIn)
    await eventually(async () => {
      const { status, body } = await call(urls, 'member', 'GET', `/members/get/${id}`, { token: root })
      assert.equal([status, ...(status === 200 ? [body['isActive']] : [])], member)
      return true
    })
    if (auth.token === 200) assert.is(await inbox(), 0)
    const sql = testPool(env['NOTIFICATION_DATABASE_URL'] ?? '')
    const countOf = async (table: string) =>
      (await sql.query<RowDataPacket[]>(`select count(*) as n from ${table} where member_id = ?`, [id]))[0][0]?.['n']
    try {
      await eventually(async () => {
        const counts = await Promise.all(['receivers', 'subscriptions'].map(countOf))
        return counts.every(count => (notification === 'deleted' ? count === 0 : count > 0))
      })
    } finally {
      await sql.end()
    }
  })

test.run()
