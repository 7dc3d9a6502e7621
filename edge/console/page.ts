import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type Request, type Response, Router } from 'express'
import { namesTag } from '../../services/kernel/base/text.ts'

const folder = new URL('assets/', import.meta.url)
const types: Record<string, string> = {
  '.html': 'html',
  '.js': 'text/javascript',
  '.css': 'css',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** Nothing from other origins, nothing inline, and no text as script. */
export const pagePolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
}

/** The page at / and its files, read once. */
export function pageRoutes(): Router {
  const router = Router()
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (!type) continue
    const body = readFileSync(new URL(name, folder))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    router.get(name === 'index.html' ? '/' : `/assets/${name}`, (request: Request, response: Response) => {
      response.set({ ETag: etag, 'Cache-Control': 'no-cache' })
      if (namesTag(request.headers['if-none-match'], etag)) return void response.status(304).end()
      response.type(type).send(body)
    })
  }
  return router
}
