import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { invalid } from '../../kernel/base/errors.ts'

/** What the settings allow beside public addresses over TLS. */
export type AddressRules = { allowsHttp: boolean; allowsLoopback: boolean }

/** Ranges that aren't public (IANA special-purpose registries). */
const closedRanges4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Only these are assigned; mapped, NAT64, local and multicast addresses lie outside. */
const globalRange6 = '2000::/3'
/** Protocol assignments with Teredo, documentation and 6to4. */
const closedRanges6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
const closed4 = listOf(closedRanges4, 'ipv4')
const closed6 = listOf(closedRanges6, 'ipv6')
const global6 = listOf([globalRange6], 'ipv6')
const loopback = listOf(['127.0.0.0/8'], 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address may be called. */
export function isOpenAddress(address: string, { allowsLoopback }: Pick<AddressRules, 'allowsLoopback'>): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (allowsLoopback && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
  return family === 4
    ? !closed4.check(address, 'ipv4')
    : global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

/** The host of an address without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Throws a ValidationError for an address that is never called. Names are resolved at each delivery only. */
export function checkUrl(text: string, rules: AddressRules): void {
  const refuse = (message: string) => invalid('url', message, 'webhook_url')
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:'
  if (!url || !(url.protocol === 'https:' || (isHttp && rules.allowsHttp)))
    throw refuse(`must be an address ${rules.allowsHttp ? 'http://… or https://…' : 'https://…'}`)
  if (url.username || url.password) throw refuse('must not contain credentials')
  if (url.port !== '' && Number(url.port) < 1024 && url.port !== '443')
    throw refuse('must use port 443 or one from 1024')
  const host = hostOf(url)
  if (isIP(host) > 0 && !isOpenAddress(host, rules)) throw refuse('must be a public address')
}

/** The address of an endpoint, or one of the names that it has, isn't public. */
export class ClosedAddressError extends Error {
  override name = 'ClosedAddressError'
}

/**
 * Resolves the host of an endpoint once. Throws a ClosedAddressError unless all its addresses are open: a name with a
 * public and an internal address could be answered with either.
 */
export async function resolveHost(url: URL, rules: AddressRules): Promise<LookupAddress[]> {
  const host = hostOf(url)
  const isLocal = isIP(host) > 0 || host === 'localhost'
  const addresses = isLocal ? await lookup(host, { all: true }) : await resolveName(host)
  if (!addresses.every(({ address }) => isOpenAddress(address, rules))) throw new ClosedAddressError()
  return addresses
}

/** Asks the name servers. `lookup` waits in a thread, of which a few slow names would take all. */
async function resolveName(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = [ipv4, ipv6].flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (ipv4.status === 'rejected' && addresses.length === 0) throw ipv4.reason
  return addresses.map(address => ({ address, family: isIP(address) }))
}

/** A look-up that answers with checked addresses, so that the name can't be resolved to another one meanwhile. */
export const pinnedLookup =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
