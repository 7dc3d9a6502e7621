import { once } from 'node:events'
import { connect } from 'node:http2'

export type RawAnswer = { status: number; text: string }
type RawRequest = { type: string; body: Buffer; token?: string | undefined; encoding?: string | undefined }

/** Where bytes are sent as the body of a call, as they are. */
export type RawSurface = { name: string; send: (request: RawRequest) => Promise<RawAnswer> }

/** A surface that speaks HTTP/1.1. */
export const overHttp = (name: string, url: string, method = 'POST'): RawSurface => ({
  name,
  async send({ type, body, token, encoding }) {
    const response = await fetch(url, {
      method,
      headers: {
        'content-type': type,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
      body: new Uint8Array(body),
    })
    const text = await response.text()
    // Connect has fewer codes than HTTP has statuses; the error details contain the status.
    const detailStatus = /"status":(\d{3})\}/.exec(text)?.[1]
    return { status: url.includes('/platform.') && detailStatus ? Number(detailStatus) : response.status, text }
  },
})

const byGrpcCode = new Map([
  ['3', 400],
  ['7', 403],
  ['8', 413],
  ['12', 415],
  ['16', 401],
])

/** gRPC over HTTP/2, byte by byte. */
export const overGrpc = (base: string, path: string): RawSurface => ({
  name: 'gRPC on the RPC port',
  async send({ type, body, token, encoding }) {
    const session = connect(base)
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': type.replace('application/', 'application/grpc+'),
        te: 'trailers',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(encoding ? { 'grpc-encoding': encoding } : {}),
      })
      const head = Buffer.alloc(5)
      head[0] = encoding ? 1 : 0
      head.writeUInt32BE(body.length, 1)
      let trailers: Record<string, unknown> = {}
      stream.on('trailers', fields => (trailers = { ...fields })).on('error', () => undefined)
      stream.end(Buffer.concat([head, body]))
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      stream.resume()
      await once(stream, 'close')
      const metadata = { ...headers, ...trailers }
      const text = String(metadata['grpc-message'] ?? '')
      if (headers[':status'] !== 200) return { status: Number(headers[':status']), text }
      // Both are invalid_argument; only the message differs.
      const isPacking = decodeURIComponent(text).includes('uncompressed')
      return { status: isPacking ? 415 : (byGrpcCode.get(String(metadata['grpc-status'])) ?? 200), text }
    } finally {
      session.destroy()
    }
  },
})
