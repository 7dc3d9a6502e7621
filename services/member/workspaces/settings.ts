import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import { requireTimeZone } from '../../kernel/base/time-zone.ts'

/**
 * The settings of a workspace as they are stored. They are free but for `timezone`, which events and reminders of the
 * workspace use: null and the empty text mean none, and it gets its official spelling.
 * @param storedText the settings until now, whose time zone may stay
 * @throws ValidationError for another value that isn't the name of a time zone
 */
export function settingsText(settings: JsonObject | undefined, storedText: string | null = null): string | null {
  if (!settings) return null
  const { timezone = null } = settings
  const storedSettings: JsonObject = JSON.parse(storedText ?? '{}')
  if (timezone === null || timezone === '' || isDeepStrictEqual(timezone, storedSettings['timezone']))
    return JSON.stringify(settings)
  const name = typeof timezone === 'string' ? timezone : ''
  return JSON.stringify({ ...settings, timezone: requireTimeZone('settings.timezone', name) })
}
