import type { Cipher } from '../kernel/secrets.ts'
import type { Config } from './config.ts'
import type { MailJob } from './delivery-job.ts'
import { mailOf, renderMail } from './rendering.ts'
import { type Templates, textsIn } from './templates.sql.ts'
import { slugOf } from './template-texts.ts'
import { unsubscribeToken } from './unsubscribe.ts'

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
export function mailComposer(parts: { templates: Templates; unsubscribe: Cipher; config: Pick<Config, 'publicUrl'> }) {
  const { templates, unsubscribe, config } = parts
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
    const template = await templates.find(slugOf(`${n.type}.${n.category}`))
    const own = template && textsIn(template, person.language).email_body
    const frame = mailOf(texts, person.language)
    const token = unsubscribeToken(unsubscribe, person.id, `${n.type}.${n.category}`)
    return {
      id: delivery.id,
      to: { email: person.email, name: `${person.firstName} ${person.lastName}`.trim() },
      // As written: subject = notification title (DECISIONS 39).
      subject: texts.title,
      html: own && template ? renderMail(textsIn(template, person.language), valuesIn(n.data, texts)).html : frame.html,
      text: frame.text,
      headers: {
        'List-Unsubscribe': `<${config.publicUrl}/api/v1/preferences/unsubscribe/${token}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }
  }
}

/** For templates with HTML of their own: the data of the notification, and its rendered texts. */
function valuesIn(data: string | null, texts: { title: string; body: string }): Record<string, string> {
  const fields: unknown = data === null ? {} : JSON.parse(data)
  const entries = Object.entries(fields as object).filter(([, value]) => typeof value === 'string')
  return { ...Object.fromEntries(entries), ...texts }
}
