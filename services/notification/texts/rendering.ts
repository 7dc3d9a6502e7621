import type { Language, TemplateRow } from '../tables.ts'

/** Values by variable name. */
export type Values = Readonly<Record<string, string>>

export type TemplateTexts = Pick<TemplateRow, 'title' | 'body' | 'email_body' | 'language'> & {
  /** Names that are filled in; other placeholders stay as they are [D30]. */
  variables: string[]
  /** Defaults for variables that an event doesn't carry. */
  defaults: Values
}

export type Rendered = { title: string; body: string }
export type RenderedMail = { subject: string; html: string; text: string }

const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9_]*)\s*\}\}/g
const maxTitle = 1000
const maxBody = 16_000

/** Title and body for people. The only renderer, for previews, notifications and mails. */
export function render(template: TemplateTexts, values: Values): Rendered {
  return {
    title: oneLine(fill(template, template.title, values)).slice(0, maxTitle),
    body: fill(template, template.body, values).slice(0, maxBody),
  }
}

/** The mail of a template: its own HTML if it has some, else the common frame. The title is the subject [D39]. */
export function renderMail(template: TemplateTexts, values: Values): RenderedMail {
  const { title, body } = render(template, values)
  const html = template.email_body
  if (html === null)
    return { subject: title, ...mailOf({ title, body }, template.language, { link: linkIn(template, values) }) }
  const safe = { ...template, defaults: escaped(template.defaults) }
  return { subject: title, html: fill(safe, html, escaped(values)), text: `${title}\n\n${body}\n` }
}

const escaped = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]))

type Around = { link?: string | undefined; excerpt?: string | undefined; unsubscribe?: string | undefined }

/** A title and a text in the common frame of mails, with a text part. */
export function mailOf(
  { title, body }: Rendered,
  language: Language,
  around: Around = {},
): Omit<RenderedMail, 'subject'> {
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>` +
    `<body style="font-family:sans-serif;color:#111;max-width:600px;margin:auto;padding:24px">` +
    `<h1 style="font-size:20px">${escapeHtml(title)}</h1><p>${lines(body)}</p></body></html>`
  const { link, excerpt, unsubscribe } = around
  const text = [
    `${title}\n\n${body}`,
    excerpt,
    link,
    unsubscribe &&
      `${endMails[language]}
${unsubscribe}`,
  ]
  return { html: withAround(html, language, around), text: `${text.filter(Boolean).join('\n\n')}\n` }
}

/**
 * A template's own HTML for the mail of a notification. `{{link}}` and `{{excerpt}}` are always filled in; HTML without
 * `{{link}}` gets both appended, as in the common frame.
 */
export function renderOwnMail(
  template: TemplateTexts & { email_body: string },
  values: Values,
  language: Language,
  { link, excerpt, unsubscribe }: Around & { link: string },
): string {
  const given = { link, excerpt: excerpt ?? '' }
  const variables = [...template.variables, ...Object.keys(given)]
  const safe = { ...template, variables, defaults: escaped(template.defaults) }
  const html = fill(safe, template.email_body, escaped({ ...given, ...values }))
  const named = new Set([...template.email_body.matchAll(placeholder)].map(([, name]) => name))
  const missing = named.has('link') ? {} : { link, excerpt: named.has('excerpt') ? undefined : excerpt }
  return withAround(html, language, { ...missing, unsubscribe })
}

const continued: Record<Language, string> = { fr: 'Continuer', en: 'Continue' }
const endMails: Record<Language, string> = {
  fr: 'Se désabonner de ces e-mails',
  en: 'Unsubscribe from these e-mails',
}

/** Appends excerpt, link and a visible unsubscribe link, as far as given. */
function withAround(html: string, language: Language, { link, excerpt, unsubscribe }: Around): string {
  const quote = excerpt ? `<blockquote>${lines(excerpt)}</blockquote>` : ''
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#1d4ed8;color:#fff;` +
      `border-radius:6px;text-decoration:none">${continued[language]}</a></p>` +
      `<p style="font-size:12px;color:#555">${escapeHtml(link)}</p>`
    : ''
  const wayOut = unsubscribe
    ? `<p style="font-size:12px;color:#555"><a href="${escapeHtml(unsubscribe)}">${endMails[language]}</a></p>`
    : ''
  const end = html.search(/<\/body>/i)
  const at = end < 0 ? html.length : end
  return html.slice(0, at) + quote + button + wayOut + html.slice(at)
}

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

/** Variables of a template without a value. */
export const missingIn = (template: TemplateTexts, values: Values): string[] =>
  template.variables.filter(name => (own(values, name) ?? own(template.defaults, name)) === undefined)

/** A single pass, so that braces in a value stay text. */
function fill(template: TemplateTexts, text: string, values: Values): string {
  return text.replace(placeholder, (as: string, name: string) => {
    if (!template.variables.includes(name)) return as
    return own(values, name) ?? own(template.defaults, name) ?? as
  })
}

const own = (values: Values, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Only web addresses become links. */
function linkIn(template: TemplateTexts, values: Values): string | undefined {
  const link = template.variables.includes('link') ? values['link'] : undefined
  return link && /^https?:\/\//i.test(link) ? link : undefined
}

/** Titles become mail subjects, where a line break would inject a header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, mark => entities[mark] ?? mark)
