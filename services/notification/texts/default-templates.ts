import { readFileSync } from 'node:fs'
import type { Language } from '../../kernel/base/language.ts'

type Texts = Record<Language, { title: string; body: string }>

/** A default template. docs/contract.md fixes slug, type, category and variables, but not the texts. */
export type DefaultTemplate = { type: string; category: string; variables: string[]; texts: Texts }

type TemplateFile = Record<'events' | 'mails', Record<string, { variables: string[] } & Texts>>

const templateFile = JSON.parse(
  readFileSync(new URL('./default-templates.json', import.meta.url), 'utf8'),
) as TemplateFile

const templatesOf = (kind: keyof TemplateFile): DefaultTemplate[] =>
  Object.entries(templateFile[kind]).map(([key, { variables, fr, en }]) => {
    const [type = '', ...rest] = key.split('.')
    return { type, category: rest.join('.'), variables, texts: { fr, en } }
  })

/** One for every event type under platform.notification. */
export const eventTemplates = templatesOf('events')

/** Mails that services send by slug (MailService). */
export const mailTemplates = templatesOf('mails')

/** <type>_<category>: dots in an event's type become underscores. */
export const slugOf = (type: string): string => type.replaceAll('.', '_')
