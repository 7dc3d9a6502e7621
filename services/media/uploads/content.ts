/** Bytes from the beginning of a file that decide its type. Cameras put about 100 kB before a picture's size. */
export const sampleBytes = 256 * 1024

/** Markup is recognised within these bytes. */
const markupBytes = 64 * 1024

const unknownType = 'application/octet-stream'

/** The media type by the first bytes of a file; the uploader's claim is ignored. */
export async function typeOf(sample: Uint8Array): Promise<string> {
  const markup = markupOf(sample.subarray(0, markupBytes))
  if (markup) return markup
  const { fileTypeFromBuffer } = await import('file-type')
  const detectedType = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (detectedType) return detectedType.mime
  return isText(sample) ? 'text/plain; charset=utf-8' : unknownType
}

/** SVG, HTML and XML; also in UTF-16, which browsers read. */
function markupOf(sample: Uint8Array): string | undefined {
  const [first, second] = sample
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const bytes = utf16 ? sample.filter(byte => byte !== 0) : sample
  const text = Buffer.from(bytes).toString('latin1').toLowerCase()
  // Only a file that begins as markup counts: a picture's bytes may contain <svg by chance.
  if (!/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(text)) return undefined
  if (/<svg[\s>/:]/.test(text)) return 'image/svg+xml'
  const html = /<(!doctype html|html|head|body|script|iframe|img|a|b|p|div|style|table|title|meta|br|h1|font)[\s>/]/
  if (html.test(text)) return 'text/html'
  return /^\W*<\?xml/.test(text) ? 'application/xml' : undefined
}

/** Valid UTF-8 without control characters; a character may be cut off by the end of the sample. */
function isText(sample: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return !/[\p{Cc}--[\t\n\v\f\r]]/v.test(text)
  } catch {
    return false
  }
}
