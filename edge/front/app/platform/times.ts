import { fill, locale, textsOf } from './texts.ts'
import { momentAt, personZone, wallClock } from './zone.ts'

/** `2031-06-01`: a day in the person's time zone. */
export const dayOf = (date: Date): string => wallClock(date.getTime()).slice(0, 10)

/** A time as fields for date and time take it: in the person's time zone. */
export const localOf = (iso: string | null): string => (iso === null ? '' : wallClock(Date.parse(iso)))

/** The time in such a field; null for an empty one. */
export function momentOf(localTime: string): string | null {
  const moment = momentAt(localTime)
  return moment ? new Date(moment.time).toISOString() : null
}

/** `Central European Time (Europe/Paris)`: the time zone of such fields. */
function zoneName(): string {
  const timeZone = personZone()
  const parts = new Intl.DateTimeFormat(locale(), { timeZone, timeZoneName: 'longGeneric' }).formatToParts(new Date())
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  return name && name !== timeZone ? `${name} (${timeZone})` : timeZone
}

/** What a field for a time says: its zone, and what is meant when the clocks skip or repeat the typed time. */
export function clockHint(localTime: string): string {
  const t = textsOf('platform/times')
  const zone = fill(t.zone, { zone: zoneName() })
  const moment = momentAt(localTime)
  if (!moment || moment.clocks === 'run') return zone
  const hour = localTime.slice(11, 16)
  const nextHour = wallClock(moment.time).slice(11, 16)
  const note = moment.clocks === 'skip' ? fill(t.skipped, { hour, nextHour }) : fill(t.repeated, { hour })
  return `${note} ${zone}`
}
