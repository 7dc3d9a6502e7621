import { instantAt, offsetAt } from '../../kernel/base/time-zone.ts'

export type Frequency = 'off' | 'daily' | 'weekly'

/** Local hour at which digests are sent; weekly ones on Monday. */
const sendingHour = 8
const monday = 1
const dayMs = 86_400_000

/**
 * When a member's next digest is due: at 8:00 of their time zone, later than `now`. After digests were turned off, the
 * last one is due at once, so that nothing collected is lost.
 */
export function nextDigest(frequency: Frequency, zone: string, now: Date): Date {
  if (frequency === 'off') return now
  const localNow = new Date(now.getTime() + offsetAt(zone, now))
  for (let days = 0; ; days++) {
    const localTime = Date.UTC(
      localNow.getUTCFullYear(),
      localNow.getUTCMonth(),
      localNow.getUTCDate() + days,
      sendingHour,
    )
    if (frequency === 'weekly' && new Date(localTime).getUTCDay() !== monday) continue
    const dueAt = instantAt(zone, localTime)
    if (dueAt > now) return dueAt
  }
}

/** The end of quiet hours that contain `now`. */
export function quietEnd({ end, timezone }: { end: string; timezone: string }, now: Date): Date {
  const [hours = 0, minutes = 0] = end.split(':').map(Number)
  const msLeft = (hours * 60 + minutes - minuteIn(timezone, now)) * 60_000
  const minuteStart = Math.floor(now.getTime() / 60_000) * 60_000
  return new Date(minuteStart + (msLeft > 0 ? msLeft : msLeft + dayMs))
}

/** Minute of the day in a time zone. */
const minuteIn = (zone: string, moment: Date): number =>
  Math.floor((moment.getTime() + offsetAt(zone, moment)) / 60_000) % 1_440
