import type { JsonObject } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { DigestPage } from '../../../gen/platform/news/v1/digest_pb.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Language } from '../../kernel/base/language.ts'
import { fullName, webAddress } from '../../kernel/base/text.ts'
import { defaultTimeZone } from '../../kernel/base/time-zone.ts'
import type { Recipient } from '../audience.ts'
import type { UnreadNews } from '../digests/news.ts'
import { digestCategory } from '../settings/preferences.ts'
import type { NotificationRow } from '../tables.ts'
import { storedTexts } from '../texts/event-texts.ts'
import { truncate } from '../texts/rendering.ts'
import { buttonOf, inboxLink } from './buttons.ts'
import { type DigestEntry, type DigestSection, layout } from './layout.ts'
import {
  brandOf,
  type ComposedMail,
  type ComposerParts,
  confirmBy,
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

type Texts = {
  subject(hotel: string, count: number): string
  title: string
  body: string
  mustReads: string
  news: string
  morePages(count: number): string
  moreText(count: number): string
  newsButton: string
}

const texts: Record<Language, Texts> = {
  fr: {
    subject: (hotel, count) => `${hotel}\u00a0: ${count} ${count < 2 ? 'nouveauté' : 'nouveautés'}`,
    title: 'Les nouveautés',
    body: 'Voici ce que vous n’avez pas encore lu.',
    mustReads: 'À lire et à confirmer',
    news: 'Actualités',
    morePages: count => (count < 2 ? 'Une autre page vous attend.' : `${count} autres pages vous attendent.`),
    moreText: count =>
      count < 2
        ? 'Une autre vous attend dans vos notifications.'
        : `${count} autres vous attendent dans vos notifications.`,
    newsButton: 'Ouvrir les actualités',
  },
  en: {
    subject: (hotel, count) => `${hotel}: ${count} ${count === 1 ? 'update' : 'updates'}`,
    title: 'What’s new',
    body: 'Here is what you have not read yet.',
    mustReads: 'To read and confirm',
    news: 'News',
    morePages: count => (count === 1 ? 'And 1 more page.' : `And ${count} more pages.`),
    moreText: count => (count === 1 ? 'And 1 more in your notifications.' : `And ${count} more in your notifications.`),
    newsButton: 'Open the news',
  },
}

/** A digest: unread pages, the newest notifications by kind, and how many more there are. */
export async function digestMail(
  parts: ComposerParts,
  { person, news, notifications }: Digest['digest'],
): Promise<ComposedMail> {
  const { language } = person
  const front = parts.config.FRONT_BASE_URL
  const words = texts[language]
  const listedNotifications = notifications.slice(0, maxEntries)
  const unlistedCount = notifications.length - listedNotifications.length
  const hotels = new Set(
    await Promise.all([
      ...notifications.map(notification => hotelOf(parts, notification)),
      ...news.pages.map(async page => (await parts.audience.workspace(page.workspaceId))?.ecosystemId),
    ]),
  )
  const [onlyHotelId = null, ...otherHotelIds] = hotels
  const hotelId = otherHotelIds.length > 0 ? null : onlyHotelId
  const brand = await brandOf(parts, hotelId)
  const unsubscription = { memberId: person.id, category: digestCategory, hotelId }
  const unsubscribeLink = unsubscribeFrom(parts, unsubscription, language)
  const newsSections = await newsSectionsOf(parts, person, news)
  const notificationSections = [...Map.groupBy(listedNotifications, notification => headingOf(notification, language))]
    .toSorted(([one], [two]) => headingPosition(one, language) - headingPosition(two, language))
    .map(([title, group]) => ({ title, entries: group.map(notification => entryOf(notification, language, front)) }))
  const sections = [...newsSections, ...notificationSections]
  const unlistedPages = news.total - news.pages.length
  const moreTexts = [
    ...(unlistedPages > 0 ? [words.morePages(unlistedPages)] : []),
    ...(unlistedCount > 0 ? [words.moreText(unlistedCount)] : []),
  ]
  const content = layout(
    {
      language,
      title: words.title,
      preview: previewOf(sections.flatMap(({ entries }) => entries.map(({ title }) => title)).join(' · ')),
      body: words.body,
      sections,
      moreText: moreTexts.join(' ') || undefined,
      button: news.total > 0 ? { text: words.newsButton, address: frontLink(front, '/') } : inboxLink(front, language),
      footer: footerReasons[language](brand.name),
      unsubscribe: unsubscribeLink.link,
    },
    brand,
  )
  return {
    to: { email: person.email, name: fullName(person.firstName, person.lastName) },
    senderName: brand.name,
    subject: words.subject(brand.name, news.total + notifications.length),
    headers: unsubscribeLink.headers,
    ...content,
  }
}

/** Must-reads, then other pages. */
async function newsSectionsOf(
  { audience, config }: ComposerParts,
  { language, timezone }: Recipient,
  { pages }: UnreadNews,
): Promise<DigestSection[]> {
  const words = texts[language]
  const entryOf = async (page: DigestPage): Promise<DigestEntry> => {
    const zone = timezone ?? (await audience.workspace(page.workspaceId))?.timeZone ?? defaultTimeZone
    return {
      title: page.title,
      excerpt: truncate(page.excerpt ?? '', longestExcerpt) || undefined,
      address: frontLink(config.FRONT_BASE_URL, `/pages/${page.id}`),
      picture: webAddress(page.pictureUrl ?? ''),
      deadline: page.dueAt && confirmBy(timestampDate(page.dueAt), zone, language),
    }
  }
  const [mustReads, otherPages] = [pages.filter(page => page.isMustRead), pages.filter(page => !page.isMustRead)]
  return [
    ...(mustReads.length > 0 ? [{ title: words.mustReads, entries: await Promise.all(mustReads.map(entryOf)) }] : []),
    ...(otherPages.length > 0 ? [{ title: words.news, entries: await Promise.all(otherPages.map(entryOf)) }] : []),
  ]
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
