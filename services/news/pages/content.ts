import { invalid } from '../../kernel/base/errors.ts'

const maxContentBytes = 1024 * 1024
const maxDepth = 100

/** Keys under which editors store addresses: url, imageUrl, href, src, link, embed and their plurals. */
const linkKey = /(?:url|uri|href|src|link|embed)s?$/i
/** Blocks and keys that hold code, which clients show verbatim. */
const codeName = /^(?:inline)?code(?:[-_]?block)?$/i
/** Keys of a code block's text; its caption, for example, may be shown as HTML. */
const codeTextKey = /^(?:text|content|value)$/i
/** Start of what may be inline HTML. */
const firstTag = /<[a-z]/i
/** Attributes of inline HTML that are followed by a click or on rendering. */
const linkAttribute = /\b(?:href|src|srcdoc|action|formaction|poster|background)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)/gi
/** Schemes that run code when followed; `data:` is allowed for images. */
const runsCode = /^(?:javascript:|vbscript:|data:(?!image\/)[^,]*,)/i

/** The text of an editor document, after the checks for everything stored. Throws ValidationError. */
export function contentText(content: unknown): string {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid('content', 'must be an object', 'content.object')
  inspect(content, { path: 'content', depth: 1, isAddress: false, isCode: false })
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) > maxContentBytes)
    throw invalid('content', `must be at most ${maxContentBytes} bytes`, 'content.max_bytes')
  return text
}

/** Ids of the members whom the text of a stored document mentions. */
export const mentionsIn = (content: string): ReadonlySet<string> =>
  new Set([...content.matchAll(/<span[^<>]*? data-member=\\"([0-9a-f]{24})\\"/g)].map(([, id = '']) => id))

type Position = { path: string; depth: number; isAddress: boolean; isCode: boolean }

/** Clients render stored documents: no address may run a script, at any depth. */
function inspect(value: object, { path, depth, isAddress, isCode }: Position): void {
  if (depth > maxDepth) throw invalid('content', `must be nested at most ${maxDepth} levels deep`, 'content.max_depth')
  const isList = Array.isArray(value)
  const type = 'type' in value && typeof value.type === 'string' ? value.type : undefined
  // The document itself is no block, and a block within a code block decides for itself.
  const isCodeBlock = depth > 1 && (type === undefined ? isCode : codeName.test(type) || (isCode && type === 'text'))
  for (const [key, item] of Object.entries(value)) {
    const position = {
      path: isList ? `${path}[${key}]` : `${path}.${key}`,
      depth: depth + 1,
      isAddress: isList ? isAddress : linkKey.test(key),
      isCode: isCodeBlock,
    }
    if (typeof item === 'object' && item !== null) inspect(item, position)
    if (typeof item !== 'string') continue
    const isCodeText = codeName.test(key) || (isCodeBlock && (isList || codeTextKey.test(key)))
    checkText(item, { ...position, isCode: isCodeText })
  }
}

function checkText(text: string, { path, isAddress, isCode }: Position): void {
  if (isAddress) checkAddress(text, path)
  const tag = isCode ? -1 : text.search(firstTag)
  if (tag < 0) return
  for (const [, address = ''] of text.slice(tag).matchAll(linkAttribute))
    checkAddress(address.replace(/^["']|["']$/g, ''), path)
}

/** Browsers ignore blanks and control characters in a scheme. */
function checkAddress(text: string, path: string): void {
  if (runsCode.test(decoded(text).replace(/[\u0000-\u0020\u007f-\u00a0]+/g, '')))
    throw invalid(path, 'must not be a URL that runs code', 'content.link')
}

const entities: Readonly<Record<string, string>> = { colon: ':', tab: '', newline: '', nbsp: '' }

/** Decodes the HTML character references that can hide a scheme. */
const decoded = (text: string): string =>
  text
    .replace(/&#(?:x([0-9a-f]+)|([0-9]+));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/&(colon|tab|newline|nbsp);/gi, (_, name: string) => entities[name.toLowerCase()] ?? '')
