import { momentIn, offsetAt } from '../../kernel/base/time-zone.ts'

/** Start of the day and of the month of `now` in a time zone. */
export function startsIn(zone: string, now: Date): { day: Date; month: Date } {
  const wall = new Date(now.getTime() + offsetAt(zone, now))
  const startOf = (date: number) => momentIn(zone, Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), date))
  return { day: startOf(wall.getUTCDate()), month: startOf(1) }
}
