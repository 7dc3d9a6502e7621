import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { ValidationError } from '../../kernel/base/errors.ts'
import { retryAfterMs } from '../../kernel/provider/failure.ts'
import { type AddressRules, ClosedAddressError, checkUrl, pinnedLookup, resolveHost } from './address.ts'
import { failureOf, timeoutMs, type WebhookFailure } from './failures.ts'

/** A signed message to an endpoint. `secrets` has two while one is rotated. */
export type WebhookCall = { url: string; id: string; secrets: readonly string[]; sentAt: Date; body: string }

/** Result of an attempt: an answer, or why none came. */
export type CallOutcome =
  | { status: number; text: string; retryAfterMs: number }
  | ({ status: undefined } & WebhookFailure)

const maxBytes = 64 * 1024
const keptCharacters = 1_000

const signedHeaders = ({ id, secrets, sentAt, body }: WebhookCall): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Platform-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
  'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, sentAt, body)).join(' '),
})

/** Posts a message to the checked address of an endpoint. Follows no redirect. */
export async function callEndpoint(
  call: WebhookCall,
  rules: AddressRules,
  stopSignal: AbortSignal,
): Promise<CallOutcome> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(timeoutMs)])
  try {
    const url = new URL(call.url)
    checkUrl(call.url, rules)
    const addresses = await abortable(resolveHost(url, rules), signal)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const body = Buffer.from(call.body)
    const request = send(url, {
      method: 'POST',
      agent: false,
      lookup: pinnedLookup(addresses),
      headers: { ...signedHeaders(call), 'content-length': body.length },
      signal,
    })
    // A switch of protocols (101) ends the connection without a response or an error.
    request.on('response', resolve).on('error', reject).on('close', reject).end(body)
    const response = await promise
    const text = await readStart(response)
    request.destroy()
    return {
      status: response.statusCode ?? 0,
      text,
      retryAfterMs: retryAfterMs(response.headers['retry-after'] ?? null),
    }
  } catch (error) {
    return { status: undefined, ...reasonOf(error, signal) }
  }
}

/** The start of an answer's text, without controls. Its status counts even when the rest of it never comes. */
async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= maxBytes) break
    }
  } catch {
    // What has arrived is enough.
  }
  const text = Buffer.concat(parts)
    .toString()
    .replaceAll(/\p{C}+/gu, ' ')
  return text.slice(0, keptCharacters).toWellFormed()
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return Promise.race([work, promise])
}

function reasonOf(error: unknown, signal: AbortSignal): WebhookFailure {
  if (signal.aborted) return failureOf('timeout')
  if (error instanceof ClosedAddressError) return failureOf('address_not_public')
  if (error instanceof ValidationError) return failureOf('address_not_allowed')
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'interrupted'
  return ['ENOTFOUND', 'ENODATA'].includes(code) ? failureOf('name_unresolved') : failureOf('connection_failed', code)
}
