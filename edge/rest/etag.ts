/**
 * Whether an If-None-Match header names an entity tag (RFC 9110, 13.1.2). Its weak form matches too: compressing
 * proxies weaken tags.
 * @param etag with its quotes
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
