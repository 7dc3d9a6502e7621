import { escapeHtml } from '../../kernel/base/text.ts'
import { fill, placeholder, type TemplateTexts, type TemplateValues } from '../texts/rendering.ts'
import type { Link } from './layout.ts'

type OwnTemplate = TemplateTexts & { email_body: string }

/** The parts around the HTML of a template that has its own. */
type OwnMailParts = { button: Link; accent: string; excerpt: string | undefined; unsubscribe: Link | undefined }

/** A template's own HTML with escaped values. */
export const fillHtml = (template: OwnTemplate, values: TemplateValues): string =>
  fill({ ...template, defaults: escapeValues(template.defaults) }, template.email_body, escapeValues(values))

/**
 * A template's own HTML for the mail of a notification. `{{link}}` and `{{excerpt}}` are always filled in; HTML without
 * `{{link}}` gets both at its end, as in the common layout.
 */
export function renderOwnMail(
  template: OwnTemplate,
  values: TemplateValues,
  { button, accent, excerpt, unsubscribe }: OwnMailParts,
): string {
  const mailValues = { link: button.address, excerpt: excerpt ?? '' }
  const variables = [...template.variables, ...Object.keys(mailValues)]
  const html = fillHtml({ ...template, variables }, { ...mailValues, ...values })
  const placeholders = new Set([...template.email_body.matchAll(placeholder)].map(([, name]) => name))
  const quote = !placeholders.has('link') && !placeholders.has('excerpt') && excerpt
  const footerRows = [
    quote ? `<blockquote>${escapeHtml(quote).replaceAll('\n', '<br>')}</blockquote>` : '',
    placeholders.has('link')
      ? ''
      : anchor(button, `padding:12px 20px;border-radius:6px;background:${accent};color:#ffffff`),
    unsubscribe ? anchor(unsubscribe, 'font-size:13px;color:#55606e') : '',
  ].join('')
  const end = html.search(/<\/body>/i)
  const position = end < 0 ? html.length : end
  return html.slice(0, position) + footerRows + html.slice(position)
}

const anchor = ({ text, address }: Link, style: string): string =>
  `<p><a href="${escapeHtml(address)}" style="display:inline-block;${style}">${escapeHtml(text)}</a></p>`

const escapeValues = (values: TemplateValues): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]))

/** Whether a template has its own HTML for mails. */
export const hasOwnHtml = (template: TemplateTexts): template is OwnTemplate => template.email_body !== null
