import { isIPv6 } from 'node:net'

/** E-mail addresses are compared and stored without surrounding space and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

/**
 * What a client address counts as for limits: an IPv4 address itself, an IPv6 address its /64, since that is what
 * one customer holds. Anything else is one common subject.
 */
export function addressKey(address: string | null | undefined): string {
  const plain = (address ?? '').trim().split('%')[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  if (!isIPv6(plain)) return /^\d+\.\d+\.\d+\.\d+$/.test(plain) ? plain : 'unknown'
  const [head = '', tail] = plain.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const before = groups(head)
  const after = groups(tail)
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const all = [...before, ...Array<string>(missing).fill('0'), ...after]
  const prefix = all.slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/** Kind of device and operating system, as far as a user agent tells. */
export function deviceOf(userAgent: string | null | undefined): { device: string | null; os: string | null } {
  if (!userAgent) return { device: null, os: null }
  const found = systems.find(([pattern]) => pattern.test(userAgent))
  return { os: found?.[1] ?? null, device: found?.[2] ?? (/Mobi/i.test(userAgent) ? 'phone' : null) }
}

/** In order: an iPad also says Mac OS, Android also says Linux. */
const systems: [RegExp, string, string][] = [
  [/iPad/i, 'iOS', 'tablet'],
  [/iPhone|iPod|CFNetwork|Darwin/i, 'iOS', 'phone'],
  [/Android(?!.*Mobi)/i, 'Android', 'tablet'],
  [/Android|okhttp/i, 'Android', 'phone'],
  [/CrOS/i, 'ChromeOS', 'computer'],
  [/Windows/i, 'Windows', 'computer'],
  [/Mac OS|Macintosh/i, 'macOS', 'computer'],
  [/Linux|X11/i, 'Linux', 'computer'],
]
