import { strict as assert } from 'node:assert'
import { call } from './client.ts'
import { openSocket } from './socket.ts'
import { addressOf, createHotel, expect, signIn, takeUpInvitation, type World } from './world.ts'

type Step = { title: string; run(world: World): Promise<void> }

const claimsOf = (world: World) => expect(world, 200, 'auth', 'GET', '/users/me', { token: world.tokens.admin })

/** The platform's main job, from the first sign-in to a read notification, with none for an outsider. */
export const mainJob: Step[] = [
  {
    title: 'The platform administrator signs in',
    async run(world) {
      world.tokens.root = await signIn(world, world.administrator.email, world.administrator.password)
      assert.equal(world.tokens.root.split('.').length, 3)
    },
  },
  {
    title: 'They create a type, a settings profile, a group and a hotel with its administrator',
    async run(world) {
      const hotel = await createHotel(world, `Le Phare ${world.run}`, addressOf(world, 'ada'))
      for (const key of ['id', 'workspace', 'chat_app_id', 'qr_link', 'payment_customer_id']) assert.ok(hotel[key], key)
      assert.equal(hotel['subscription_status'], 'active')
      world.ids['hotel'] = hotel['id'] as string
      world.ids['workspace'] = hotel['workspace'] as string
      const foundHotel = await expect(world, 200, 'hotel', 'GET', `/hotel/get/${hotel['id']}`, {
        token: world.tokens.root,
      })
      assert.equal(foundHotel['city'], 'Marseille')
      const image = await fetch(foundHotel['qr_link'] as string)
      assert.equal(image.headers.get('content-type'), 'image/png')
      assert.ok((await image.arrayBuffer()).byteLength > 100)
    },
  },
  {
    title: "The hotel's administrator follows the invitation mail, signs up and signs in",
    async run(world) {
      world.tokens.admin = await takeUpInvitation(world, addressOf(world, 'ada'))
      const me = await claimsOf(world)
      assert.equal(me['workspaceId'], world.ids['workspace'])
      assert.ok((me['permissions'] as string[] | undefined)?.includes('manage_members'))
    },
  },
  {
    title: 'They invite a colleague, who signs up, opens two sockets and registers a device',
    async run(world) {
      const email = addressOf(world, 'bo')
      const { workspace, hotel } = world.ids
      const invitation = await expect(world, 201, 'member', 'POST', '/onboarding/invite', {
        token: world.tokens.admin,
        body: {
          email,
          firstName: 'Bo',
          lastName: 'Bell',
          workspaceId: workspace,
          ecosystemId: hotel,
          workspaceRole: 'member',
          permissions: [],
        },
      })
      assert.equal(invitation['status'], 'pending')
      world.tokens.colleague = await takeUpInvitation(world, email)
      await openSockets(world)
      await expect(world, 201, 'notification', 'POST', '/api/v1/subscriptions', {
        token: world.tokens.colleague,
        body: {
          deviceToken: `device-${world.run}`,
          platform: 'fcm',
          deviceType: 'android',
          appVersion: '1.0.0',
          deviceModel: 'Pixel',
          osVersion: '16',
          workspaceId: workspace,
        },
      })
    },
  },
  {
    title: 'The administrator writes a page and publishes it',
    async run(world) {
      const token = world.tokens.admin
      const workspaceId = world.ids['workspace']
      const category = await expect(world, 201, 'news', 'POST', '/api/v1/categories', {
        token,
        body: {
          name: 'Service',
          slug: 'service',
          description: 'Daily',
          icon: '🛎️',
          color: '#1E40AF',
          workspaceId,
          order: 1,
        },
      })
      const page = await expect(world, 201, 'news', 'POST', '/api/v1/pages', {
        token,
        body: {
          title: 'Le spa ferme à 21 h',
          content: { blocks: [] },
          excerpt: 'Ce soir',
          pageType: 'article',
          categoryId: category['id'],
          workspaceId,
          status: 'draft',
        },
      })
      assert.equal(page['status'], 'draft')
      world.ids['page'] = page['id'] as string
      const publishedPage = await expect(world, 200, 'news', 'POST', `/api/v1/pages/${page['id']}/publish`, { token })
      assert.equal(publishedPage['status'], 'published')
    },
  },
  {
    title: 'The colleague receives it on both sockets, on the phone and in the inbox, and reads it',
    async run(world) {
      const { news, notification } = world.sockets
      const pageFrame = await news?.next('page.created')
      assert.equal(pageFrame?.data['id'] ?? pageFrame?.data['payload']?.['id'], world.ids['page'])
      let frame = await notification?.next('notification:new')
      // The notification about their own arrival may come late.
      while (frame && frame.data['type'] !== 'page') frame = await notification?.next('notification:new')
      world.report('socket frame notification:new', frame?.data)
      assert.equal(frame?.data['type'], 'page')
      await notification?.next('notification:count')
      await assertOnePush(world)
      const token = world.tokens.colleague
      const list = await expect(world, 200, 'notification', 'GET', '/api/v1/notifications?type=page', { token })
      assert.equal(list['meta']?.['total'], 1)
      assert.match(String(list['data']?.[0]?.['title']), /Le spa ferme à 21 h/)
      const count = await expect(world, 200, 'notification', 'GET', '/api/v1/notifications/unread-count', { token })
      assert.equal(count['byType']?.['page'], 1)
      await expect(world, 200, 'notification', 'PATCH', `/api/v1/notifications/${list['data']?.[0]?.['id']}/read`, {
        token,
      })
      const after = await expect(world, 200, 'notification', 'GET', '/api/v1/notifications/unread-count', { token })
      assert.equal(after['byType']?.['page'] ?? 0, 0)
    },
  },
  {
    title: 'The colleague comments and reacts; the administrator is notified once; counters are right',
    async run(world) {
      const token = world.tokens.colleague
      const pageId = world.ids['page']
      await expect(world, 201, 'news', 'POST', '/api/v1/comments', {
        token,
        body: { pageId, content: 'Merci !', parentId: null },
      })
      await expect(world, 201, 'news', 'POST', '/api/v1/likes', { token, body: { pageId, reactionType: 'love' } })
      const page = await expect(world, 200, 'news', 'GET', `/api/v1/pages/${pageId}`, { token })
      assert.deepEqual([page['commentCount'], page['likeCount'], page['viewCount']], [1, 1, 1])
      const query = `/api/v1/pages?workspaceId=${world.ids['workspace']}`
      const pages = await expect(world, 200, 'news', 'GET', query, { token })
      assert.deepEqual(pages['meta'], { total: 1, page: 1, limit: 20, totalPages: 1 })
      await assertNotifiedOnce(world)
    },
  },
  {
    title: 'A member of another hotel receives none of this',
    async run(world) {
      const email = addressOf(world, 'eve')
      await createHotel(world, `Autre ${world.run}`, email)
      world.tokens.stranger = await takeUpInvitation(world, email)
      await assertNothingVisible(world)
    },
  },
]

