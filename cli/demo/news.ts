import { expect, type World } from '../tour/world.ts'
import demo from './news.json' with { type: 'json' }
import { type Drawing, drawPicture } from './pictures.ts'

/** A page of the demonstration hotel. */
type DemoPage = {
  title: string
  excerpt: string
  blocks: object[]
  category?: string
  picture?: Drawing
  pageType?: 'event' | 'poll'
  poll?: string[]
  eventLocation?: string
  isMustRead?: boolean
  comments?: [who: 'admin' | 'member', text: string][]
}

/** Oldest first. */
const demoPages = demo.pages as DemoPage[]

const day = 24 * 3_600_000
const inDays = (days: number, hour: number): string => {
  const date = new Date(Date.now() + days * day)
  date.setUTCHours(hour, 0, 0, 0)
  return date.toISOString()
}

const eventTimes = () => ({ eventStartsAt: inDays(9, 17), eventEndsAt: inDays(9, 21) })

/** Gives the demonstration hotel its news: categories, pictures, a poll, an event, a must-read and comments. */
export async function seedNews(world: World, tokens: { admin: string; member: string }, workspaceId: string) {
  const token = tokens.admin
  const send = (path: string, body: object, method = 'POST', status = 201) =>
    expect(world, status, 'news', method, path, { token, body })
  const categoryIds = new Map<string, string>()
  for (const [order, category] of demo.categories.entries())
    categoryIds.set(
      category.name,
      String((await send('/api/v1/categories', { ...category, order, workspaceId }))['id']),
    )
  const pictures = await Promise.all(
    demoPages.map(async ({ picture }) => (picture ? upload(world, token, picture) : [])),
  )
  for (const [index, { title, excerpt, blocks, category, pageType, poll, ...details }] of demoPages.entries()) {
    const page = await send('/api/v1/pages', {
      title,
      excerpt,
      content: { blocks },
      pageType: pageType ?? 'article',
      workspaceId,
      medias: pictures[index],
      status: 'published',
      // One article is news enough for the inbox.
      enableNotifications: index === 0,
      ...(category ? { categoryId: categoryIds.get(category) } : {}),
      ...(pageType === 'event' ? { ...eventTimes(), eventLocation: details.eventLocation } : {}),
    })
    const pageId = String(page['id'])
    if (poll) await send(`/api/v1/polls/${pageId}`, { options: poll }, 'PUT', 200)
    if (details.isMustRead) await send(`/api/v1/must-read/${pageId}`, { dueAt: inDays(5, 18) }, 'PUT', 200)
    for (const [author, content] of details.comments ?? [])
      await expect(world, 201, 'news', 'POST', '/api/v1/comments', { token: tokens[author], body: { pageId, content } })
    if (details.comments)
      await expect(world, 201, 'news', 'POST', '/api/v1/likes', { token: tokens.member, body: { pageId } })
  }
}

/** Uploads a drawing and returns it as the media of a page. */
async function upload(world: World, token: string, name: Drawing): Promise<object[]> {
  const form = new FormData()
  form.append('folder', 'demo')
  form.append('file', await drawPicture(name), `${name}.webp`)
  const response = await fetch(`${world.urls.media}/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (response.status !== 201) throw new Error(`upload of ${name}: ${response.status} ${await response.text()}`)
  const { fileUrl, thumbnailUrl } = (await response.json()) as { fileUrl: string; thumbnailUrl: string }
  return [{ fileUrl, thumbnailUrl, type: 'image' }]
}
