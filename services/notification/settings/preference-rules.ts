import { allChannels, maskOf } from '../channels.ts'

export type QuietHours = { enabled: boolean; start: string; end: string; timezone: string }
export type ChannelSwitches = Partial<Record<'app' | 'push' | 'email' | 'socket', boolean>>

/** A member's preferences; a member without a record gets everything. */
export type Preferences = {
  isGlobalSilent: boolean
  doNotDisturb: boolean
  dndUntil: Date | null
  quietHours: QuietHours | null
  /** By <type>.<category>; channels missing from an entry are on [D35]. */
  categoryPrefs: Readonly<Record<string, ChannelSwitches>>
}

const disturbing = maskOf(['push', 'email'])

/**
 * Applies a member's preferences, rule by rule in the documented order.
 * @param key <type>.<category> of the message
 * @param channels of the message, as bits
 * @returns the channels left for this member; undefined when they aren't notified at all
 */
export function channelsFor(
  preferences: Preferences | undefined,
  key: string,
  channels: number,
  now: Date,
): number | undefined {
  if (!preferences) return channels
  if (preferences.isGlobalSilent) return undefined
  if (preferences.doNotDisturb && preferences.dndUntil && preferences.dndUntil > now) return undefined
  if (channels & disturbing && preferences.quietHours && isQuiet(preferences.quietHours, now)) return undefined
  const switches = Object.hasOwn(preferences.categoryPrefs, key) ? preferences.categoryPrefs[key] : undefined
  if (!switches) return channels
  const left = channels & maskOf(allChannels.filter(channel => switches[channel] !== false))
  return left === 0 ? undefined : left
}

/** Whether the local time is within the hours: start inclusive, end exclusive [D38]. */
export function isQuiet({ enabled, start, end, timezone }: QuietHours, now: Date): boolean {
  if (!enabled) return false
  const clock = clockIn(timezone, now)
  if (clock === undefined) return false
  return start <= end ? clock >= start && clock < end : clock >= start || clock < end
}

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()

/** HH:mm in a time zone; undefined when there is no such zone. */
function clockIn(timezone: string, now: Date): string | undefined {
  if (!clocks.has(timezone)) clocks.set(timezone, clockOf(timezone))
  return clocks.get(timezone)?.format(now)
}

function clockOf(timezone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return undefined
  }
}
