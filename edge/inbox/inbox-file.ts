import { readFileSync } from 'node:fs'
import type { Router } from 'express'
import { builtText, sharedFiles } from '../http/page-files.ts'

const read = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')

/** The whole component in one file, as `npm run build` bundles it. */
export const inboxScript = builtText('shared/inbox.js')

const page = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https:"
const componentFiles = [
  { path: '/inbox.js', type: 'text/javascript', text: inboxScript },
  { path: '/inbox.d.ts', type: 'text/plain', text: read('inbox.d.ts') },
]
const demonstrationFiles = [
  { path: '/inbox', type: 'html', text: read('demo.html'), policy: `${page}; base-uri 'none'; form-action 'none'` },
  { path: '/inbox/demo.js', type: 'text/javascript', text: read('demo.js') },
  { path: '/inbox/demo.css', type: 'css', text: read('demo.css') },
]

/**
 * GET /inbox.js, the inbox as a web component for pages of any origin, and its types.
 * @param isShown adds a demo page at /inbox/, in development only
 */
export const inboxRoutes = (isShown: boolean): Router =>
  sharedFiles([...componentFiles, ...(isShown ? demonstrationFiles : [])])
