import { cors as protocols } from '@connectrpc/connect'
import type { RequestHandler } from 'express'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Ours, and what Connect's and gRPC-Web's clients send and read. */
const headers = [
  'Authorization',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-API-Key',
  'X-API-Secret',
  'X-Request-Id',
  ...protocols.allowedHeaders,
].join(', ')
const exposed = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Ignored-Parameters',
  'X-Request-Id',
  ...protocols.exposedHeaders,
].join(', ')

/** Cross-origin rules: the listed origins may call, with credentials in headers; nobody else gets an answer a browser hands on. */
export function cors(origins: string[]): RequestHandler {
  const allowed = new Set(origins)
  return (request, response, next) => {
    const { origin } = request.headers
    // Also without one: a cache must not hand a page what it kept for a picture of the same address.
    response.vary('Origin')
    if (!origin) return next()
    if (allowed.has(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Access-Control-Expose-Headers', exposed)
    }
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next()
    if (allowed.has(origin)) {
      response.setHeader('Access-Control-Allow-Methods', methods)
      response.setHeader('Access-Control-Allow-Headers', headers)
      response.setHeader('Access-Control-Max-Age', '600')
    }
    response.status(204).end()
  }
}
