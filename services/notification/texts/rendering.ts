import type { TextTemplateRow } from '../tables.ts'

/** Values by variable name. */
export type TemplateValues = Readonly<Record<string, string>>

export type TemplateTexts = Pick<TextTemplateRow, 'title' | 'body' | 'email_body' | 'language'> & {
  /** Names that are filled in; other placeholders stay as they are. */
  variables: string[]
  /** Defaults for variables that an event doesn't carry. */
  defaults: TemplateValues
}

export type RenderedTexts = { title: string; body: string }

export const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9_]*)\s*\}\}/g
const maxTitle = 1000
const maxBody = 16_000

/** Title and body for people. The only renderer, for previews, notifications and mails. */
export function render(template: TemplateTexts, values: TemplateValues): RenderedTexts {
  return {
    title: cutText(oneLine(fill(template, template.title, values)), maxTitle),
    body: cutText(fill(template, template.body, values), maxBody),
  }
}

/** Variables of a template without a value. */
export const missingIn = (template: TemplateTexts, values: TemplateValues): string[] =>
  template.variables.filter(name => (ownValue(values, name) ?? ownValue(template.defaults, name)) === undefined)

/** Fills in the declared variables, in a single pass, so that braces in a value stay text. */
export function fill(template: TemplateTexts, text: string, values: TemplateValues): string {
  return text.replace(placeholder, (as: string, name: string) => {
    if (!template.variables.includes(name)) return as
    return ownValue(values, name) ?? ownValue(template.defaults, name) ?? as
  })
}

const ownValue = (values: TemplateValues, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Titles become mail subjects, where a line break would inject a header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** The start of a text, without half an emoji at its end. */
export const cutText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\ud800-\udbff]$/u, '')

/** A text cut to a length at the end of a word. */
export function truncate(text: string, maxCharacters: number): string {
  const trimmedText = text.trim()
  if (trimmedText.length <= maxCharacters) return trimmedText
  return `${cutText(trimmedText, maxCharacters).replace(/\s+\S*$/u, '')}…`
}
