import type { Language } from '../../kernel/base/language.ts'
import type { MailBrand } from '../settings/hotels.ts'
import { render, type TemplateTexts, type TemplateValues } from '../texts/rendering.ts'
import { type Link, layout } from './layout.ts'
import { previewOf } from './mail-parts.ts'
import { fillHtml, hasOwnHtml } from './own-html.ts'

type RenderedMail = { subject: string; html: string; text: string }

/** Buttons by slug. */
const buttons: Readonly<Record<string, Record<Language, string>>> = {
  password_reset: { fr: 'Choisir un mot de passe', en: 'Choose a password' },
  password_reset_code: { fr: 'Choisir un mot de passe', en: 'Choose a password' },
  verify_email: { fr: 'Confirmer mon adresse', en: 'Confirm my address' },
  account_claim: { fr: 'Choisir un mot de passe', en: 'Choose a password' },
  user_invitation: { fr: 'Choisir mon mot de passe', en: 'Choose my password' },
  member_onboarding: { fr: 'Rejoindre l’équipe', en: 'Join the team' },
  temporary_password: { fr: 'Se connecter', en: 'Sign in' },
}

const openLabel: Record<Language, string> = { fr: 'Ouvrir la plateforme', en: 'Open the platform' }
const greeting: Record<Language, (name: string) => string> = {
  fr: name => `Bonjour ${name},`,
  en: name => `Hello ${name},`,
}
const footers: Record<Language, (to: string, brand: string) => string> = {
  fr: (to, brand) => `E-mail automatique de ${brand}, envoyé à ${to}.`,
  en: (to, brand) => `Automatic e-mail from ${brand}, sent to ${to}.`,
}

type MailContext = {
  brand: MailBrand
  /** Address of the receiver. */
  to: string
  /** Start page of the front end, for mails without a link. */
  front: string
}

/** The mail of a template to an address. The title is the subject; own HTML replaces the common layout. */
export function templateMail(
  template: TemplateTexts,
  slug: string,
  variables: TemplateValues,
  mailContext: MailContext,
): RenderedMail {
  const { language } = template
  const firstName = nameIn(variables)
  const values = translateDurations({ ...variables, ...('firstName' in variables && { firstName }) }, language)
  const { title, body } = render(template, values)
  const { brand, to, front } = mailContext
  const link = linkIn(template, variables)
  const button: Link = { text: buttons[slug]?.[language] ?? openLabel[language], address: link ?? front }
  const { html, text } = layout(
    {
      language,
      title,
      preview: previewOf(body),
      greeting: firstName ? greeting[language](firstName) : undefined,
      body,
      button,
      hasAddress: link !== undefined,
      footer: footers[language](to, brand.name),
    },
    brand,
  )
  return { subject: title, html: hasOwnHtml(template) ? fillHtml(template, values) : html, text }
}

const longestName = 40

/**
 * The receiver's first name; empty for a text that holds more than a name. Anybody can register another's address, and
 * would have the platform mail their message to it.
 */
function nameIn({ firstName = '' }: TemplateValues): string {
  const name = firstName.trim()
  return name.length <= longestName && !/[\p{Cc}\u2028\u2029:/@]|\.\p{L}|\d\d/u.test(name) ? name : ''
}

const hours: Record<Language, [one: string, more: string]> = { fr: ['heure', 'heures'], en: ['hour', 'hours'] }

/** Services give durations as `4 h`. */
function translateDurations(values: TemplateValues, language: Language): TemplateValues {
  const [, count] = /^(\d+) h$/.exec(values['expiresIn'] ?? '') ?? []
  if (count === undefined) return values
  const [one, hourWords] = hours[language]
  return { ...values, expiresIn: `${count} ${Number(count) < 2 ? one : hourWords}` }
}

/** Only web addresses become links. */
function linkIn(template: TemplateTexts, values: TemplateValues): string | undefined {
  const link = template.variables.includes('link') ? values['link'] : undefined
  return link && /^https?:\/\//i.test(link) ? link : undefined
}
