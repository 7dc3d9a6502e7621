/** An address without a scheme begins with a host: www.hotel.example/menu. */
const hostFirst = /^[^:/?#\s]*\.[^:/?#.\s]+(?:[/?#]|$)/

/** The address with `https:` where its scheme is missing. */
const withScheme = (text: string): string => {
  if (text.startsWith('//')) return `https:${text}`
  return hostFirst.test(text) ? `https://${text}` : text
}

/** The address when it leads to a host and has one of the schemes; undefined for anything else. */
function addressWith(schemes: readonly string[], value: unknown): string | undefined {
  const text = typeof value === 'string' ? withScheme(value) : ''
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return schemes.includes(protocol) ? href : undefined
}

/** An address that a link in content may lead to, also on this site; undefined for one that could run code. */
export function linkAddress(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[/#?]/.test(text) || addressWith(['http:', 'https:', 'mailto:', 'tel:'], text) ? withScheme(text) : undefined
}

/** An address of a file on the web. */
export const fileAddress = (value: unknown): string | undefined => addressWith(['http:', 'https:'], value)

/** An address of a picture, which content may also hold itself. No picture runs a script. */
export const pictureAddress = (value: unknown): string | undefined =>
  fileAddress(value) ?? (typeof value === 'string' && /^data:image\//i.test(value) ? value : undefined)

/** The name at the end of a file's address. */
export function fileName(address: string): string {
  const lastSegment = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(lastSegment) || new URL(address).host
  } catch {
    return lastSegment
  }
}
