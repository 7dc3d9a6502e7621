import type { JsonObject } from '@bufbuild/protobuf'
import { platformColour } from '../../kernel/base/colours/colours.ts'
import type { Language } from '../../kernel/base/language.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import type { MemberAudience } from '../audience.ts'
import type { Config } from '../config.ts'
import type { HotelChannels, MailBrand } from '../settings/hotels.ts'
import { type Unsubscription, unsubscribeToken } from '../settings/preferences.ts'
import type { NotificationRow } from '../tables.ts'
import { shownExcerpt } from '../texts/page-summary.ts'
import { truncate } from '../texts/rendering.ts'
import type { Templates } from '../texts/templates.sql.ts'
import type { Link } from './layout.ts'

/** A rendered mail. */
export type OutgoingMail = {
  /** Named after the delivery, so that a retry is the same mail. */
  id: string
  to: { email: string; name: string }
  /** The hotel's, or the platform's for mails of no single hotel. */
  senderName: string
  subject: string
  html: string
  text: string
  headers: Record<string, string>
}

export type ComposerParts = {
  templates: Templates
  unsubscribe: Cipher
  hotels: Pick<HotelChannels, 'brand' | 'language'>
  audience: MemberAudience
  config: Pick<Config, 'publicUrl' | 'FRONT_BASE_URL' | 'EMAIL_FROM_NAME'>
}

export type ComposedMail = Omit<OutgoingMail, 'id'>

const longestExcerpt = 500

/** Splits off the words of the author: the page's excerpt, or the comment itself. */
export function excerptOf(
  { type, category }: Pick<NotificationRow, 'type' | 'category'>,
  data: JsonObject,
  body: string,
): { body: string; excerpt: string | undefined } {
  if (type === 'comment' && category === 'created') return { body: '', excerpt: truncate(body, longestExcerpt) }
  const { excerpt } = data
  if (typeof excerpt !== 'string') return { body, excerpt: undefined }
  const end = shownExcerpt(data)
  const ownBody = body.endsWith(end) ? body.slice(0, body.length - end.length).trim() : body
  return { body: ownBody, excerpt: truncate(excerpt, longestExcerpt) || undefined }
}

export const footerReasons: Record<Language, (hotel: string) => string> = {
  fr: hotel => `Vous recevez cet e-mail parce que vous faites partie de ${hotel}.`,
  en: hotel => `You receive this e-mail because you are a member of ${hotel}.`,
}

const unsubscribeTexts: Record<Language, string> = {
  fr: 'Se désabonner de ces e-mails',
  en: 'Unsubscribe from these e-mails',
}

/** The visible link and the headers that end mails of a kind. */
export function unsubscribeFrom(
  { unsubscribe, config }: Pick<ComposerParts, 'unsubscribe' | 'config'>,
  unsubscription: Unsubscription,
  language: Language,
): { link: Link; headers: Record<string, string> } {
  const address = `${config.publicUrl}/api/v1/preferences/unsubscribe/${unsubscribeToken(unsubscribe, unsubscription)}`
  return {
    link: { text: unsubscribeTexts[language], address: `${address}?lang=${language}` },
    headers: { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** The look of a hotel; the platform's for mails of no single hotel. */
export const brandOf = async (
  { hotels, config }: { hotels: Pick<HotelChannels, 'brand'>; config: Pick<Config, 'EMAIL_FROM_NAME'> },
  ecosystemId: string | null,
): Promise<MailBrand> => (await hotels.brand(ecosystemId)) ?? platformBrand(config.EMAIL_FROM_NAME)

/** The look of mails of no single hotel. */
const platformBrand = (name: string): MailBrand => ({ name, logo: undefined, colour: platformColour })

const deadlineTexts: Record<Language, (time: string) => string> = {
  fr: time => `À confirmer avant le ${time}`,
  en: time => `Confirm by ${time}`,
}

/** A deadline in the receiver's time zone. */
export function confirmBy(dueAt: Date, timeZone: string, language: Language): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone } as const
  return deadlineTexts[language](new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', options).format(dueAt))
}

const longestPreview = 150

/** The text that lists of mails show beside the subject. */
export const previewOf = (text: string): string => truncate(text, longestPreview)
