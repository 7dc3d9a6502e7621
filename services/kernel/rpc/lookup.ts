import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
type Resolve = (name: string, options: { all: true; family?: number; hints?: number }, answer: Answer) => void

/**
 * Resolves names as Node does, sharing concurrent lookups of the same name. A process resolves four names at once, and
 * a lookup of an absent service may take ten seconds: otherwise calls to it would block those to all others.
 */
export function lookupShared(resolve: Resolve = lookup): LookupFunction {
  const waiting = new Map<string, Answer[]>()
  return (name, { family, hints, all }, callback) => {
    const answer: Answer = (error, addresses) => {
      const [first] = addresses
      if (error || !first) callback(error, all ? [] : '')
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    }
    const asked = {
      all: true as const,
      family: family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0),
      hints: hints ?? 0,
    }
    const key = `${name} ${asked.family} ${asked.hints}`
    const others = waiting.get(key)
    if (others) return void others.push(answer)
    const line = [answer]
    waiting.set(key, line)
    resolve(name, asked, (error, addresses) => {
      waiting.delete(key)
      for (const each of line) each(error, addresses ?? [])
    })
  }
}
