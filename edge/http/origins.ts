/** The origins whose pages may call: all of them without credentials, or a list with credentials. */
export type Origins = '*' | ReadonlySet<string>

/**
 * The origins of CORS_ORIGINS, in the form that browsers send. Throws an Error that names the fault of an entry.
 * @param front address of the front end, whose origin is always included
 */
export function originsOf(text: string, front: string): Origins {
  const entries = text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  if (!entries.includes('*')) return new Set([...entries, new URL(front).origin].map(originOf))
  if (entries.length > 1) throw new Error('* allows all origins and cannot be combined with others')
  return '*'
}

/** `HTTPS://App.example:443/` as browsers write it: `https://app.example`. Apps have their own schemes. */
function originOf(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  if (!url?.host || /[*\s]/.test(entry) || url.username || url.search || url.hash || !/^\/?$/.test(url.pathname))
    throw new Error(`${entry} is not an origin such as https://app.example or https://app.example:8443`)
  return url.origin === 'null' ? `${url.protocol}//${url.host.toLowerCase()}` : url.origin
}
