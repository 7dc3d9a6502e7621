import type { Cipher } from '../../kernel/base/secrets.ts'
import { type About, aboutOf } from './about.ts'
import type { Config } from '../config.ts'
import type { MailJob } from '../providers/job.ts'
import type { MailValues } from '../texts/event-texts.ts'
import { mailOf, renderMail, renderOwnMail } from '../texts/rendering.ts'
import { type Templates, textsIn } from '../texts/templates.sql.ts'
import type { Language, NotificationRow } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import { unsubscribeToken } from '../settings/unsubscribe.ts'

/** A mail as it goes out. */
export type OutgoingMail = {
  /** Named after the delivery: a repetition is the same mail. */
  id: string
  to: { email: string; name: string }
  subject: string
  html: string
  text: string
  headers: Record<string, string>
}

/** Puts mails together. @returns undefined when the template of a mail is gone */
export function mailComposer(parts: {
  templates: Templates
  unsubscribe: Cipher
  config: Pick<Config, 'publicUrl' | 'FRONT_BASE_URL'>
}) {
  const { templates, unsubscribe, config } = parts
  /** The HTML of a template that had some when the notification was made. */
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
      // As written: subject = notification title (DECISIONS 39).
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
