import { z } from 'zod'

/** Address of the front end: `https://app.example`, `https://app.example/hotel/`, `https://app.example/#/`. */
export const frontAddress = z
  .string()
  .refine(text => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an address http://… or https://…')

/**
 * The address of a front-end page, with a token as its query parameter `token`. If the front end or the page has a
 * fragment (a hash router), path and token go into the fragment. Never built from a request's Host.
 * @param base FRONT_BASE_URL
 * @param page `/reset-password`, `#/reset-password`, `/reset-password?token=`
 */
export function frontLink(base: string, page: string, token?: string): string {
  const [outer, route] = atFirst('#', base)
  const [path, inner] = atFirst('#', page)
  if (route !== undefined) return `${new URL(outer).href}#${placeBelow(route, inner ?? path, token)}`
  if (inner === undefined) return new URL(placeBelow(outer, path, token)).href
  return `${new URL(placeBelow(outer, path)).href}#${placeBelow('', inner, token)}`
}

/** Joins two paths and their queries, and adds the token. */
function placeBelow(place: string, page: string, token?: string): string {
  const [start, before] = atFirst('?', place)
  const [end, after] = atFirst('?', page)
  const relativePath = end.replace(/^\/+/, '')
  const path = relativePath === '' ? start : `${start.replace(/\/+$/, '')}/${relativePath}`
  const query = new URLSearchParams([before, after].filter(Boolean).join('&'))
  if (token !== undefined) query.set('token', token)
  return query.size > 0 ? `${path}?${query}` : path
}

function atFirst(mark: string, text: string): [string, string | undefined] {
  const index = text.indexOf(mark)
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}
