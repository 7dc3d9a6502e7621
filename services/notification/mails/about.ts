import type { JsonObject } from '@bufbuild/protobuf'
import { isId } from '../../kernel/base/ids.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Language, NotificationRow } from '../tables.ts'

/** What the mail of a notification shows beside its text. */
export type About = {
  /** The page of the front end with what it is about. */
  link: string
  excerpt: string | undefined
  /** A page with one button that ends such mails. */
  unsubscribe: string
}

const longestExcerpt = 500

/** Where a notification leads, what its page says in short, and the way out of such mails (R40). */
export function aboutOf(
  n: NotificationRow,
  { front, unsubscribe }: { front: string; unsubscribe: string },
  language: Language,
): About {
  const data = (n.data === null ? {} : JSON.parse(n.data)) as JsonObject
  const { excerpt } = data
  return {
    link: frontLink(front, placeOf(n, data)),
    excerpt: typeof excerpt === 'string' && excerpt.trim() !== '' ? excerpt.slice(0, longestExcerpt) : undefined,
    unsubscribe: `${unsubscribe}?lang=${language}`,
  }
}

/** The path of the front end below which each kind of thing stands. */
const places: Readonly<Record<string, { path: string; field: string }>> = {
  page: { path: '/pages', field: 'id' },
  comment: { path: '/pages', field: 'pageId' },
  like: { path: '/pages', field: 'pageId' },
  member: { path: '/members', field: 'memberId' },
  workspace: { path: '/workspaces', field: 'workspaceId' },
  hotel: { path: '/hotels', field: 'id' },
}

/** What was deleted has no page any more: the inbox tells of it. */
function placeOf({ type, category }: NotificationRow, data: JsonObject): string {
  const place = places[type]
  const id = place && (data[place.field] ?? data['id'])
  if (!place || category === 'deleted' || typeof id !== 'string' || !isId(id)) return '/notifications'
  return `${place.path}/${id}`
}
