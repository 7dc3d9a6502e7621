import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { invalid, PayloadTooLargeError, UnsupportedMediaTypeError } from '../../services/kernel/errors.ts'

/** Largest JSON body of a route that names no other, in bytes (100 kB); uploads have their own limit. */
const usualLimit = 100 * 1000

const parsers = new Map<number, RequestHandler>()

function parserFor(limit: number): RequestHandler {
  const parser = parsers.get(limit) ?? express.json({ limit, strict: false, type: isJson })
  parsers.set(limit, parser)
  return parser
}

function isJson(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}

/** JSON is UTF-8 (RFC 8259), by any of its usual names; the parser would take other encodings of Unicode as well. */
const charset = /;\s*charset\s*=\s*["']?([^"';\s]*)/gi
const isUtf8 = (type = ''): boolean => [...type.matchAll(charset)].every(([, name = '']) => /^utf-?8$/i.test(name))

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

/**
 * Reads a JSON body, or undefined when there is none. Rejects with the platform's errors.
 * @param maxBytes the most that the route takes; 0 for the usual limit
 */
export function readJson(request: Request, response: Response, maxBytes: number): Promise<unknown> {
  if (!hasBody(request)) return Promise.resolve(undefined)
  if (!isJson(request)) return Promise.reject(new UnsupportedMediaTypeError('The body must be application/json'))
  if (!isUtf8(request.headers['content-type']))
    return Promise.reject(new UnsupportedMediaTypeError('The body must be UTF-8'))
  // The parser knows UTF-8 by one name only.
  request.headers['content-type'] = 'application/json'
  const limit = maxBytes || usualLimit
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error ? reject(readError(error as { type?: string; status?: number }, limit)) : resolve(request.body)
    void parserFor(limit)(request, response, next)
  })
}

function readError({ type, status }: { type?: string; status?: number }, limit: number): Error {
  if (type === 'entity.too.large') return new PayloadTooLargeError(`The body must not exceed ${limit} bytes`)
  if (status === 415)
    return new UnsupportedMediaTypeError('The body must be UTF-8 JSON, plain or as gzip, deflate, br or zstd')
  return invalid('body', type === 'entity.parse.failed' ? 'is not valid JSON' : 'could not be read', 'json')
}
