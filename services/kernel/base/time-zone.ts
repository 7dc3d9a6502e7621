import { invalid } from './errors.ts'

/**
 * The official spelling of a time zone's name, whatever its case [D217]; other names of a zone stay as they are.
 * Undefined for anything that isn't a name, such as the offset +02:00.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/**
 * The time zone of a request field.
 * @throws ValidationError that names the field's path
 */
export function timeZoneAt(path: string, name: string): string {
  const found = timeZoneNamed(name)
  if (found === undefined) throw invalid(path, 'is not the name of a time zone', 'timezone')
  return found
}
