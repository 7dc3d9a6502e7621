import { locale } from './texts.ts'

const digits = (value: number, length = 2): string => String(value).padStart(length, '0')

/** `2031-06-01`: a day in the browser's time zone. */
export const dayOf = (date: Date): string =>
  `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`

/** A time as fields for date and time take it: in the browser's time zone. */
export function localOf(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  return `${dayOf(date)}T${digits(date.getHours())}:${digits(date.getMinutes())}`
}

/** The time in such a field; null for an empty one. */
export function momentOf(localTime: string): string | null {
  const date = new Date(localTime)
  return localTime === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** `Central European Time (Europe/Paris)`: the time zone of such fields. */
export function zoneName(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const parts = new Intl.DateTimeFormat(locale(), { timeZoneName: 'longGeneric' }).formatToParts(new Date())
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  return name && name !== timeZone ? `${name} (${timeZone})` : timeZone
}
