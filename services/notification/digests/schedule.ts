import { instantAt, offsetAt } from '../../kernel/base/time-zone.ts'

export type Frequency = 'automatic' | 'off' | 'daily' | 'weekly'

/** How often a member gets digests, at which local hour, and on which day if weekly: 1 for Monday. */
export type DigestSchedule = { frequency: Frequency; hour: number; weekday: number }

export const defaultSchedule: DigestSchedule = { frequency: 'automatic', hour: 8, weekday: 1 }

export const dayMs = 86_400_000
/** Somebody who stays away longer gets a weekly digest unless they chose otherwise. */
const awayMs = 7 * dayMs

/** Whether a member's digest lists what they have not read. */
export const listsNews = (frequency: Frequency, seenAt: Date | null, now: Date): boolean => {
  if (frequency !== 'automatic') return frequency !== 'off'
  return seenAt === null || now.getTime() - seenAt.getTime() >= awayMs
}

/** Where the period of a first digest starts: a day or a week back. */
export const periodStart = (frequency: Frequency, now: Date): Date =>
  new Date(now.getTime() - (frequency === 'daily' ? dayMs : 7 * dayMs))

/**
 * When a member's next digest is due: at their hour in their time zone, later than `now`. After digests were turned
 * off, the last one is due at once, so that nothing collected is lost.
 */
export function nextDigest({ frequency, hour, weekday }: DigestSchedule, zone: string, now: Date): Date {
  if (frequency === 'off') return now
  const localNow = new Date(now.getTime() + offsetAt(zone, now))
  for (let days = 0; ; days++) {
    const localTime = Date.UTC(localNow.getUTCFullYear(), localNow.getUTCMonth(), localNow.getUTCDate() + days, hour)
    if (frequency !== 'daily' && new Date(localTime).getUTCDay() !== weekday % 7) continue
    const dueAt = instantAt(zone, localTime)
    if (dueAt > now) return dueAt
  }
}

/** The end of quiet hours that contain `now`. */
export function quietEnd({ end, timezone }: { end: string; timezone: string }, now: Date): Date {
  const [hours = 0, minutes = 0] = end.split(':').map(Number)
  const localNow = new Date(now.getTime() + offsetAt(timezone, now))
  const localEnd = Date.UTC(localNow.getUTCFullYear(), localNow.getUTCMonth(), localNow.getUTCDate(), hours, minutes)
  const endToday = instantAt(timezone, localEnd)
  return endToday > now ? endToday : instantAt(timezone, localEnd + dayMs)
}
