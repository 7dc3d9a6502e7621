import { readFileSync } from 'node:fs'
import { type Request, Router } from 'express'
import { inkOn, platformColour, sixDigits } from '../../services/kernel/base/colours/colours.ts'
import { pageFile } from '../http/page-files.ts'

const longestName = 60
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const icon = read('app/icons/icon.svg')
const manifest = JSON.parse(read('app/manifest.webmanifest')) as { icons: { src: string; type: string }[] }

const queryOf = ({ url }: Request): URLSearchParams => new URL(url, 'http://edge').searchParams

/** The icon and the manifest of the installed client, in the colour and name of the query; else the platform's. */
export function brandFiles(): Router {
  const router = Router()
  router.get('/assets/icon.svg', (request, response, next) => {
    const colour = sixDigits(queryOf(request).get('colour') ?? '', platformColour)
    const body = icon.replaceAll('#fff', inkOn(colour)).replace(platformColour, colour)
    pageFile('icon.svg', body)(request, response, next)
  })
  router.get('/manifest.webmanifest', (request, response, next) => {
    const query = queryOf(request)
    const colour = sixDigits(query.get('colour') ?? '', platformColour)
    const name = query.get('name')?.slice(0, longestName)
    // The other icons are drawings in the platform's colour.
    const icons = manifest.icons
      .filter(({ type }) => colour === platformColour || type === 'image/svg+xml')
      .map(one =>
        one.type === 'image/svg+xml' ? { ...one, src: `${one.src}?colour=${encodeURIComponent(colour)}` } : one,
      )
    const body = JSON.stringify({ ...manifest, ...(name && { name, short_name: name }), theme_color: colour, icons })
    pageFile('manifest.webmanifest', body)(request, response, next)
  })
  return router
}
