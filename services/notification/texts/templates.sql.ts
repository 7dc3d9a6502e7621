import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import type { NotificationDb, TextTemplateRow } from '../tables.ts'
import { type DefaultTemplate, eventTemplates, mailTemplates, slugOf } from './default-templates.ts'
import type { TemplateTexts } from './rendering.ts'

/** The active texts of a slug by language. */
export type Template = { type: string; category: string; texts: Readonly<Partial<Record<Language, TemplateTexts>>> }

/** Finds templates, cached for a few seconds. */
export type Templates = { find(slug: string): Promise<Template | undefined> }

/** Adds missing default templates and renews those never changed since; edited texts stay. */
export async function seedTemplates(db: NotificationDb): Promise<void> {
  const rows = [...eventTemplates, ...mailTemplates].flatMap(rowsOf)
  const newColumnValue = (column: 'title' | 'body' | 'variables') =>
    sql<string>`if(updated_at = created_at, values(${sql.ref(column)}), ${sql.ref(column)})`
  await db
    .insertInto('templates')
    .values(rows)
    .onDuplicateKeyUpdate({
      title: newColumnValue('title'),
      body: newColumnValue('body'),
      variables: newColumnValue('variables'),
      // Otherwise the server would set it, and the row would count as edited.
      updated_at: sql<Date>`updated_at`,
    })
    .execute()
}

const rowsOf = ({ type, category, variables, texts }: DefaultTemplate) =>
  (['fr', 'en'] as const).map(language => ({
    id: newId(),
    slug: slugOf(`${type}.${category}`),
    language,
    type,
    category,
    ...texts[language],
    email_subject: null,
    email_body: null,
    variables: JSON.stringify(variables),
    default_data: null,
  }))

export function templateStore(db: NotificationDb): Templates {
  const cache = new LRUCache<string, Template>({ max: 500, ttl: 5_000 })
  return {
    async find(slug) {
      const cachedTemplate = cache.get(slug)
      if (cachedTemplate) return cachedTemplate
      const rows = await db
        .selectFrom('templates')
        .selectAll()
        .where('slug', '=', slug)
        .where('is_active', '=', 1)
        .execute()
      const [first] = rows
      if (!first) return undefined
      const texts = Object.fromEntries(rows.map(row => [row.language, textsOf(row)]))
      const template = { type: first.type, category: first.category, texts }
      cache.set(slug, template)
      return template
    },
  }
}

/** The texts in a language, else in French, else in any. */
export function textsIn(template: Template, language: Language): TemplateTexts {
  const texts = template.texts[language] ?? template.texts.fr ?? template.texts.en
  if (!texts) throw new Error('a template without texts')
  return texts
}

/** Whether it has its own HTML for mails, in any language. */
export const hasOwnMail = ({ texts }: Template): boolean =>
  Object.values(texts).some(({ email_body }) => email_body !== null)

const textsOf = (row: TextTemplateRow): TemplateTexts => ({
  language: row.language,
  title: row.title,
  body: row.body,
  email_body: row.email_body,
  variables: JSON.parse(row.variables) as string[],
  defaults: row.default_data === null ? {} : (JSON.parse(row.default_data) as Record<string, string>),
})

/** Active templates by slug and language. */
export const listTemplates = (db: NotificationDb, language: Language | undefined): Promise<TextTemplateRow[]> =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('is_active', '=', 1)
    .$if(language !== undefined, query => query.where('language', '=', language ?? 'fr'))
    .orderBy('slug')
    .orderBy('language')
    .execute()
