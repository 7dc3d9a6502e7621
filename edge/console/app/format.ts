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

export const dash = '–'
type MissingValue = null | undefined
type Moment = string | number

const orNone =
  <Value>(write: (value: Value) => string) =>
  (value: Value | MissingValue): string =>
    value === null || value === undefined ? dash : write(value)

export const count = orNone<number>(value => number.format(value))
export const short = orNone<number>(value => (value < 10_000 ? number.format(value) : compact.format(value)))
export const percent = (value: number): string => share.format(value)
export const time = orNone<Moment>(value => `${moment.format(new Date(value))} ${zone}`)
export const dateOnly = (value: Moment): string => date.format(new Date(value))
/** 14:05:09; name the zone beside it. */
export const exactTime = orNone<Moment>(value => seconds.format(new Date(value)))
export const dayOf = (value: Moment): string => day.format(new Date(value))
export const ms = orNone<number>(value =>
  value >= 1_000
    ? `${decimal.format(value / 1_000)} s`
    : `${value < 10 ? decimal.format(value) : number.format(value)} ms`,
)
export const bytes = (value: number): string =>
  value >= 1_024 ? `${decimal.format(value / 1_024)} KiB` : `${number.format(value)} B`

const units: [below: number, unit: Intl.RelativeTimeFormatUnit, size: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [Infinity, 'day', 86_400],
]

/** 3 minutes ago, in 2 days. */
export function ago(value: Moment): string {
  const secondsFromNow = (new Date(value).getTime() - Date.now()) / 1_000
  if (Math.abs(secondsFromNow) < 5) return 'just now'
  const [, unit, size] = units.find(([below]) => Math.abs(secondsFromNow) < below) ?? [0, 'day' as const, 86_400]
  return relative.format(Math.trunc(secondsFromNow / size), unit)
}

/** 12 min, 8 s. */
export function duration(value: number): string {
  const totalSeconds = Math.max(0, Math.round(value / 1_000))
  return totalSeconds >= 60 ? `${Math.floor(totalSeconds / 60)} min` : `${totalSeconds} s`
}

/** 1 letter, 2 letters. */
export const plural = (value: number, singular: string, plurals = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : plurals}`
