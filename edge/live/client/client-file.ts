import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Request, type Response, Router } from 'express'
import { namesTag } from '../../../services/kernel/base/text.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The client without comments and indentation, as browsers load it. */
export const clientScript = read('client.js')
  .replace(/^\s*\/\*\*.*?\*\/$/gms, '')
  .replace(/^\s*\/\/.*$/gm, '')
  .replace(/^\s+/gm, '')

const files = [
  { path: '/live/client.js', type: 'text/javascript', text: clientScript },
  { path: '/live/client.d.ts', type: 'text/plain', text: read('client.d.ts') },
].map(file => ({ ...file, etag: `"${createHash('sha256').update(file.text).digest('base64url').slice(0, 22)}"` }))

/**
 * GET /live/client.js, an ES module for browsers, and its types. Pages of other origins may load it; its own policy
 * forbids it to load anything.
 */
export function clientRoutes(): Router {
  const router = Router()
  for (const { path, type, text, etag } of files)
    router.get(path, (request: Request, response: Response) => {
      response.set({
        ETag: etag,
        // It must match the edge that serves it, so browsers revalidate it every hour.
        'Cache-Control': 'public, max-age=3600',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Access-Control-Allow-Origin': '*',
      })
      if (namesTag(request.headers['if-none-match'], etag)) return void response.status(304).end()
      response.type(type).send(text)
    })
  return router
}
