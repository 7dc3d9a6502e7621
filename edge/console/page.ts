import { readdirSync, readFileSync } from 'node:fs'
import type { Router } from 'express'
import { isPageFile, pageFiles } from '../http/page-files.ts'

const folder = new URL('assets/', import.meta.url)

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

const file = (path: string, name: string) => ({ path, name, body: readFileSync(new URL(name, folder)) })

/** The page at / and its files, read once. */
export const pageRoutes = (): Router =>
  pageFiles([
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isPageFile)
      .map(name => file(name === 'index.html' ? '/' : `/assets/${name}`, name)),
    // Browsers ask for it on pages that name no icon, such as an answer in JSON.
    file('/favicon.ico', 'favicon.svg'),
  ])
