import { LRUCache } from 'lru-cache'
import { invalid } from './errors.ts'

/** The time zone of hotels, workspaces and members without one of their own. */
export const defaultTimeZone = 'Europe/Paris'

/** Official spellings by typed name, since finding one is slow. */
const spellings = new LRUCache<string, { zone: string | undefined }>({
  max: 1_000,
  memoMethod: name => ({ zone: resolveTimeZone(name) }),
})

/**
 * The official spelling of a time zone's name, whatever its case; other names of a zone stay as they are.
 * Undefined for anything that isn't a name, such as the offset +02:00.
 */
export const findTimeZone = (name: string): string | undefined => spellings.memo(name).zone

function resolveTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/**
 * The time zone of a request field.
 * @throws ValidationError that names the field's path
 */
export function requireTimeZone(path: string, name: string): string {
  const zone = findTimeZone(name)
  if (zone === undefined) throw invalid(path, 'is not the name of a time zone', 'timezone')
  return zone
}

/** A stored time zone; the default for none, and for an unknown one, which would fail wherever it is used. */
export const knownTimeZone = (name: string | null | undefined): string => findTimeZone(name ?? '') ?? defaultTimeZone

/** By the names that people have typed, so their number is limited: one takes 34 KiB. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({
  max: 1_000,
  memoMethod: zone =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
})

/** Offset of a time zone from UTC at a moment, in ms. */
export function offsetAt(zone: string, instant: Date): number {
  const parts = clocks.memo(zone).formatToParts(instant)
  const value = (type: string) => Number(parts.find(part => part.type === type)?.value)
  const day = [value('year'), value('month') - 1, value('day')] as const
  const wall = Date.UTC(...day, value('hour'), value('minute'), value('second'))
  return wall - Math.floor(instant.getTime() / 1_000) * 1_000
}

/**
 * The moment at which the clocks of a time zone show a time.
 * @param wall that time as if it were UTC, in ms since 1970
 */
export function instantAt(zone: string, wall: number): Date {
  // Clocks may change between the two.
  const first = new Date(wall - offsetAt(zone, new Date(wall)))
  return new Date(wall - offsetAt(zone, first))
}
