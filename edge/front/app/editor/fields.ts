import type { Page, Poll } from '../../../../gen/client/news.ts'

/** What an editor changes of a page. */
export const fieldsOf = (page: Page) => ({
  title: page.title,
  excerpt: page.excerpt ?? '',
  pageType: page.pageType,
  categoryId: page.category?.id ?? null,
  parent: page.parent,
  medias: page.medias,
  content: page.content ?? { blocks: [] },
  enableComments: page.enableComments,
  enableLikes: page.enableLikes,
  enableNotifications: page.enableNotifications,
  eventStartsAt: page.eventStartsAt,
  eventEndsAt: page.eventEndsAt,
  eventLocation: page.eventLocation,
})
export type Fields = ReturnType<typeof fieldsOf>

export const emptyFields = (): Fields => ({
  title: '',
  excerpt: '',
  pageType: 'article',
  categoryId: null,
  parent: null,
  medias: [],
  content: { blocks: [] },
  enableComments: true,
  enableLikes: true,
  enableNotifications: true,
  eventStartsAt: null,
  eventEndsAt: null,
  eventLocation: null,
})

export const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ, in the form that the routes take: a parent by its id, a blank summary as none. */
export const differingFields = (one: Fields, other: Fields): (keyof Fields)[] =>
  (Object.keys(one) as (keyof Fields)[]).filter(
    name => !isEqual(bodyOf({ [name]: one[name] }), bodyOf({ [name]: other[name] })),
  )

/** The fields in the form that the routes take. */
export function bodyOf(fields: Partial<Fields>) {
  const { parent, excerpt, ...rest } = fields
  return {
    ...rest,
    ...(excerpt === undefined ? {} : { excerpt: excerpt.trim() === '' ? null : excerpt }),
    ...(parent === undefined ? {} : { parentId: parent?.id ?? null }),
  }
}

/** Whether the page is still empty, so that no draft needs to be saved. */
export const isBlank = ({ fields, poll }: { fields: Fields; poll: PollInput }): boolean => {
  const { title, excerpt, content, medias, pageType, eventStartsAt, eventEndsAt, eventLocation } = fields
  const hasEvent = pageType === 'event' && Boolean(eventStartsAt || eventEndsAt || eventLocation)
  const hasPoll = pageType === 'poll' && !isEqual(poll, pollInputOf(undefined))
  return !`${title}${excerpt}`.trim() && medias.length === 0 && isEqual(content['blocks'], []) && !hasEvent && !hasPoll
}

/** A poll as it is written. */
export type PollInput = { question: string; options: string[]; multipleChoice: boolean; closesAt: string | null }

export const pollInputOf = (poll: Poll | undefined): PollInput => ({
  question: poll?.question ?? '',
  options: poll?.options.map(({ label }) => label) ?? ['', ''],
  multipleChoice: poll?.multipleChoice ?? false,
  closesAt: poll?.closesAt ?? null,
})

const texts = ({ options }: PollInput): string[] => options.map(option => option.trim()).filter(Boolean)

/** Whether it has the two different options that a poll needs. */
export const isReady = (poll: PollInput): boolean => texts(poll).length >= 2 && !hasTwins(poll)

export const hasTwins = (poll: PollInput): boolean => new Set(texts(poll)).size < texts(poll).length

export const pollBodyOf = (poll: PollInput) => ({
  question: poll.question.trim() || null,
  options: texts(poll),
  multipleChoice: poll.multipleChoice,
  closesAt: poll.closesAt,
})
