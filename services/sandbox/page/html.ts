import type { Response } from 'express'

const csp =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A section of the page, by its name in the navigation. */
export type PageSection = 'Mails' | 'Pushes' | 'Calls'
const places: [PageSection, string][] = [
  ['Mails', '/'],
  ['Pushes', '/pushes'],
  ['Calls', '/calls'],
]

type Page = { title: string; place: PageSection; main: string; counts: Record<PageSection, number> }

/** Renders one page, without scripts. */
export function show(res: Response, { title, place, main, counts }: Page): void {
  const links = places.map(
    ([name, path]) => `<a href="${path}"${name === place ? ' aria-current="page"' : ''}>${name} ${counts[name]}</a>`,
  )
  res
    .set('Content-Security-Policy', csp)
    .type('html')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · sandbox</title><link rel="stylesheet" href="/_page.css"><link rel="icon" href="data:,"></head><body>
<header><div><strong>Sandbox</strong><p>Messages sent by the platform. Nothing leaves this machine.</p><nav aria-label="Sections">${links.join('')}</nav></div></header>
<main>${main}</main></body></html>`)
}

/** A table in a card, or a sentence when it is empty. Cells are HTML. */
export function table(heads: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return `<div class="card"><p class="empty">${empty}</p></div>`
  const head = heads.map(text => `<th scope="col">${text}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="card"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

/** A list of names and values. */
export const factList = (rows: [string, string][]): string =>
  `<div class="card"><table><tbody>${rows.map(([name, cell]) => `<tr><th scope="row">${name}</th><td>${cell}</td></tr>`).join('')}</tbody></table></div>`

export const badge = (text: string): string => `<span class="badge">${escape(text)}</span>`

/** A line that unfolds to show the whole value. */
export const unfold = (line: string, value: unknown): string =>
  value === null || value === undefined
    ? line
    : `<details><summary>${line}</summary><pre>${escape(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></details>`

export const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export const time = (isoTime: string): string =>
  `<time datetime="${escape(isoTime)}">${escape(isoTime.slice(0, 19).replace('T', ' '))}</time>`
