import { createHmac, timingSafeEqual } from 'node:crypto'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signatureOf = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/** A token of three parts, HS256, valid for a day. */
export function signToken(secret: string, sub: string): string {
  const unsigned = `${encode({ alg: 'HS256' })}.${encode({ sub, exp: Date.now() / 1000 + 86_400 })}`
  return `${unsigned}.${signatureOf(secret, unsigned).toString('base64url')}`
}

/** The subject of a request's token; undefined for anything but a valid one. */
export function subjectOf(secret: string, header: string | undefined): string | undefined {
  const [head = '', body = '', signature = ''] = header?.replace(/^Bearer /, '').split('.') ?? []
  const rightSignature = signatureOf(secret, `${head}.${body}`)
  const sentSignature = Buffer.from(signature, 'base64url')
  if (sentSignature.length !== rightSignature.length || !timingSafeEqual(sentSignature, rightSignature))
    return undefined
  const { sub, exp } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { sub: string; exp: number }
  return exp > Date.now() / 1000 ? sub : undefined
}
