import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { matchesEtag } from '../../services/kernel/base/text.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** The scripts, styles and fonts that `npm run build` bundles. */
const builtFiles = new URL('../../dist/', import.meta.url)

/** One of them. Throws when they aren't built. */
export function builtFile(name: string): Buffer {
  try {
    return readFileSync(new URL(name, builtFiles))
  } catch (error) {
    throw new Error(`dist/${name} can't be read: run npm run build first`, { cause: error })
  }
}

export const builtText = (name: string): string => builtFile(name).toString()

/** Whether a name carries a digest of the content, as the bundler's parts and fonts do. */
const isNamedByContent = (name: string): boolean => /-[A-Z0-9]{8}\.(js|woff2)$/.test(name)

/** The files of a folder of the bundles whose names carry a digest, by their names. */
export const filesNamedByContent = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, builtFiles)).filter(isNamedByContent)

/** A short digest of a file's content. */
export const digestOf = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22)

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) }
/** The shortest first. */
const encodings = ['br', 'gzip'] as const

/** Sends a text in the shortest form that the browser takes. Each form is made once. */
function textSender(body: string | Buffer) {
  const forms = new Map<string, Promise<Buffer>>()
  return async (request: Request, response: Response): Promise<void> => {
    // Each alone: asked for the best of several, it answers what the browser names first, which is gzip.
    const encoding = encodings.find(one => request.acceptsEncodings(one))
    if (!encoding) return void response.send(body)
    const form = forms.get(encoding) ?? compressions[encoding](body)
    forms.set(encoding, form)
    response.setHeader('Content-Encoding', encoding)
    response.send(await form)
  }
}

/**
 * Serves one file of a page, compressed where the browser takes it. Browsers ask each time whether it changed, unless
 * the address names this content, by the file's name or as `?v=`.
 * @param name gives the type by its extension
 */
export function pageFile(name: string, body: string | Buffer): RequestHandler {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const digest = digestOf(body)
  const etag = `"${digest}"`
  const sendText = /^(image\/png|font\/)/.test(type) ? undefined : textSender(body)
  return (request: Request, response: Response) => {
    const isNamed = isNamedByContent(name) || request.url.endsWith(`?v=${digest}`)
    response.set({ ETag: etag, 'Cache-Control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache' })
    if (sendText) response.vary('Accept-Encoding')
    if (matchesEtag(request.headers['if-none-match'], etag)) return void response.status(304).end()
    response.setHeader('Content-Type', type)
    return sendText ? sendText(request, response) : void response.send(body)
  }
}

/** Serves files under their paths. */
export function pageFiles(files: { path: string; name: string; body: string | Buffer }[]): Router {
  const router = Router()
  for (const { path, name, body } of files) router.get(path, pageFile(name, body))
  return router
}

/** A file that pages of any origin may load, and the rest of its content policy. */
type SharedFile = { path: string; type: string; text: string; policy?: string }

/** Serves files to pages of any origin. */
export function sharedFiles(files: SharedFile[]): Router {
  const router = Router()
  for (const { path, type, text, policy = "default-src 'none'" } of files) {
    const etag = `"${digestOf(text)}"`
    const sendText = textSender(text)
    router.get(path, (request: Request, response: Response) => {
      response.set({
        ETag: etag,
        // It must match the edge that serves it, so browsers revalidate it every hour.
        'Cache-Control': 'public, max-age=3600',
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
        'Access-Control-Allow-Origin': '*',
      })
      response.vary('Accept-Encoding')
      if (matchesEtag(request.headers['if-none-match'], etag)) return void response.status(304).end()
      response.type(type)
      return sendText(request, response)
    })
  }
  return router
}
