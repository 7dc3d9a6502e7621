import { linkAddress } from '../platform/addresses.ts'
import { readHtml } from '../platform/trusted.ts'

/** Inline tags that a text may have, by the tag that the browser makes. */
const tags: Record<string, string> = {
  B: 'b',
  STRONG: 'b',
  I: 'i',
  EM: 'i',
  U: 'u',
  S: 's',
  MARK: 'mark',
  CODE: 'code',
}

/** What somebody meant by an address: `hotel.example` and `name@hotel.example` lack their scheme. */
export function addressMeant(typedText: string): string | undefined {
  const text = typedText.trim()
  if (text === '') return undefined
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)) return `mailto:${text}`
  if (/^[^\s/:@]+\.[^\s:@]+$/.test(text)) return linkAddress(`https://${text}`)
  return linkAddress(text)
}

/** The nodes of a stored text, rebuilt from allowed tags. */
export function nodesOf(html: string): Node[] {
  return [...readHtml(html).childNodes].flatMap(rebuilt)
}

function rebuilt(node: Node): Node[] {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.nodeValue ?? '')]
  if (!(node.nodeType === Node.ELEMENT_NODE)) return []
  const element = node as Element
  const { tagName } = element
  if (/^(SCRIPT|STYLE|TEMPLATE|IFRAME|OBJECT)$/.test(tagName)) return []
  if (tagName === 'BR') return [document.createElement('br')]
  const children = [...element.childNodes].flatMap(rebuilt)
  const address = tagName === 'A' ? linkAddress(element.getAttribute('href') ?? '') : undefined
  const tag = address === undefined ? tags[tagName] : 'a'
  if (tag === undefined) return children
  const rebuiltElement = document.createElement(tag)
  if (address !== undefined) rebuiltElement.setAttribute('href', address)
  const name = element.getAttribute('class')
  // Editor.js marks its own inline tools by a class.
  if (name && /^[\w-]+$/.test(name) && tag !== 'a') rebuiltElement.className = name
  rebuiltElement.append(...children)
  return [rebuiltElement]
}

const escaped = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\u00a0/g, '&nbsp;')

/** The text of an editable element as it is stored. The filler that browsers put into an empty line is left out. */
export const htmlOf = (parent: Node): string => [...parent.childNodes].map(htmlOfNode).join('').replace(/<br>$/, '')

function htmlOfNode(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.nodeValue ?? '')
  if (node.nodeType !== Node.ELEMENT_NODE) return ''
  const element = node as Element
  if (element.tagName === 'BR') return '<br>'
  const inner = [...element.childNodes].map(htmlOfNode).join('')
  if (element.tagName === 'A') {
    const address = linkAddress(element.getAttribute('href') ?? '')
    return address === undefined || inner === ''
      ? inner
      : `<a href="${escaped(address).replace(/"/g, '&quot;')}">${inner}</a>`
  }
  const tag = tags[element.tagName]
  if (tag === undefined || inner === '') return inner
  const name = element.getAttribute('class')
  return `<${tag}${name && /^[\w-]+$/.test(name) ? ` class="${name}"` : ''}>${inner}</${tag}>`
}

/** Plain text as it is stored. */
export const htmlOfText = (text: string): string => escaped(text)

/** The text of a stored text without its marks. */
export const plainText = (html: string): string => readHtml(html.replace(/<br>/g, '\n')).textContent ?? ''
