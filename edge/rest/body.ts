import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { invalid, PayloadTooLargeError, UnsupportedMediaTypeError } from '../../services/kernel/base/errors.ts'
import { parseJson } from '../../services/kernel/rpc/door/body.ts'
import { hasBody } from '../http/slow.ts'

const readers = new Map<number, RequestHandler>()

function readerFor(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? express.raw({ limit, type: isJson })
  readers.set(limit, reader)
  return reader
}

function isJson(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}

/** JSON is UTF-8 (RFC 8259), by any of its usual names; the parser would accept other Unicode encodings as well. */
const charset = /;\s*charset\s*=\s*["']?([^"';\s]*)/gi
const isUtf8 = (type = ''): boolean => [...type.matchAll(charset)].every(([, name = '']) => /^utf-?8$/i.test(name))

/**
 * Reads a JSON body, or undefined without a body. Rejects with the platform's errors.
 * @param limit of the body in bytes, after decompression
 */
export function readJson(request: Request, response: Response, limit: number): Promise<unknown> {
  if (!hasBody(request)) return Promise.resolve(undefined)
  if (!isJson(request)) return Promise.reject(new UnsupportedMediaTypeError('The body must be application/json'))
  if (!isUtf8(request.headers['content-type']))
    return Promise.reject(new UnsupportedMediaTypeError('The body must be UTF-8'))
  return new Promise<Buffer>((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error ? reject(readError(error as { type?: string; status?: number }, limit)) : resolve(request.body as Buffer)
    void readerFor(limit)(request, response, next)
  }).then(bytes => (bytes.length > 0 ? parseJson(bytes) : {}))
}

function readError({ type, status }: { type?: string; status?: number }, limit: number): Error {
  if (type === 'entity.too.large') return new PayloadTooLargeError(`The body must not exceed ${limit} bytes`)
  if (status === 415)
    return new UnsupportedMediaTypeError('The body must be UTF-8 JSON, plain or as gzip, deflate, br or zstd')
  return invalid('body', 'could not be read', 'json')
}
