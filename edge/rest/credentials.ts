import type { Request } from 'express'

/** Headers that an RPC gets as the client sent them. */
export const forwardedHeaders = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'user-agent',
  'accept-language',
  'if-match',
  'idempotency-key',
] as const

/** A header for the RPC; undefined when it is absent or given more than once. */
function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Headers of a request for its RPC: credentials unchanged, the client's address and the request id. */
export function rpcHeaders(request: Request, requestId: string): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': requestId }
  for (const name of forwardedHeaders) {
    const value = headerOf(request, name)
    if (value !== undefined) headers[name] = value
  }
  // Express reads X-Forwarded-For only as far as TRUST_PROXY_HOPS allows.
  if (request.ip) headers['x-client-ip'] = request.ip
  return headers
}
