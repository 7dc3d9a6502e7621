import type { JsonObject } from '@bufbuild/protobuf'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Language } from '../../kernel/base/language.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { NotificationRow } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import { type MailValues, storedTexts } from '../texts/event-texts.ts'
import { textsIn } from '../texts/templates.sql.ts'
import { buttonOf } from './buttons.ts'
import { digestMail } from './digest.ts'
import { accentOf, layout } from './layout.ts'
import {
  brandOf,
  type ComposedMail,
  type ComposerParts,
  excerptOf,
  footerReasons,
  type OutgoingMail,
  previewOf,
  unsubscribeFrom,
} from './mail-parts.ts'
import { hasOwnHtml, renderOwnMail } from './own-html.ts'
import type { MailJob, ToAddress, ToMember } from './queued.ts'
import { templateMail } from './template-mail.ts'

/** Renders mails. @returns undefined when the template of a mail is gone */
export function mailComposer(parts: ComposerParts) {
  return async ({ delivery: { id }, content }: MailJob): Promise<OutgoingMail | undefined> => {
    const mail = await composeMail(parts, content)
    return mail && { id, ...mail }
  }
}

const composeMail = async (parts: ComposerParts, content: MailJob['content']): Promise<ComposedMail | undefined> => {
  if ('mail' in content) return composeToAddress(parts, content)
  return 'digest' in content ? digestMail(parts, content.digest) : composeToMember(parts, content)
}

/** A mail to an address, in the language and look of the member with that address. */
async function composeToAddress(parts: ComposerParts, { mail }: ToAddress): Promise<ComposedMail | undefined> {
  const { templates, audience, config } = parts
  const template = await templates.find(mail.slug)
  if (!template) return undefined
  // The notice of a changed address goes to the former one, which belongs to no member now.
  const member = await audience.withAddress([mail.to, mail.variables['email'] ?? ''])
  const hotelLanguage = member ? undefined : await parts.hotels.language(mail.ecosystemId ?? null)
  const language = mail.language ?? member?.language ?? hotelLanguage ?? mail.fallbackLanguage ?? 'fr'
  const hotels = mail.ecosystemId || !member ? [] : await audience.hotelsOf(member.id)
  const brand = await brandOf(parts, mail.ecosystemId ?? (hotels.length === 1 ? (hotels[0] ?? null) : null))
  const renderedMail = templateMail(textsIn(template, language), mail.slug, mail.variables, {
    brand,
    to: mail.to,
    front: frontLink(config.FRONT_BASE_URL, '/'),
  })
  return { to: { email: mail.to, name: mail.toName }, senderName: brand.name, headers: {}, ...renderedMail }
}

async function composeToMember(parts: ComposerParts, { notification: n, person }: ToMember): Promise<ComposedMail> {
  const { language } = person
  const texts = storedTexts(n, language)
  const data = (n.data === null ? {} : JSON.parse(n.data)) as JsonObject
  const button = buttonOf(n, data, parts.config.FRONT_BASE_URL, language)
  const { body, excerpt } = excerptOf(n, data, texts.body)
  const hotelId = n.ecosystem_id ?? (await parts.audience.workspace(n.workspace_id))?.ecosystemId ?? null
  const brand = await brandOf(parts, hotelId)
  const unsubscription = { memberId: person.id, category: `${n.type}.${n.category}`, hotelId }
  const unsubscribeLink = unsubscribeFrom(parts, unsubscription, language)
  const { html, text } = layout(
    {
      language,
      title: texts.title,
      preview: previewOf(excerpt ?? body),
      body,
      quote: excerpt,
      button,
      footer: footerReasons[language](brand.name),
      unsubscribe: unsubscribeLink.link,
    },
    brand,
  )
  const ownMail = await ownHtml(parts, n, language, {
    button,
    accent: accentOf(brand),
    excerpt,
    unsubscribe: unsubscribeLink.link,
  })
  return {
    to: { email: person.email, name: fullName(person.firstName, person.lastName) },
    senderName: brand.name,
    // Unchanged: the subject is the notification's title.
    subject: texts.title,
    html: ownMail ?? html,
    text,
    headers: unsubscribeLink.headers,
  }
}

/** The mail by the template's own HTML, if the template had such HTML when the notification was created. */
async function ownHtml(
  { templates }: ComposerParts,
  n: NotificationRow,
  readerLanguage: Language,
  mailParts: Parameters<typeof renderOwnMail>[2],
): Promise<string | undefined> {
  if (n.mail_values === null) return undefined
  const template = await templates.find(slugOf(`${n.type}.${n.category}`))
  if (!template) return undefined
  const { language, values } = (JSON.parse(n.mail_values) as MailValues)[readerLanguage]
  const texts = textsIn(template, language)
  return hasOwnHtml(texts) ? renderOwnMail(texts, values, mailParts) : undefined
}
