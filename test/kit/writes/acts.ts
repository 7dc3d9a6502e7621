import { readFileSync } from 'node:fs'
import { invitationToken } from '../../../cli/tour/client.ts'
import { addressOf, expect, password } from '../../../cli/tour/world.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import type { Platform } from '../platform/platform.ts'
import { houses } from '../platform/shared-person.ts'

/** Something that a person does once: `prepare` makes what it needs and returns the act itself. */
export type Act = { name: string; prepare(): Promise<() => Promise<unknown>> }

const picture = readFileSync(new URL('../../../edge/front/app/icons/icon-192.png', import.meta.url))

/** What people do in a hotel of two: its administrator, who publishes, and a member who answers. */
export async function writingActs(platform: Platform): Promise<Act[]> {
  const { world, house, settle } = await houses(platform)
  const hotel = await house('Le Phare', 'ada')
  const { token: ada, workspace: workspaceId } = hotel
  const { token: bob } = await settle(hotel, 'bob', ['Bob', 'Porter'], workspaceId, 'member')
  let serial = 0

  const call = (status: number, service: RestService, method: string, path: string, token?: string, body?: object) =>
    expect(world, status, service, method, path, { ...(token && { token }), ...(body && { body }) })
  const content = { blocks: [{ type: 'paragraph', data: { text: 'The spa opens again at nine.' } }] }
  const publish = () =>
    call(201, 'news', 'POST', '/api/v1/pages', ada, { workspaceId, title: 'Spa', content, status: 'published' })
  const publishedId = async () => String((await publish())['id'])
  const comment = (pageId: string) =>
    call(201, 'news', 'POST', '/api/v1/comments', bob, { pageId, content: 'See you at seven' })

  return [
    { name: 'publish to 2 people', prepare: async () => publish },
    {
      name: 'comment on a page',
      async prepare() {
        const pageId = await publishedId()
        return () => comment(pageId)
      },
    },
    {
      name: 'like a page',
      async prepare() {
        const pageId = await publishedId()
        return () => call(201, 'news', 'POST', '/api/v1/likes', bob, { pageId, reactionType: 'like' })
      },
    },
    {
      name: 'read all',
      async prepare() {
        await comment(await publishedId())
        return () => call(200, 'notification', 'POST', '/api/v1/notifications/read-all', ada, {})
      },
    },
    {
      name: 'confirm a must-read page',
      async prepare() {
        const pageId = await publishedId()
        await call(200, 'news', 'PUT', `/api/v1/must-read/${pageId}`, ada, {})
        return () => call(200, 'news', 'POST', `/api/v1/must-read/${pageId}/acknowledge`, bob, {})
      },
    },
    {
      name: 'sign up with an invitation',
      async prepare() {
        const email = addressOf(world, `guest${serial++}`)
        const body = { email, firstName: 'Vic', lastName: 'View', workspaceId, workspaceRole: 'viewer' }
        await call(201, 'member', 'POST', '/members/', ada, body)
        const token = await invitationToken(world.sandboxUrl, email)
        return () => call(201, 'auth', 'POST', '/users/signUp', undefined, { token, password })
      },
    },
    { name: 'upload a picture', prepare: async () => () => upload(platform.urls.media, ada, hotel.ecosystem) },
  ]
}

async function upload(url: string, token: string, ecosystemId: string): Promise<void> {
  const form = new FormData()
  form.set('ecosystemId', ecosystemId)
  form.set('file', new Blob([picture], { type: 'image/png' }), 'a.png')
  const answer = await fetch(`${url}/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`upload answered ${answer.status}: ${await answer.text()}`)
}
