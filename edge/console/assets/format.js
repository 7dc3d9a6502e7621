/** The only time zone of the console, whatever the browser's is. */
export const zone = 'UTC'
const timeZone = zone
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const moment = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'medium' })
const date = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' })
const seconds = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export const none = '–'
const or = act => value => (value === null || value === undefined || Number.isNaN(value) ? none : act(value))

export const count = or(value => number.format(value))
export const short = or(value => (Math.abs(value) < 10_000 ? number.format(value) : compact.format(value)))
export const percent = or(value => share.format(value))
export const time = or(value => `${moment.format(new Date(value))} ${zone}`)
export const dateOnly = or(value => date.format(new Date(value)))
/** 14:05:09; name the zone beside it. */
export const exactTime = or(value => seconds.format(new Date(value)))
export const dayOf = or(value => day.format(new Date(value)))
export const ms = or(value =>
  value >= 1_000
    ? `${decimal.format(value / 1_000)} s`
    : `${value < 10 ? decimal.format(value) : number.format(value)} ms`,
)
export const bytes = or(value =>
  value >= 2 ** 30
    ? `${decimal.format(value / 2 ** 30)} GiB`
    : value >= 2 ** 20
      ? `${number.format(value / 2 ** 20)} MiB`
      : value >= 1_024
        ? `${decimal.format(value / 1_024)} KiB`
        : `${number.format(value)} B`,
)

const steps = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [Infinity, 'day', 86_400],
]

/** 3 minutes ago, in 2 days. */
export const ago = or(value => {
  const off = (new Date(value).getTime() - Date.now()) / 1_000
  if (Math.abs(off) < 5) return 'just now'
  const [, unit, size] = steps.find(([below]) => Math.abs(off) < below)
  return relative.format(Math.trunc(off / size), unit)
})

/** 3 d 4 h, 12 min, 8 s. */
export const duration = or(value => {
  const all = Math.max(0, Math.round(value / 1_000))
  const [d, hours, minutes] = [Math.floor(all / 86_400), Math.floor(all / 3_600) % 24, Math.floor(all / 60) % 60]
  if (d > 0) return `${d} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${all} s`
})

/** 1 letter, 2 letters. */
export const many = (value, one, more = `${one}s`) => `${count(value)} ${value === 1 ? one : more}`
