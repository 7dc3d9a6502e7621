import type { JsonObject } from '@bufbuild/protobuf'
import type { Language } from '../../kernel/base/language.ts'
import { defaultTimeZone } from '../../kernel/base/time-zone.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import type { NotificationRow } from '../tables.ts'
import { deadlineText, dueDayText, pageSummary } from './page-summary.ts'
import { type RenderedTexts, render, type TemplateValues } from './rendering.ts'
import { hasOwnMail, type Template, textsIn } from './templates.sql.ts'

/** The parts of an event that templates use. */
type Source = {
  payload: JsonObject
  workspaceName: string | undefined
  /** The workspace's time zone. */
  timeZone?: string | undefined
  actor: { name: string; type: string }
}

export type BothTexts = Record<Language, RenderedTexts>

/** Title and body of a stored notification. */
export const storedTexts = (
  { title, body, title_en, body_en }: Pick<NotificationRow, 'title' | 'body' | 'title_en' | 'body_en'>,
  language: Language | undefined,
): RenderedTexts => (language === 'en' ? { title: title_en, body: body_en } : { title, body })

/** Title and body of an event in both languages. */
export function textsFor(template: Template, event: Source): BothTexts {
  const renderIn = (language: Language) => render(textsIn(template, language), valuesOf(event, language))
  return { fr: renderIn('fr'), en: renderIn('en') }
}

/**
 * Title and body of a stored event whose data has changed, perhaps without a person's name.
 * @param template undefined when it is inactive now
 */
export function changedTexts(template: Template | undefined, event: Source): BothTexts {
  const renderIn = (language: Language): RenderedTexts =>
    template
      ? render(textsIn(template, language), { ...unknownValues(language), ...valuesOf(event, language) })
      : { title: unknownActor[language], body: '' }
  return { fr: renderIn('fr'), en: renderIn('en') }
}

const unknownValues = (language: Language): TemplateValues => ({
  memberName: unknownActor[language],
  firstName: unknownActor[language],
  lastName: '',
  email: '',
})

/** Values for the mail of a notification, by language. */
export type MailValues = Record<Language, { language: Language; values: TemplateValues }>

/** The column of a notification whose template has its own HTML; other notifications store no values. */
export const mailColumn = (template: Template, valuesByLanguage: () => MailValues): { mail_values?: string } =>
  hasOwnMail(template) ? { mail_values: JSON.stringify(valuesByLanguage()) } : {}

/** The values of an event for its mail, limited to those that the template names. */
export function mailValuesOf(template: Template, event: Source): MailValues {
  const mailValuesIn = (language: Language) => {
    const { variables } = textsIn(template, language)
    const values = Object.entries(valuesOf(event, language)).filter(([name]) => variables.includes(name))
    return { language, values: Object.fromEntries(values) }
  }
  return { fr: mailValuesIn('fr'), en: mailValuesIn('en') }
}

/** Values of an event for its template: fields of the payload, and the names around it. */
export function valuesOf({ payload, actor, workspaceName, timeZone }: Source, language: Language): TemplateValues {
  const fields = Object.entries(payload).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
  const derivedValues: Record<string, unknown> = {
    workspaceName,
    pageTitle: payload['title'],
    commentContent: payload['content'],
    reactionType: reactionIn(payload['reactionType'], language),
    dueDay: dueDayText(payload, language),
    dueTime: deadlineText(payload, timeZone ?? defaultTimeZone, language),
    pageSummary: pageSummary(payload, {
      workspaceName: workspaceName ?? unknownWorkspace[language],
      timeZone: timeZone ?? defaultTimeZone,
      language,
    }),
  }
  const definedValues = Object.entries(derivedValues).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return {
    workspaceName: unknownWorkspace[language],
    ...Object.fromEntries(fields),
    ...Object.fromEntries(definedValues),
    actorName: nameOf(actor, language),
  }
}

/** Reactions as clients show them. */
const reactions: Readonly<Record<string, Record<Language, string>>> = {
  like: { fr: '👍 J’aime', en: '👍 Like' },
  love: { fr: '❤️ J’adore', en: '❤️ Love' },
  haha: { fr: '😄 Drôle', en: '😄 Funny' },
  wow: { fr: '😮 Surprenant', en: '😮 Wow' },
  sad: { fr: '😢 Triste', en: '😢 Sad' },
  angry: { fr: '😠 En colère', en: '😠 Angry' },
}

const reactionIn = (type: unknown, language: Language): unknown =>
  typeof type === 'string' && Object.hasOwn(reactions, type) ? reactions[type]?.[language] : type

const unknownActor: Record<Language, string> = { fr: "Quelqu'un", en: 'Someone' }
const unknownWorkspace: Record<Language, string> = { fr: "l'espace de travail", en: 'the workspace' }
const platform: Record<Language, string> = { fr: 'La plateforme', en: 'The platform' }

/** Other systems keep their names; the platform's name is translated. */
function nameOf({ type, name }: Source['actor'], language: Language): string {
  const actorName = name.trim()
  if (type !== 'system') return actorName || unknownActor[language]
  return actorName === '' || actorName === systemActor.name ? platform[language] : actorName
}
