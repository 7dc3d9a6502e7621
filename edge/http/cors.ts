import { cors as protocols } from '@connectrpc/connect'
import type { RequestHandler } from 'express'
import type { Origins } from './origins.ts'

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** The platform's headers, and those of Connect's and gRPC-Web's clients. */
const allowedHeaders = [
  'Authorization',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-API-Key',
  'X-API-Secret',
  'X-Request-Id',
  ...protocols.allowedHeaders,
].join(', ')
const exposedHeaders = [
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

/** CORS rules: pages of the listed origins may read answers, with credentials; or all pages, without. */
export function cors(origins: Origins): RequestHandler {
  const isOpen = origins === '*'
  return (request, response, next) => {
    const { origin } = request.headers
    // Also without an Origin: a cache must not serve a page an answer stored for a plain picture request.
    response.vary('Origin')
    if (!origin) return next()
    const isAllowed = isOpen || origins.has(origin)
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', isOpen ? '*' : origin)
      if (!isOpen) response.setHeader('Access-Control-Allow-Credentials', 'true')
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders)
    }
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next()
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', allowedMethods)
      response.setHeader('Access-Control-Allow-Headers', allowedHeaders)
      response.setHeader('Access-Control-Max-Age', '600')
    }
    response.status(204).end()
  }
}
