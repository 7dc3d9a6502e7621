import type { JsonObject } from '@bufbuild/protobuf'
import { frontLink } from '../../kernel/base/front-link.ts'
import { isId } from '../../kernel/base/ids.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import type { Config } from '../config.ts'
import { unsubscribeToken } from '../settings/preferences.ts'
import type { Language, NotificationRow } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import type { MailValues } from '../texts/event-texts.ts'
import { mailOf, renderMail, renderOwnMail } from '../texts/rendering.ts'
import { type Templates, textsIn } from '../texts/templates.sql.ts'
import type { MailJob } from './queued.ts'

/** A rendered mail. */
export type OutgoingMail = {
  /** Named after the delivery, so that a retry is the same mail. */
  id: string
  to: { email: string; name: string }
  subject: string
  html: string
  text: string
  headers: Record<string, string>
}

/** Renders mails. @returns undefined when the template of a mail is gone */
export function mailComposer(parts: {
  templates: Templates
  unsubscribe: Cipher
  config: Pick<Config, 'publicUrl' | 'FRONT_BASE_URL'>
}) {
  const { templates, unsubscribe, config } = parts
  /** HTML of a template that had its own HTML when the notification was created. */
  const ownHtml = async (n: NotificationRow, spoken: Language, about: About): Promise<string | undefined> => {
    if (n.mail_values === null) return undefined
    const template = await templates.find(slugOf(`${n.type}.${n.category}`))
    if (!template) return undefined
    const { language, values } = (JSON.parse(n.mail_values) as MailValues)[spoken]
    const { email_body, ...texts } = textsIn(template, language)
    return email_body === null ? undefined : renderOwnMail({ ...texts, email_body }, values, spoken, about)
  }
  return async ({ delivery, content }: MailJob): Promise<OutgoingMail | undefined> => {
    if ('mail' in content) {
      const { to, toName, slug, language, variables } = content.mail
      const template = await templates.find(slug)
      if (!template) return undefined
      const rendered = renderMail(textsIn(template, language), variables)
      return { id: delivery.id, to: { email: to, name: toName }, headers: {}, ...rendered }
    }
    const { notification: n, person } = content
    const texts = person.language === 'en' ? { title: n.title_en, body: n.body_en } : { title: n.title, body: n.body }
    const token = unsubscribeToken(unsubscribe, person.id, `${n.type}.${n.category}`)
    const way = `${config.publicUrl}/api/v1/preferences/unsubscribe/${token}`
    const about = aboutOf(n, { front: config.FRONT_BASE_URL, unsubscribe: way }, person.language)
    const own = await ownHtml(n, person.language, about)
    const frame = mailOf(texts, person.language, about)
    return {
      id: delivery.id,
      to: { email: person.email, name: `${person.firstName} ${person.lastName}`.trim() },
      // Unchanged: the subject is the notification's title [D39].
      subject: texts.title,
      html: own ?? frame.html,
      text: frame.text,
      headers: {
        'List-Unsubscribe': `<${way}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }
  }
}

/** What the mail of a notification shows beside its text. */
type About = {
  /** Address in the front end. */
  link: string
  excerpt: string | undefined
  /** Address of a page with one button that unsubscribes from such mails. */
  unsubscribe: string
}

const longestExcerpt = 500

/** Link, excerpt and unsubscribe address of a notification [R40]. */
function aboutOf(
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

/** Front-end path and id field of each type. */
const places: Readonly<Record<string, { path: string; field: string }>> = {
  page: { path: '/pages', field: 'id' },
  comment: { path: '/pages', field: 'pageId' },
  like: { path: '/pages', field: 'pageId' },
  member: { path: '/members', field: 'memberId' },
  workspace: { path: '/workspaces', field: 'workspaceId' },
  hotel: { path: '/hotels', field: 'id' },
}

/** A deleted entity has no page: link to the inbox. */
function placeOf({ type, category }: NotificationRow, data: JsonObject): string {
  const place = places[type]
  const id = place && (data[place.field] ?? data['id'])
  if (!place || category === 'deleted' || typeof id !== 'string' || !isId(id)) return '/notifications'
  return `${place.path}/${id}`
}
