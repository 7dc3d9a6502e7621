const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** The day of a moment in a time zone, as the number of days since 1970. */
const dayOf = (date, timeZone) => Date.parse(date.toLocaleDateString('en-CA', { timeZone })) / 86_400_000
const yearOf = (date, timeZone) => date.toLocaleDateString('en', { timeZone, year: 'numeric' })
const capital = text => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** "5 min. ago", "il y a 2 h"; a time in the future, from a wrong clock, counts as now. */
export function ago(date, language, now = Date.now()) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const seconds = Math.max(0, (now - date.getTime()) / 1e3)
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 0]
  return format.format(length ? -Math.floor(seconds / length) : 0, unit)
}

/** Today, yesterday, then the date. */
export function dayName(date, { language, timeZone }, now = new Date()) {
  const days = dayOf(date, timeZone) - dayOf(now, timeZone)
  if (days >= -1)
    return capital(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.min(0, days), 'day'))
  const year = yearOf(date, timeZone) === yearOf(now, timeZone) ? {} : { year: 'numeric' }
  return capital(
    date.toLocaleDateString(language, { timeZone, weekday: 'long', day: 'numeric', month: 'long', ...year }),
  )
}

export const exact = (date, { language, timeZone }) =>
  date.toLocaleString(language, { timeZone, dateStyle: 'full', timeStyle: 'short' })
export const clock = (date, { language, timeZone }) => {
  const day = dayOf(date, timeZone) === dayOf(new Date(), timeZone) ? {} : { dateStyle: 'medium' }
  return date.toLocaleString(language, { timeZone, timeStyle: 'short', ...day })
}

const hour = 3_600
function secondsOfDay(date, timeZone) {
  const [hours, minutes, seconds] = date.toLocaleTimeString('en-GB', { timeZone }).split(':').map(Number)
  return hours * hour + minutes * 60 + seconds
}

/** Seconds until eight o'clock tomorrow. */
export function untilMorning(timeZone, now = new Date()) {
  const seconds = 32 * hour - secondsOfDay(now, timeZone)
  // A night in which the clocks change is an hour longer or shorter.
  const morning = new Date(now.getTime() + seconds * 1e3)
  return seconds + 8 * hour - secondsOfDay(morning, timeZone)
}
