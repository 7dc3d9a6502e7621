import type { JsonObject } from '@bufbuild/protobuf'
import type { Language } from '../../kernel/base/language.ts'
import { truncate } from './rendering.ts'

type Texts = { mustRead: string; dueBy: (time: string) => string; newPage: (workspace: string) => string }

const texts: Record<Language, Texts> = {
  fr: {
    mustRead: 'Lecture obligatoire.',
    dueBy: time => `Lecture obligatoire avant le ${time}.`,
    newPage: workspace => `Une nouvelle page est à lire dans ${workspace}.`,
  },
  en: {
    mustRead: 'Must be read.',
    dueBy: time => `Must be read by ${time}.`,
    newPage: workspace => `There is a new page to read in ${workspace}.`,
  },
}

const longestSummary = 300

/** The summary of a page as its notifications show it. */
export const shownExcerpt = ({ excerpt }: JsonObject): string =>
  typeof excerpt === 'string' ? truncate(excerpt, longestSummary) : ''

/** What a new page asks of its readers, and the author's summary or where the page is. */
export function pageSummary(
  payload: JsonObject,
  { workspaceName, timeZone, language }: { workspaceName: string; timeZone: string; language: Language },
): string {
  const { mustRead, dueBy, newPage } = texts[language]
  const dueTime = deadlineText(payload, timeZone, language)
  const duty = dueTime === undefined ? mustRead : dueBy(dueTime)
  return [payload['mustRead'] === true && duty, shownExcerpt(payload) || newPage(workspaceName)]
    .filter(Boolean)
    .join('\n')
}

const dueDays: Readonly<Record<string, Record<Language, string>>> = {
  today: { fr: 'aujourd’hui', en: 'today' },
  tomorrow: { fr: 'demain', en: 'tomorrow' },
}

/** The day of a deadline in a language. */
export const dueDayText = ({ dueDay }: JsonObject, language: Language): string | undefined =>
  typeof dueDay === 'string' && Object.hasOwn(dueDays, dueDay) ? dueDays[dueDay]?.[language] : undefined

/** The deadline that a payload names. */
export function deadlineText({ dueAt }: JsonObject, timeZone: string, language: Language): string | undefined {
  const deadline = typeof dueAt === 'string' ? new Date(dueAt) : undefined
  return deadline && !Number.isNaN(deadline.getTime()) ? timeIn(deadline, timeZone, language) : undefined
}

/** `3 March 2026 at 18:00 (Europe/Paris)`: readers of one text may be in several zones. */
const timeIn = (time: Date, timeZone: string, language: Language): string =>
  `${time.toLocaleString(language === 'en' ? 'en-GB' : 'fr-FR', { timeZone, dateStyle: 'long', timeStyle: 'short' })} (${timeZone})`
