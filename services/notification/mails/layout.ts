import { platformColour, readableOn, sixDigits } from '../../kernel/base/colours/colours.ts'
import type { Language } from '../../kernel/base/language.ts'
import { escapeHtml } from '../../kernel/base/text.ts'
import type { MailBrand } from '../settings/hotels.ts'

export type Link = { text: string; address: string }

/** An entry of a digest. */
export type DigestEntry = {
  title: string
  excerpt: string | undefined
  address: string
  /** Address of a picture. */
  picture?: string | undefined
  /** Until when it is to be confirmed. */
  deadline?: string | undefined
}

export type DigestSection = { title: string; entries: DigestEntry[] }

/** The content of a mail. The layout decides how it looks, for all mails alike. */
type MailContent = {
  language: Language
  title: string
  /** Shown beside the subject in lists of mails. */
  preview: string
  greeting?: string | undefined
  body: string
  quote?: string | undefined
  sections?: DigestSection[]
  /** How many more entries the inbox holds; shown below the sections. */
  moreText?: string | undefined
  button?: Link | undefined
  /** Also writes the address below the button, for links that open a single time. */
  hasAddress?: boolean
  footer: string
  unsubscribe?: Link | undefined
}

/** The hotel's colour, darker where white text would not read on it. */
export const accentOf = ({ colour }: Pick<Brand, 'colour'>): string =>
  readableOn('#fff', sixDigits(colour, platformColour))

/** A mail as HTML and as plain text of the same content. */
export const layout = (mail: MailContent, brand: MailBrand): { html: string; text: string } => ({
  html: htmlOf(mail, brand),
  text: textOf(mail, brand),
})

const copy: Record<Language, string> = {
  fr: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  en: 'If the button does not work, copy this address into your browser:',
}

