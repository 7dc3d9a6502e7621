import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { invalid, UnsupportedMediaTypeError } from '../../services/kernel/base/errors.ts'
import { parseJson } from '../../services/kernel/rpc/door/body.ts'
import { type BodyLimits, countJson, tooLong } from '../../services/kernel/rpc/door/cost.ts'
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

/** Reads a JSON body, counted before it is parsed, or undefined without a body. Rejects with the platform's errors. */
export async function readJson(request: Request, response: Response, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined
  if (!isJson(request)) throw new UnsupportedMediaTypeError('The body must be application/json')
  if (!isUtf8(request.headers['content-type'])) throw new UnsupportedMediaTypeError('The body must be UTF-8')
  const bytes = await readBytes(request, response, limits.bytes)
  countJson(bytes, limits)
  return bytes.length > 0 ? parseJson(bytes) : {}
}

function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error ? reject(readError(error as { type?: string; status?: number }, limit)) : resolve(request.body as Buffer)
    void readerFor(limit)(request, response, next)
  })
}

function readError({ type, status }: { type?: string; status?: number }, limit: number): Error {
  if (type === 'entity.too.large') return tooLong(limit)
  if (status === 415)
    return new UnsupportedMediaTypeError('The body must be UTF-8 JSON, plain or as gzip, deflate, br or zstd')
  return invalid('body', 'could not be read', 'json')
}
