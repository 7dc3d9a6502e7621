const dayMs = 86_400_000
const keptDays = 2_000

const days = new Map<number, string>()
const pairs = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** "2026-03-01T" for a day since 1970, cached because one answer mentions few days. */
function dayText(day: number): string {
  const known = days.get(day)
  if (known) return known
  if (days.size >= keptDays) days.clear()
  const text = new Date(day * dayMs).toISOString().slice(0, -13)
  days.set(day, text)
  return text
}

/**
 * A time as ISO 8601 UTC with milliseconds, like Date.prototype.toISOString but several times faster: answers hold
 * dozens of times.
 * @param ms since 1970
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / dayMs)
  const rest = ms - day * dayMs
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const thousandths = String(1000 + (rest - seconds * 1000)).slice(1)
  return `${dayText(day)}${pairs[Math.floor(minutes / 60)]}:${pairs[minutes % 60]}:${pairs[seconds % 60]}.${thousandths}Z`
}

/** Bounds of storable times in seconds since 1970: the years 1970 to 9998. */
const [first, end] = [0, Date.UTC(9999, 0) / 1000]

/** How a time outside these years is described in an error. */
export const keptTimes = 'a time in the years 1970 to 9998'

/** Whether the databases can store a time in every zone; others are refused on every surface [D264]. */
export const isKept = (seconds: number): boolean => seconds >= first && seconds < end
