import { allChannels, emailBit, maskOf, pushBit } from '../channels.ts'
import { type DigestSchedule, quietEnd } from '../digests/schedule.ts'

export type QuietHours = { enabled: boolean; start: string; end: string; timezone: string }
export type ChannelSwitches = Partial<Record<'app' | 'push' | 'email' | 'socket', boolean>>

/** A member's preferences; a member without a record gets everything. */
export type Preferences = {
  isGlobalSilent: boolean
  doNotDisturb: boolean
  dndUntil: Date | null
  quietHours: QuietHours | null
  /** By <type>.<category>; channels missing from an entry are on. */
  categoryPrefs: Readonly<Record<string, ChannelSwitches>>
  digest: DigestSchedule
}

/** A message, as far as preferences look at it. `priority` 3 is urgent. */
type Message = { key: string; channels: number; priority: number; hasDeadline?: boolean }

/** Kinds that are mailed at once whatever the member's digest. */
export const urgentKinds: ReadonlySet<string> = new Set(['page.reminded', 'page.due'])
const urgentPriority = 3

/** Whether the mail of a message waits for the member's digest. */
export const isCollected = (preferences: Preferences | undefined, { key, channels, priority }: Message): boolean =>
  preferences !== undefined &&
  ['daily', 'weekly'].includes(preferences.digest.frequency) &&
  (channels & emailBit) !== 0 &&
  priority < urgentPriority &&
  !urgentKinds.has(key)

const disturbingChannels = maskOf(['push', 'email'])

/** What a member's preferences leave of a message. */
type AllowedDelivery = {
  channels: number
  /** When push and mail are sent; absent for at once. */
  heldUntil?: Date
}

/**
 * Messages of people with a permission: their pushes and mails wait until silent hours end, instead of being dropped.
 */
export const patientKinds: ReadonlySet<string> = new Set(['page.reminded', 'page.due', 'message.direct'])

/** Whether a message waits until silent hours end, because of its kind or because people are asked for something. */
export const isPatient = ({ key, hasDeadline }: Pick<Message, 'key' | 'hasDeadline'>): boolean =>
  patientKinds.has(key) || hasDeadline === true

/**
 * Applies a member's preferences, rule by rule in the documented order.
 * @param message its key is <type>.<category>, its channels are bits; one with a deadline waits, as `patientKinds` do
 * @returns undefined when the member isn't notified at all
 */
export function applyRules(
  preferences: Preferences | undefined,
  message: Message,
  now: Date,
): AllowedDelivery | undefined {
  const { key } = message
  let { channels } = message
  if (!preferences) return { channels }
  if (preferences.isGlobalSilent) return undefined
  const heldUntil = silentUntil(preferences, now)
  const canWait = isPatient(message)
  if (heldUntil && !canWait) {
    if (isUndisturbed(preferences, now)) return undefined
    if (channels & disturbingChannels) {
      if (!isCollected(preferences, message)) return undefined
      // The digest comes after the quiet hours, so that its mail disturbs nobody.
      channels &= ~pushBit
    }
  }
  const channelSwitches = Object.hasOwn(preferences.categoryPrefs, key) ? preferences.categoryPrefs[key] : undefined
  const allowedChannels = channelSwitches
    ? channels & maskOf(allChannels.filter(channel => channelSwitches[channel] !== false))
    : channels
  if (channelSwitches && allowedChannels === 0) return undefined
  return {
    channels: allowedChannels,
    ...(heldUntil && canWait && allowedChannels & disturbingChannels ? { heldUntil } : {}),
  }
}

const isUndisturbed = ({ doNotDisturb, dndUntil }: Preferences, now: Date): boolean =>
  doNotDisturb && dndUntil !== null && dndUntil > now

/** When the current silence ends: do-not-disturb and adjoining quiet hours together; undefined outside them. */
function silentUntil(preferences: Preferences, now: Date): Date | undefined {
  const { dndUntil, quietHours } = preferences
  const end = isUndisturbed(preferences, now) && dndUntil ? dndUntil : now
  const silenceEnd = quietHours && isQuiet(quietHours, end) ? quietEnd(quietHours, end) : end
  return silenceEnd > now ? silenceEnd : undefined
}

/** Whether a change of preferences ends a silence, or lets it end earlier. */
export function endsSilence(before: Preferences, after: Preferences, now: Date): boolean {
  if (after.isGlobalSilent) return false
  const [formerEnd, newEnd] = [before, after].map(one => silentUntil(one, now)?.getTime() ?? 0)
  return before.isGlobalSilent || Number(newEnd) < Number(formerEnd)
}

/** Whether the local time is within the hours: start inclusive, end exclusive. */
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
