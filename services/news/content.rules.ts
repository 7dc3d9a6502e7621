import { invalid } from '../kernel/errors.ts'

const maxContentBytes = 90_000
const maxDepth = 32

/** Keys under which editors keep addresses: url, imageUrl, href, src, link, embed and their plurals. */
const linkKey = /(?:url|uri|href|src|link|embed)s?$/i
/** Attributes of inline HTML that a click or the page itself follows. */
const linkAttribute = /\b(?:href|src|srcdoc|action|formaction|poster|background)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)/gi
const scheme = /^([a-z][a-z0-9+.-]*):/i

/** The text of an editor document, after the checks that every stored one has passed. ValidationError. */
export function contentText(content: unknown): string {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid('content', 'must be an object', 'content.object')
  inspect(content, 'content', 1, false)
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) > maxContentBytes)
    throw invalid('content', `must be at most ${maxContentBytes} bytes`, 'content.max_bytes')
  return text
}

/** Documents are stored for clients that render them: no link may run a script there, at any depth. */
function inspect(value: object, path: string, depth: number, isLink: boolean): void {
  if (depth > maxDepth) throw invalid('content', `must be nested at most ${maxDepth} levels deep`, 'content.max_depth')
  for (const [key, item] of Object.entries(value)) {
    const isList = Array.isArray(value)
    const at = isList ? `${path}[${key}]` : `${path}.${key}`
    const isAddress = isList ? isLink : linkKey.test(key)
    if (typeof item === 'object' && item !== null) inspect(item, at, depth + 1, isAddress)
    if (typeof item !== 'string') continue
    if (isAddress) checkLink(item, at)
    if (item.includes('<'))
      for (const [, address = ''] of item.matchAll(linkAttribute)) checkLink(address.replace(/^["']|["']$/g, ''), at)
  }
}

/** Addresses without a scheme stay within the client. Browsers pass over blanks and control characters in one. */
function checkLink(text: string, path: string): void {
  const named = scheme.exec(decoded(text).replace(/[\u0000-\u0020\u007f-\u00a0]+/g, ''))?.[1]?.toLowerCase()
  if (named !== undefined && named !== 'http' && named !== 'https')
    throw invalid(path, 'must be an http or https address', 'content.link')
}

const entities: Readonly<Record<string, string>> = { colon: ':', tab: '', newline: '', nbsp: '' }

/** The text with the character references of HTML that can hide a scheme. */
const decoded = (text: string): string =>
  text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/&(colon|tab|newline|nbsp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')
