import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { type Request, type RequestHandler, Router } from 'express'
import { providerError, sendProviderError } from '../provider-errors.ts'
import { type JsonFields, parseJson } from '../request-values.ts'
import type { SandboxState } from '../state.ts'

const maxBytes = 4096

/** Reads the body; the common parser refuses its content coding. */
export const readEncrypted: RequestHandler = async (req, _res, next) => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    // What is beyond the limit is enough to refuse it.
    if (size <= 2 * maxBytes) chunks.push(chunk)
  }
  req.body = Buffer.concat(chunks)
  next()
}

/**
 * A push service of browsers (RFC 8030) that takes pushes for any subscription and lists them, encrypted as they came.
 * Subscriptions that begin with `stale-` are gone.
 */
export function webPushRoutes(state: SandboxState): Router {
  return Router().post('/:subscription', (req, res) => {
    const answer = (status: number, message?: string) =>
      sendProviderError(res, status, providerError('webpush', status, message))
    const { subscription } = req.params
    if (!/^\d{1,9}$/.test(req.get('ttl') ?? '')) return answer(400, 'TTL is missing or not a number of seconds')
    if (req.get('content-encoding') !== 'aes128gcm') return answer(415, 'The content coding must be aes128gcm')
    const body = req.body as Buffer
    const fault = bodyFault(body)
    if (fault) return answer(body.length > maxBytes ? 413 : 400, fault)
    if (!isSigned(req)) return answer(403, 'The VAPID signature is missing or invalid')
    if (subscription.startsWith('stale-')) return answer(410)
    const id = randomUUID()
    state.pushes.add({
      id,
      receivedAt: new Date().toISOString(),
      provider: 'webpush',
      to: [subscription],
      title: '(encrypted)',
      body: '',
      data: { ttl: req.get('ttl'), topic: req.get('topic') ?? null, base64url: body.toString('base64url') },
    })
    res.status(201).set('Location', `/webpush/messages/${id}`).end()
  })
}

/** The head of RFC 8188: salt, record size, length of the sender's key, and that key, a point of P-256. */
const headBytes = 16 + 4 + 1 + 65

function bodyFault(body: Buffer): string | undefined {
  if (!Buffer.isBuffer(body) || body.length <= headBytes + 16) return 'The body is no encrypted record'
  if (body.length > maxBytes) return 'The body has more than 4096 bytes'
  return body[20] === 65 && body[21] === 4 ? undefined : 'The key of the sender is no point of P-256'
}

/** Whether the request has a valid token of RFC 8292: `vapid t=<JWT>, k=<key>`. */
function isSigned(req: Request): boolean {
  // The scheme's parameters are split by a comma and spaces.
  const parameters = (req.get('authorization') ?? '').replace(/^vapid\s+/i, '').split(/\s*,\s*/)
  const valueOf = (name: string) => parameters.find(text => text.startsWith(`${name}=`))?.slice(2) ?? ''
  const [head = '', claims = '', signature = ''] = valueOf('t').split('.')
  const key = Buffer.from(valueOf('k'), 'base64url')
  if (key.length !== 65) return false
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(key, 1), y: coordinate(key, 33) }
  const { aud, exp, sub } = decode(claims)
  const isOurs =
    aud === `${req.protocol}://${req.get('host')}` && typeof sub === 'string' && /^(mailto|https):/.test(sub)
  const seconds = Date.now() / 1_000
  const isCurrent = typeof exp === 'number' && exp > seconds && exp < seconds + 24 * 3_600
  if (!isOurs || !isCurrent || decode(head)['alg'] !== 'ES256') return false
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const text = Buffer.from(`${head}.${claims}`)
    return verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

const coordinate = (key: Buffer, start: number): string => key.subarray(start, start + 32).toString('base64url')
const decode = (part: string): JsonFields => parseJson(Buffer.from(part, 'base64url').toString()) ?? {}
