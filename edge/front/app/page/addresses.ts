/** The address when it is absolute and has one of the schemes; undefined for anything else. */
function addressWith(schemes: readonly string[], value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { protocol, href } = new URL(value)
  return schemes.includes(protocol) ? href : undefined
}

/** An address that a link in content may lead to, also on this site; undefined for one that could run code. */
export function linkAddress(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[/#?]/.test(text) || addressWith(['http:', 'https:', 'mailto:', 'tel:'], text) ? text : undefined
}

/** An address of a file on the web. */
export const fileAddress = (value: unknown): string | undefined => addressWith(['http:', 'https:'], value)

/** An address of a picture, which content may also hold itself. No picture runs a script. */
export const pictureAddress = (value: unknown): string | undefined =>
  fileAddress(value) ?? (typeof value === 'string' && /^data:image\//i.test(value) ? value : undefined)

/** The name at the end of a file's address. */
export function fileName(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || new URL(address).host
  } catch {
    return last
  }
}
