import { isIPv6 } from 'node:net'

/**
 * The key under which a client address is limited: an IPv4 address itself, or the /64 of an IPv6 address, since one
 * customer holds that. Everything else shares one key.
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
  const missingGroups = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const allGroups = [...before, ...Array<string>(missingGroups).fill('0'), ...after]
  const prefix = allGroups.slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
