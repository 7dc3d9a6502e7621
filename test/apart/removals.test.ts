import { call, type LooseJson } from '../../cli/tour/client.ts'
import { expect } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'

/** Each process has its own account at the broker, which opens only the consumers of that process. */
const test = suite('removals between processes')

test('what is taken back in one process disappears from the inboxes of another', async () => {
  const platform = await sharedPlatform('split')
  const { world, ours, viewer } = await twoHotels(platform)
  const { workspace: workspaceId, token } = ours
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

test.run()
