import type { JsonObject } from '@bufbuild/protobuf'
import type { Language } from '../../kernel/base/language.ts'
import { digestCategory } from '../settings/preferences.ts'
import type { NotificationRow } from '../tables.ts'
import { storedTexts } from '../texts/event-texts.ts'
import { truncate } from '../texts/rendering.ts'
import { buttonOf, inboxLink } from './buttons.ts'
import { type DigestEntry, layout } from './layout.ts'
import {
  brandOf,
  type ComposedMail,
  type ComposerParts,
  excerptOf,
  footerReasons,
  previewOf,
  unsubscribeFrom,
} from './mail-parts.ts'
import type { Digest } from './queued.ts'

/** Entries of one mail; the rest is in the inbox. */
const maxEntries = 20
const longestExcerpt = 140

/** Headings by type and category, in the order of the mail. */
const headings: Readonly<Record<string, Record<Language, string>>> = {
  'page.created': { fr: 'Pages publiées', en: 'New pages' },
  'page.updated': { fr: 'Pages modifiées', en: 'Updated pages' },
  'page.deleted': { fr: 'Pages supprimées', en: 'Deleted pages' },
  'page.mentioned': { fr: 'Mentions de vous', en: 'Mentions of you' },
  'comment.created': { fr: 'Commentaires', en: 'Comments' },
  'comment.deleted': { fr: 'Commentaires supprimés', en: 'Deleted comments' },
  'like.created': { fr: 'Réactions', en: 'Reactions' },
  'message.direct': { fr: 'Messages', en: 'Messages' },
  'member.registered': { fr: 'Nouveaux collègues', en: 'New colleagues' },
  'workspace.member_joined': { fr: 'Nouveaux collègues', en: 'New colleagues' },
  'member.updated': { fr: 'Profils modifiés', en: 'Updated profiles' },
  'member.deleted': { fr: 'Départs', en: 'Departures' },
  'workspace.member_left': { fr: 'Départs', en: 'Departures' },
  'workspace.created': { fr: 'Espaces de travail', en: 'Workspaces' },
  'hotel.created': { fr: 'Hôtels', en: 'Hotels' },
  'hotel.updated': { fr: 'Hôtels', en: 'Hotels' },
  'hotel.deleted': { fr: 'Hôtels', en: 'Hotels' },
}
const otherHeading: Record<Language, string> = { fr: 'Autres', en: 'Other' }

type Texts = { subject(count: number): string; title: string; body: string; moreText(count: number): string }

const texts: Record<Language, Texts> = {
  fr: {
    subject: count =>
      count < 2 ? 'Votre récapitulatif\u00a0: 1 nouveauté' : `Votre récapitulatif\u00a0: ${count} nouveautés`,
    title: 'Votre récapitulatif',
    body: "Voici ce que vous n'avez pas encore lu.",
    moreText: count =>
      count < 2
        ? 'Une autre vous attend dans vos notifications.'
        : `${count} autres vous attendent dans vos notifications.`,
  },
  en: {
    subject: count => (count === 1 ? 'Your digest: 1 update' : `Your digest: ${count} updates`),
    title: 'Your digest',
    body: 'Here is what you have not read yet.',
    moreText: count => (count === 1 ? 'And 1 more in your notifications.' : `And ${count} more in your notifications.`),
  },
}

/** A digest: the newest notifications by kind, and how many more the inbox holds. */
export async function digestMail(
  parts: ComposerParts,
  { person, notifications }: Digest['digest'],
): Promise<ComposedMail> {
  const { language } = person
  const front = parts.config.FRONT_BASE_URL
  const words = texts[language]
  const listedNotifications = notifications.slice(0, maxEntries)
  const unlistedCount = notifications.length - listedNotifications.length
  const hotels = new Set(await Promise.all(notifications.map(notification => hotelOf(parts, notification))))
  const brand = await brandOf(parts, hotels.size === 1 ? [...hotels][0] : undefined)
  const unsubscribeLink = unsubscribeFrom(parts, person.id, digestCategory, language)
  const sections = [...Map.groupBy(listedNotifications, notification => headingOf(notification, language))]
    .toSorted(([one], [two]) => headingPosition(one, language) - headingPosition(two, language))
    .map(([title, group]) => ({ title, entries: group.map(notification => entryOf(notification, language, front)) }))
  const content = layout(
    {
      language,
      title: words.title,
      preview: previewOf(
        listedNotifications.map(notification => storedTexts(notification, language).title).join(' · '),
      ),
      body: words.body,
      sections,
      moreText: unlistedCount > 0 ? words.moreText(unlistedCount) : undefined,
      button: inboxLink(front, language),
      footer: footerReasons[language](brand.name),
      unsubscribe: unsubscribeLink.link,
    },
    brand,
  )
  return {
    to: { email: person.email, name: `${person.firstName} ${person.lastName}`.trim() },
    subject: words.subject(notifications.length),
    headers: unsubscribeLink.headers,
    ...content,
  }
}

const hotelOf = async ({ audience }: ComposerParts, n: NotificationRow): Promise<string | undefined> =>
  n.ecosystem_id ?? (await audience.workspace(n.workspace_id))?.ecosystemId

const headingOf = ({ type, category }: NotificationRow, language: Language): string =>
  (headings[`${type}.${category}`] ?? otherHeading)[language]

const headingPosition = (heading: string, language: Language): number => {
  const position = Object.values(headings).findIndex(headingTexts => headingTexts[language] === heading)
  return position < 0 ? Object.keys(headings).length : position
}

function entryOf(n: NotificationRow, language: Language, front: string): DigestEntry {
  const data = (n.data === null ? {} : JSON.parse(n.data)) as JsonObject
  const notificationTexts = storedTexts(n, language)
  const { body, excerpt } = excerptOf(n, data, notificationTexts.body)
  return {
    title: notificationTexts.title,
    excerpt: truncate(excerpt ?? body, longestExcerpt) || undefined,
    address: buttonOf(n, data, front, language).address,
  }
}
