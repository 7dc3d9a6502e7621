const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Midnight of a day in the device's time zone, in ms. */
const dayOf = date => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const capital = text => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** "5 min. ago", "il y a 2 h"; a time in the future, from a wrong clock, counts as now. */
export function ago(date, language, now = Date.now()) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const seconds = Math.max(0, (now - date.getTime()) / 1e3)
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 0]
  return format.format(length ? -Math.floor(seconds / length) : 0, unit)
}

/** Today, yesterday, then the date. */
export function dayName(date, language, now = new Date()) {
  const days = Math.round((dayOf(date) - dayOf(now)) / 86_400_000)
  if (days >= -1)
    return capital(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.min(0, days), 'day'))
  const isThisYear = date.getFullYear() === now.getFullYear()
  const format = { weekday: 'long', day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }
  return capital(date.toLocaleDateString(language, format))
}

export const exact = (date, language) => date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'short' })
export const clock = (date, language) => {
  const isToday = dayOf(date) === dayOf(new Date())
  return date.toLocaleString(language, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
}

/** Seconds until eight o'clock tomorrow. */
export function untilMorning(now = new Date()) {
  const morning = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 8)
  return Math.round((morning.getTime() - now.getTime()) / 1e3)
}
