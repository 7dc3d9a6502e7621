import type { ComponentChildren } from 'preact'
import { linkAddress } from '../platform/addresses.ts'
import { readHtml } from '../platform/trusted.ts'

/** Marks that are kept; other elements are reduced to their text. */
const elementByMark = {
  B: 'b',
  STRONG: 'strong',
  I: 'i',
  EM: 'em',
  U: 'u',
  S: 's',
  MARK: 'mark',
  CODE: 'code',
} as const
/** Elements whose text isn't meant to be read. */
const unreadElements = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'NOSCRIPT', 'OBJECT', 'SVG', 'MATH'])

/** A text of the editor with its inline marks, rebuilt from an allow-list. */
export function Inline({ html }: { html: string }) {
  return <>{rebuildInline(html)}</>
}

/** The text of a piece of inline HTML. */
export function plainText(html: string): string {
  return /[<&]/.test(html) ? (readHtml(html).textContent ?? '') : html
}

const rebuildInline = (html: string): ComponentChildren =>
  /[<&]/.test(html) ? [...readHtml(html).childNodes].map(node => buildNode(node)) : html

function buildNode(node: Node): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue
  if (!(node instanceof Element) || unreadElements.has(node.tagName.toUpperCase())) return null
  if (node.tagName === 'BR') return <br />
  const children = [...node.childNodes].map(child => buildNode(child))
  if (node.matches('span[data-member]')) return <span class="mention">{children}</span>
  if (node.tagName === 'A') return <ContentLink address={node.getAttribute('href')}>{children}</ContentLink>
  const Mark = elementByMark[node.tagName as keyof typeof elementByMark]
  return Mark ? <Mark>{children}</Mark> : children
}

/** A link that content leads to, in a new window; without a safe address, its text alone. */
export function ContentLink({ address, children }: { address: unknown; children: ComponentChildren }) {
  const href = linkAddress(address)
  if (!href) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
