import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Request, type Response, Router } from 'express'
import { namesTag } from '../../services/kernel/base/text.ts'
import { clientScript } from '../live/client/client-file.ts'

const read = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')

/** The component's parts, each after those that it imports. Their top-level names share one scope. */
const parts = [
  'texts.js',
  'dom.js',
  'time.js',
  'calls.js',
  'store.js',
  'list.js',
  'line.js',
  'switches.js',
  'preferences.js',
  'panel.js',
  'follow.js',
]

/** Removes imports, comments and indentation: all imported names are in the same file. */
const bare = (text: string): string =>
  text
    .replace(/^import .*$/gm, '')
    .replace(/^export (?=const|function|class)/gm, '')
    .replace(/^\s*\/\*\*.*?\*\/$/gms, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')

const css = read('inbox.css')
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ')
const sheet = `const sheet = new CSSStyleSheet()\nsheet.replaceSync(${JSON.stringify(css)})\n`

/** The whole component in one file, as browsers load it. */
export const inboxScript = [bare(clientScript), sheet, ...[...parts, 'element.js'].map(read).map(bare)].join('')

const page = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https:"
const nothing = "default-src 'none'"
const served = [
  { path: '/inbox.js', type: 'text/javascript', text: inboxScript, policy: nothing },
  { path: '/inbox.d.ts', type: 'text/plain', text: read('inbox.d.ts'), policy: nothing },
]
const demonstration = [
  { path: '/inbox', type: 'html', text: read('demo.html'), policy: `${page}; base-uri 'none'; form-action 'none'` },
  { path: '/inbox/demo.js', type: 'text/javascript', text: read('demo.js'), policy: nothing },
  { path: '/inbox/demo.css', type: 'css', text: read('demo.css'), policy: nothing },
]

/**
 * GET /inbox.js, the inbox as a web component for pages of any origin, and its types.
 * @param isShown adds a demo page at /inbox/, in development only
 */
export function inboxRoutes(isShown: boolean): Router {
  const router = Router()
  for (const { path, type, text, policy } of [...served, ...(isShown ? demonstration : [])]) {
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    router.get(path, (request: Request, response: Response) => {
      response.set({
        ETag: etag,
        // It must match the edge that serves it, so browsers revalidate it every hour.
        'Cache-Control': 'public, max-age=3600',
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
        'Access-Control-Allow-Origin': '*',
      })
      if (namesTag(request.headers['if-none-match'], etag)) return void response.status(304).end()
      response.type(type).send(text)
    })
  }
  return router
}
