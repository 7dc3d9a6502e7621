/**
 * Whether If-None-Match or If-Match names an entity tag (RFC 9110, 13.1). Its weak form counts too: proxies make one when
 * they compress the answer.
 * @param etag with its quotes
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
