type ParsedMail = { headers: Record<string, string>; subject: string; from: string; text: string; html: string }

/** Parses a raw mail as far as an inbox needs: headers, the first plain part and the first HTML part. Never throws. */
export function parseMail(raw: Buffer): ParsedMail {
  const { headers, body } = split(raw)
  const found = { text: '', html: '' }
  collect(headers, body, found, 0)
  return {
    headers,
    subject: headers['subject'] ?? '',
    from: headers['from'] ?? '',
    text: found.text,
    html: found.html,
  }
}

function split(raw: Buffer): { headers: Record<string, string>; body: Buffer } {
  const text = raw.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  const headers: Record<string, string> = Object.create(null)
  for (const line of head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .slice(0, 200)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString('utf8')
    headers[line.slice(0, colon).trim().toLowerCase()] ??= decodeWords(value).slice(0, 2000)
  }
  return { headers, body: end ? raw.subarray(end.index + end[0].length) : Buffer.alloc(0) }
}

function collect(headers: Record<string, string>, body: Buffer, found: { text: string; html: string }, depth: number) {
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (/^multipart\//i.test(type) && boundary && depth < 8) {
    const parts = body.toString('latin1').split(`--${boundary}`).slice(1, 50)
    for (const part of parts) {
      if (part.startsWith('--')) break
      const inner = split(Buffer.from(part.replace(/^\r?\n/, '').replace(/\r?\n$/, ''), 'latin1'))
      collect(inner.headers, inner.body, found, depth + 1)
    }
    return
  }
  if (/attachment/i.test(headers['content-disposition'] ?? '')) return
  const charset = /charset="?([^";\s]+)"?/i.exec(type)?.[1] ?? 'utf-8'
  const text = () => decodeText(decodeTransfer(body, headers['content-transfer-encoding'] ?? ''), charset)
  if (/^text\/html/i.test(type)) found.html ||= text()
  else if (/^text\/plain/i.test(type)) found.text ||= text()
}

function decodeTransfer(body: Buffer, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(body.toString('latin1'), 'base64')
  if (!/quoted-printable/i.test(encoding)) return body
  return unquote(body.toString('latin1').replace(/[ \t]*=\r?\n/g, ''))
}

const unquote = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

// RFC 2047: =?utf-8?B?…?= and =?utf-8?Q?…?=. Adjacent words are joined as bytes, because a character may be split.
function decodeWords(value: string): string {
  return value.replace(/(?:=\?[^?\s]+\?[BbQq]\?[^?]*\?=\s*)+/g, run => {
    const words = [...run.matchAll(/=\?([^?\s]+)\?([BbQq])\?([^?]*)\?=/g)]
    const bytes = words.map(([, , kind = '', text = '']) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquote(text.replaceAll('_', ' ')),
    )
    const space = /\s$/.test(run) ? ' ' : ''
    return decodeText(Buffer.concat(bytes), words[0]?.[1]?.split('*')[0] ?? 'utf-8') + space
  })
}
