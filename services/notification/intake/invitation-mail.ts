import type { Language } from '../../kernel/base/language.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { fullName } from '../../kernel/base/text.ts'
import { defaultTimeZone } from '../../kernel/base/time-zone.ts'
import { PermanentFailure } from '../../kernel/bus/consume.ts'
import { languageOf } from '../audience.ts'
import { sealMail } from '../mails/queued.ts'
import type { HotelChannels } from '../settings/hotels.ts'
import { slugOf } from '../texts/default-templates.ts'
import { valuesOf } from '../texts/event-texts.ts'
import type { IncomingEvent } from './envelope.ts'

/** The event whose mail goes to an address: an invitee is no member yet. */
export const onboardingKey = 'member.onboarding'

/**
 * The mail of an invitation, with the link that the event carries sealed, in the event's language or that of the hotel.
 * @returns the mail, encrypted for the queue
 */
export async function invitationMail(
  event: IncomingEvent & { timeZone?: string | undefined },
  { links, mails, hotels }: { links: Cipher; mails: Cipher; hotels: Pick<HotelChannels, 'language'> },
): Promise<string> {
  const text = (name: string): string => {
    const value = event.payload[name]
    return typeof value === 'string' ? value : ''
  }
  const link = links.open(text('sealedLink'))
  if (link === undefined) throw new PermanentFailure('The link of the invitation cannot be decrypted')
  if (!text('email')) throw new PermanentFailure('The invitation has no e-mail address')
  const hotelLanguage = text('language') ? undefined : await hotels.language(event.ecosystemId)
  const language = hotelLanguage ?? languageOf(text('language'))
  const { sealedLink: _sealed, ...values } = valuesOf(event, language)
  const expiresAt = new Date(text('expiresAt'))
  const expiryDate = Number.isNaN(expiresAt.getTime()) ? '' : dateIn(expiresAt, event.timeZone, language)
  return sealMail(mails, {
    to: text('email'),
    toName: fullName(text('firstName'), text('lastName')),
    slug: slugOf(onboardingKey),
    language,
    variables: { ...values, link, roleName: roleNameOf(text('workspaceRole'), language), expiryDate },
    ...(event.ecosystemId ? { ecosystemId: event.ecosystemId } : {}),
  })
}

/** The system roles; a slug of another role is made from its name. */
const roleNames: Readonly<Record<string, Record<Language, string>>> = {
  admin: { fr: 'administrateur', en: 'administrator' },
  manager: { fr: 'responsable', en: 'manager' },
  member: { fr: 'membre', en: 'member' },
  viewer: { fr: 'lecteur', en: 'viewer' },
}

const roleNameOf = (slug: string, language: Language): string =>
  (Object.hasOwn(roleNames, slug) ? roleNames[slug]?.[language] : undefined) ?? slug.replaceAll('-', ' ')

const dateIn = (time: Date, timeZone: string | undefined, language: Language): string =>
  time.toLocaleDateString(language === 'en' ? 'en-GB' : 'fr-FR', {
    timeZone: timeZone ?? defaultTimeZone,
    dateStyle: 'long',
  })
