import type { Cipher } from '../../kernel/base/secrets.ts'
import { PermanentFailure } from '../../kernel/bus/consume.ts'
import { languageOf } from '../audience.ts'
import { sealMail } from '../mails/queued.ts'
import { slugOf } from '../texts/default-templates.ts'
import { valuesOf } from '../texts/event-texts.ts'
import type { IncomingEvent } from './envelope.ts'

/** The event whose mail goes to an address: an invitee is no member yet. */
export const onboardingKey = 'member.onboarding'

/**
 * The mail of an invitation, with the link that the event carries sealed.
 * @returns the mail, encrypted for the queue
 */
export function invitationMail(event: IncomingEvent, { links, mails }: { links: Cipher; mails: Cipher }): string {
  const text = (name: string): string => {
    const value = event.payload[name]
    return typeof value === 'string' ? value : ''
  }
  const link = links.open(text('sealedLink'))
  if (link === undefined) throw new PermanentFailure('The link of the invitation cannot be decrypted')
  if (!text('email')) throw new PermanentFailure('The invitation has no e-mail address')
  const language = languageOf(text('language'))
  const { sealedLink: _sealed, ...values } = valuesOf(event, language)
  return sealMail(mails, {
    to: text('email'),
    toName: `${text('firstName')} ${text('lastName')}`.trim(),
    slug: slugOf(onboardingKey),
    language,
    variables: { ...values, link },
    ...(event.ecosystemId ? { ecosystemId: event.ecosystemId } : {}),
  })
}
