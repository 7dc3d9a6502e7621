import { readFileSync } from 'node:fs'
import type { Router } from 'express'
import { builtText, sharedFiles } from '../../http/page-files.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The client, as `npm run build` bundles it. */
export const clientScript = builtText('shared/live-client.js')

/** GET /live/client.js, an ES module for browsers, and its types. */
export const clientRoutes = (): Router =>
  sharedFiles([
    { path: '/live/client.js', type: 'text/javascript', text: clientScript },
    { path: '/live/client.d.ts', type: 'text/plain', text: read('client.d.ts') },
  ])