function textOf(mail: MailContent, brand: MailBrand): string {
  const { greeting, body, quote, sections = [], moreText, button, footer, unsubscribe } = mail
  const digest = sections.flatMap(({ title, entries }) => [
    title.toUpperCase(),
    ...entries.map(entry =>
      [`- ${entry.title}`, entry.deadline, entry.excerpt, entry.address].filter(Boolean).join('\n  '),
    ),
  ])
  const parts = [
    brand.name,
    mail.title,
    greeting,
    body,
    quote,
    ...digest,
    moreText,
    button && `${button.text}\n${button.address}`,
    `-- \n${footer}`,
    unsubscribe && `${unsubscribe.text}\n${unsubscribe.address}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** For mail programs that read it; all else is inline. Selectors are few, because some programs drop long styles. */
const style = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){.pad{padding-left:20px!important;padding-right:20px!important}
.button a{display:block!important}}
@media (prefers-color-scheme:dark){.page{background:#0e1217!important}
.card{background:#1a2029!important;border-left-color:#303a47!important;border-right-color:#303a47!important;
border-bottom-color:#303a47!important}.ink{color:#eef1f5!important}
.soft,.soft a{color:#b3bdc9!important}.quote{background:#232b36!important;border-color:#5d6b7d!important}
.rule{border-color:#303a47!important}.button a{border-color:#8a97a8!important}}`

function htmlOf(mail: MailContent, brand: MailBrand): string {
  const { language, title, preview, greeting, body, quote, sections = [], moreText, button, footer, unsubscribe } = mail
  const accent = accentOf(brand)
  const paragraph = (text: string | undefined, extraStyle = '') =>
    text ? `<p class="ink" style="margin:0 0 16px;color:#1b212b;${extraStyle}">${lines(text)}</p>` : ''
  const bodyRows = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650;color:#1b212b">${escapeHtml(title)}</h1>`,
    paragraph(greeting),
    paragraph(body),
    quote ? quoteOf(quote) : '',
    ...sections.map(sectionOf),
    paragraph(moreText, 'margin-top:20px;'),
    button ? buttonOf(button, accent) : '',
    button && mail.hasAddress ? addressOf(language, button.address) : '',
  ]
  return (
    `<!doctype html><html lang="${language}" dir="ltr"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    `<title>${escapeHtml(title)}</title><style>${style}</style></head>` +
    `<body class="page" style="margin:0;padding:0;background:#f2f4f7;-webkit-text-size-adjust:100%">` +
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>` +
    `<table role="presentation" class="page" lang="${language}" dir="ltr" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f7">` +
    '<tr><td align="center" style="padding:24px 8px">' +
    '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->' +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;font-family:${fonts};font-size:16px;line-height:1.5;text-align:left;word-break:break-word">` +
    `<tr><td class="pad" bgcolor="${accent}" style="padding:16px 32px;background:${accent};border-radius:8px 8px 0 0">${headOf(brand)}</td></tr>` +
    `<tr><td class="card pad" style="padding:24px 32px 16px;background:#ffffff;border:1px solid #dfe4ea;border-top:0;border-radius:0 0 8px 8px">${bodyRows.join('')}</td></tr>` +
    `<tr><td class="pad soft" style="padding:16px 32px 0;font-size:13px;color:#55606e">${footOf(footer, unsubscribe)}</td></tr>` +
    '</table><!--[if mso]></td></tr></table><![endif]--></td></tr></table></body></html>'
  )
}

/** The logo stands beside the name, so that the mail is recognised without pictures too. */
function headOf({ name, logo }: MailBrand): string {
  const picture =
    logo && /^https?:\/\//i.test(logo)
      ? `<td style="padding-right:12px"><img src="${escapeHtml(logo)}" alt="Logo" height="40" style="display:block;height:40px;max-width:160px;border:0;border-radius:4px;background:#ffffff"></td>`
      : ''
  return (
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>' +
    `${picture}<td style="font-size:17px;font-weight:650;color:#fff">${escapeHtml(name)}</td></tr></table>`
  )
}

const quoteOf = (text: string): string =>
  '<blockquote class="quote ink" style="margin:0 0 20px;padding:12px 16px;border-left:3px solid #b4bdc9;' +
  `background:#f5f7f9;color:#1b212b">${lines(text)}</blockquote>`

function buttonOf({ text, address }: Link, accent: string): string {
  // The border keeps a button visible whose colour is that of the dark card.
  return (
    '<table role="presentation" class="button" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>' +
    `<td style="padding:8px 0 16px"><a href="${escapeHtml(address)}" style="display:inline-block;padding:12px 24px;` +
    `background:${accent};color:#fff;border:1px solid #767f8c;border-radius:6px;font-weight:600;` +
    `text-align:center;text-decoration:none">${escapeHtml(text)}</a></td></tr></table>`
  )
}

const addressOf = (language: Language, address: string): string =>
  `<p class="soft" style="margin:0 0 16px;font-size:13px;color:#55606e">${copy[language]}<br>` +
  `<span style="word-break:break-all">${escapeHtml(address)}</span></p>`

const sectionOf = ({ title, entries }: DigestSection): string =>
  `<h2 class="ink" style="margin:20px 0 4px;font-size:16px;font-weight:650;color:#1b212b">${escapeHtml(title)}</h2>` +
  entries.map(entryOf).join('')

function entryOf({ title, excerpt, address, picture, deadline }: DigestEntry): string {
  const line = (text: string | undefined, extraStyle = '') =>
    text ? `<div class="soft" style="font-size:14px;color:#55606e;${extraStyle}">${lines(text)}</div>` : ''
  const pictureCell = picture
    ? `<td width="96" valign="top" style="padding:10px 0 10px 16px"><img src="${escapeHtml(picture)}" alt="" width="96" style="display:block;width:96px;height:auto;border:0;border-radius:6px"></td>`
    : ''
  return (
    '<table role="presentation" class="rule" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid #dfe4ea">' +
    `<tr><td valign="top" style="padding:10px 0"><a class="ink" href="${escapeHtml(address)}" style="color:#1b212b;text-decoration:underline">${escapeHtml(title)}</a>` +
    `${line(deadline, 'font-weight:600;')}${line(excerpt)}</td>${pictureCell}</tr></table>`
  )
}

const footOf = (footer: string, unsubscribe: Link | undefined): string =>
  `<p style="margin:0 0 8px">${escapeHtml(footer)}</p>` +
  (unsubscribe
    ? `<p style="margin:0 0 8px"><a href="${escapeHtml(unsubscribe.address)}" style="color:#55606e;text-decoration:underline">${escapeHtml(unsubscribe.text)}</a></p>`
    : '')

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
