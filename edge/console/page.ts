import { readFileSync } from 'node:fs'
import type { Router } from 'express'
import { builtFile, filesNamedByContent, pageFiles } from '../http/page-files.ts'

/** Nothing from other origins, nothing inline, and no text as script. */
export const pagePolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'font-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
}

const read = (name: string) => readFileSync(new URL(`app/${name}`, import.meta.url))

/** The page at / and its files, read once. */
export function pageRoutes(): Router {
  const icon = { name: 'favicon.svg', body: read('favicon.svg') }
  return pageFiles([
    { path: '/', name: 'index.html', body: read('index.html') },
    ...['main.js', 'main.css', ...filesNamedByContent('console')].map(name => ({
      path: `/assets/${name}`,
      name,
      body: builtFile(`console/${name}`),
    })),
    { path: '/assets/favicon.svg', ...icon },
    // Browsers ask for it on pages that name no icon, such as an answer in JSON.
    { path: '/favicon.ico', ...icon },
  ])
}