async function openSockets(world: World): Promise<void> {
  const { urls, tokens } = world
  const news = await openSocket(urls.news, tokens.colleague)
  await news.ask('joinWorkspace', world.ids['workspace'])
  world.sockets = { news, notification: await openSocket(urls.notification, tokens.colleague) }
  world.report('sockets open on the news and notification ports, workspace joined')
}

/** One push for the page, not two. */
async function assertOnePush(world: World): Promise<void> {
  let pushes: unknown[] = []
  // Two may concern their own arrival, whose pushes may come late.
  for (let count = 1; count <= 3 && pushes.length === 0; count++) {
    const query = new URLSearchParams({ to: `device-${world.run}`, wait: '30000', count: String(count) })
    const answer = await fetch(`${world.sandboxUrl}/_pushes?${query}`)
    const { data } = (await answer.json()) as { data: { data?: { type?: string } }[] }
    pushes = data.filter(push => push.data?.type === 'page')
  }
  world.report('push at the provider', pushes[0])
  assert.equal(pushes.length, 1)
}

async function assertNotifiedOnce(world: World): Promise<void> {
  const token = world.tokens.admin
  for (let tries = 0; ; tries++) {
    const { body } = await call(world.urls, 'notification', 'GET', '/api/v1/notifications?type=comment', { token })
    if (body['meta']?.['total'] === 1) return
    assert.ok(tries < 300, `the administrator has ${body['meta']?.['total']} notifications of the comment`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function assertNothingVisible(world: World): Promise<void> {
  const { page, workspace } = world.ids
  const token = world.tokens.stranger
  const get = (status: number, path: string) => expect(world, status, 'news', 'GET', path, { token })
  await get(404, `/api/v1/pages/${page}`)
  await get(403, `/api/v1/pages?workspaceId=${workspace}`)
  await get(404, `/api/v1/comments/page/${page}`)
  await get(404, `/api/v1/likes/page/${page}`)
  await get(403, `/api/v1/categories/workspace/${workspace}`)
  await expect(world, 404, 'news', 'POST', '/api/v1/comments', { token, body: { pageId: page, content: 'x' } })
  await expect(world, 403, 'member', 'GET', `/workspaces/get/${workspace}`, { token })
  await expect(world, 403, 'hotel', 'GET', `/hotel/get/${world.ids['hotel']}`, { token })
  const inbox = await expect(world, 200, 'notification', 'GET', '/api/v1/notifications?type=page', { token })
  assert.equal(inbox['meta']?.['total'], 0)
  const socket = await openSocket(world.urls.news, token)
  await assert.rejects(socket.ask('joinWorkspace', workspace), /refused/)
  await assert.rejects(socket.ask('joinPage', page), /refused/)
  socket.close()
}
