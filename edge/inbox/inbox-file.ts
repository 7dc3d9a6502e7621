import { readFileSync } from 'node:fs'
import type { Router } from 'express'
import { sharedFiles } from '../http/page-files.ts'
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
const served = [
  { path: '/inbox.js', type: 'text/javascript', text: inboxScript },
  { path: '/inbox.d.ts', type: 'text/plain', text: read('inbox.d.ts') },
]
const demonstration = [
  { path: '/inbox', type: 'html', text: read('demo.html'), policy: `${page}; base-uri 'none'; form-action 'none'` },
  { path: '/inbox/demo.js', type: 'text/javascript', text: read('demo.js') },
  { path: '/inbox/demo.css', type: 'css', text: read('demo.css') },
]

/**
 * GET /inbox.js, the inbox as a web component for pages of any origin, and its types.
 * @param isShown adds a demo page at /inbox/, in development only
 */
export const inboxRoutes = (isShown: boolean): Router => sharedFiles([...served, ...(isShown ? demonstration : [])])
