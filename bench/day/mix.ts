import { readFileSync } from 'node:fs'
import { password } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { type RequestParts, send } from '../support/request.ts'
import type { CrowdPerson } from './crowd.ts'

export type RequestToSend = RequestParts & { service: RestService; path: string }

/** One kind of request, and how often an active person makes it in the busy hour of a shift change. */
type Kind = {
  name: string
  group: 'read' | 'write' | 'other'
  perHour: number
  ask(person: CrowdPerson): RequestToSend
  /** Called with the answer of a request that succeeded. */
  heed?(person: CrowdPerson, answer: string): void
}

const pickOne = <T>(choices: readonly T[]): T => {
  const one = choices[Math.floor(Math.random() * choices.length)]
  if (one === undefined) throw new Error('nothing to choose from')
  return one
}
const json = (service: RestService, method: string, path: string, token: string, body?: object): RequestToSend => ({
  ...{ service, method, path, token },
  ...(body && { type: 'application/json', body: JSON.stringify(body) }),
})

const boundary = 'a-boundary-of-the-benchmark'
const picture = readFileSync(new URL('../../edge/front/app/icons/icon-512.png', import.meta.url))

function uploadOf({ hotel, token }: CrowdPerson): RequestToSend {
  const field = `--${boundary}\r\nContent-Disposition: form-data; name="ecosystemId"\r\n\r\n${hotel.hotelId}\r\n`
  const head = `${field}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const type = `multipart/form-data; boundary=${boundary}`
  return { service: 'media', method: 'POST', path: '/media/upload', token, type, body }
}

const reactions = ['like', 'love', 'haha', 'wow', 'sad', 'angry']

export const kinds: readonly Kind[] = [
  {
    name: 'list of pages',
    group: 'read',
    perHour: 40,
    ask: ({ hotel, token }) =>
      json(
        'news',
        'GET',
        `/api/v1/pages?workspaceId=${hotel.workspaceId}&page=${pickOne([1, 1, 1, 1, 2, 3, 4])}&limit=20`,
        token,
      ),
  },
  {
    name: 'page',
    group: 'read',
    perHour: 40,
    ask: ({ hotel, token }) => json('news', 'GET', `/api/v1/pages/${pickOne(hotel.pageIds)}`, token),
  },
  {
    name: 'unread count',
    group: 'read',
    perHour: 50,
    ask: ({ token }) => json('notification', 'GET', '/api/v1/notifications/unread-count', token),
  },
  {
    name: 'inbox',
    group: 'read',
    perHour: 20,
    ask: ({ token }) => json('notification', 'GET', '/api/v1/notifications?page=1&limit=20', token),
    heed(person, answer) {
      const { data } = JSON.parse(answer) as { data: { id: string; isRead: boolean }[] }
      person.unread = data.filter(({ isRead }) => !isRead).map(({ id }) => id)
    },
  },
  {
    name: 'reaction',
    group: 'write',
    perHour: 8,
    ask: ({ hotel, token }) =>
      json('news', 'POST', '/api/v1/likes', token, {
        pageId: pickOne(hotel.pageIds),
        reactionType: pickOne(reactions),
      }),
  },
  {
    name: 'comment',
    group: 'write',
    perHour: 4,
    ask: ({ hotel, token }) =>
      json('news', 'POST', '/api/v1/comments', token, { pageId: pickOne(hotel.pageIds), content: 'See you at seven' }),
  },
  {
    name: 'marking read',
    group: 'write',
    perHour: 8,
    ask(person) {
      const id = person.unread.pop()
      const path = id ? `/api/v1/notifications/${id}/read` : '/api/v1/notifications/read-all'
      return json('notification', id ? 'PATCH' : 'POST', path, person.token, id ? undefined : {})
    },
  },
  {
    name: 'change of own settings',
    group: 'write',
    perHour: 0.5,
    ask: ({ memberId, token }) =>
      json('member', 'PATCH', `/settings/member/${memberId}/preferences`, token, { theme: pickOne(['light', 'dark']) }),
  },
  {
    name: 'sign-in',
    group: 'other',
    perHour: 1,
    ask: ({ email }) => ({
      ...{ service: 'auth', method: 'POST', path: '/auth/login', type: 'application/json' },
      body: JSON.stringify({ email, password }),
    }),
  },
  { name: 'upload of a picture', group: 'other', perHour: 0.5, ask: uploadOf },
]

export const perPersonAndHour = kinds.reduce((sum, { perHour }) => sum + perHour, 0)

/** A kind, chosen as often as people make its requests. */
export function anyKind(): Kind {
  let remainder = Math.random() * perPersonAndHour
  return kinds.find(({ perHour }) => (remainder -= perHour) < 0) ?? pickOne(kinds)
}

/** Sends a request. Resolves with the status, 0 for a broken connection, and the answer. */
export const sendAsked = (urls: Record<RestService, string>, { service, path, ...request }: RequestToSend) =>
  send(urls[service] + path, request).catch(() => ({ status: 0, text: '' }))
