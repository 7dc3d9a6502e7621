/** A Content-Disposition value (RFC 6266) for any file name: plain form for old clients, UTF-8 form beside it. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  if (!name) return kind
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
