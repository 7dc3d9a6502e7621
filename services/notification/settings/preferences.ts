import { isDeepStrictEqual } from 'node:util'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import {
  PreferenceService,
  type UpdatePreferencesRequest,
} from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { personOf } from '../../kernel/access/access.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { isId } from '../../kernel/base/ids.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { knownTimeZone, requireTimeZone } from '../../kernel/base/time-zone.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Recipient } from '../audience.ts'
import { allChannels, maskOf } from '../channels.ts'
import type { Context } from '../context.ts'
import { type DigestSchedule, defaultSchedule, type Frequency, nextDigest } from '../digests/schedule.ts'
import { eventTemplates } from '../texts/default-templates.ts'
import type { HotelChannels } from './hotels.ts'
import { applyRules, type Preferences, type QuietHours, urgentKinds } from './preference-rules.ts'
import { changePreferences, readPreferences } from './preferences.sql.ts'

/** For members without a record: nothing is stored before the first change. */
export const defaultPreferences: Preferences = {
  isGlobalSilent: false,
  doNotDisturb: false,
  dndUntil: null,
  quietHours: null,
  categoryPrefs: {},
  digest: defaultSchedule,
}

type Parts = Omit<Context, 'bus'> & { unsubscribe: Cipher; hotels: Pick<HotelChannels, 'brand'> }

/** The calling member's notification preferences. */
export function preferenceService({ db, unsubscribe, clock, audience, hotels }: Parts): Rpc {
  const loadPerson = async (memberId: string) => (await audience.people([memberId])).get(memberId)
  const answer = (memberId: string, preferences: Preferences, person: Recipient | undefined) => ({
    preferences: preferencesOf(memberId, preferences, clock.now(), person),
  })
  const loadPreferences = async (context: HandlerContext) => {
    const { memberId } = personOf(context)
    const [preferencesByMember, person] = await Promise.all([readPreferences(db, [memberId]), loadPerson(memberId)])
    return answer(memberId, preferencesByMember.get(memberId) ?? defaultPreferences, person)
  }
  const change = async (
    context: HandlerContext,
    changePreference: (before: Preferences, person: Recipient | undefined) => Preferences,
  ) => {
    const { memberId } = personOf(context)
    const person = await loadPerson(memberId)
    const nextDigestOf = (after: Preferences) => {
      const now = clock.now()
      return { dueAt: nextDigest(after.digest, zoneOf(person, after), now), now }
    }
    const after = await changePreferences(db, memberId, before => changePreference(before, person), nextDigestOf)
    return answer(memberId, after, person)
  }
  const senderOf = async (hotelId: string | null): Promise<{ hotelName?: string }> => {
    const brand = await hotels.brand(hotelId)
    return brand ? { hotelName: brand.name } : {}
  }
  const silence = (enabled: boolean) => (before: Preferences) => ({ ...before, isGlobalSilent: enabled })
  const peace: Pick<Preferences, 'doNotDisturb' | 'dndUntil'> = { doNotDisturb: false, dndUntil: null }

  return implement(PreferenceService, {
    getPreferences: (_request, context) => loadPreferences(context),
    updatePreferences: (request, context) =>
      request.updateMask?.paths.length
        ? change(context, (before, person) => applyUpdate(before, request, quietHoursOf(before, person), clock.now()))
        : loadPreferences(context),
    setGlobalSilence: ({ enabled = true }, context) => change(context, silence(enabled)),
    endGlobalSilence: (_request, context) => change(context, silence(false)),
    setDoNotDisturb({ duration = 0 }, context) {
      const silentUntil = new Date(clock.now().getTime() + duration * 1_000)
      return change(context, before =>
        duration === 0 ? { ...before, ...peace } : { ...before, doNotDisturb: true, dndUntil: silentUntil },
      )
    },
    endDoNotDisturb: (_request, context) => change(context, before => ({ ...before, ...peace })),

    async countReached({ type, memberIds, channels }) {
      const now = clock.now()
      const message = { key: type, channels: maskOf(channels), priority: 1 }
      const preferences = new Map<string, Preferences>()
      for (const part of toChunks(memberIds))
        for (const [id, one] of await readPreferences(db, part)) preferences.set(id, one)
      const allowedReceivers = memberIds.flatMap(id => applyRules(preferences.get(id), message, now) ?? [])
      const heldCount = allowedReceivers.filter(({ heldUntil }) => heldUntil).length
      return { now: allowedReceivers.length - heldCount, later: heldCount }
    },

    async describeUnsubscription({ token }) {
      const { category, hotelId } = readUnsubscribeToken(unsubscribe, token)
      return { category, ...(await senderOf(hotelId)) }
    },

    async unsubscribe({ token }) {
      const { memberId, category, hotelId } = readUnsubscribeToken(unsubscribe, token)
      const unsubscribeFrom = category === digestCategory ? withoutDigest : withoutMails([category])
      // What was collected isn't sent.
      await changePreferences(db, memberId, unsubscribeFrom, () => ({ dueAt: null, now: clock.now() }))
      return { message: `You will no longer receive e-mails about ${category}`, category, ...(await senderOf(hotelId)) }
    },
  })
}

/** The time zone of a member's digests. */
export const zoneOf = (person: Pick<Recipient, 'timezone'> | undefined, { quietHours }: Preferences): string =>
  person?.timezone ?? knownTimeZone(quietHours?.timezone)

const withoutMails =
  (kinds: readonly string[]) =>
  (before: Preferences): Preferences => {
    const switches = kinds.map(kind => [kind, { ...before.categoryPrefs[kind], email: false }])
    return { ...before, categoryPrefs: { ...before.categoryPrefs, ...Object.fromEntries(switches) } }
  }

/** Ends digests. The mails that they collected don't come one by one instead. */
function withoutDigest(before: Preferences): Preferences {
  const { digest } = before
  const after = { ...before, digest: { ...digest, frequency: 'off' as const } }
  return digest.frequency === 'automatic' ? after : withoutMails(digestKinds)(after)
}

/** The category of a digest's unsubscribe link. */
export const digestCategory = 'digest'
const digestKinds = [...eventTemplates.map(({ type, category }) => `${type}.${category}`), 'message.direct'].filter(
  kind => !urgentKinds.has(kind),
)

/** Preferences after a PATCH: the fields in its mask change, null resets one to its default. */
function applyUpdate(
  before: Preferences,
  request: UpdatePreferencesRequest,
  presentHours: QuietHours,
  now: Date,
): Preferences {
  const maskPaths = new Set(request.updateMask?.paths)
  const after = { ...before }
  if (maskPaths.has('is_global_silent')) after.isGlobalSilent = request.isGlobalSilent ?? false
  if (maskPaths.has('dnd_until')) after.dndUntil = request.dndUntil ? timestampDate(request.dndUntil) : null
  // A time alone starts the silence; otherwise the reset below would drop it.
  if (maskPaths.has('do_not_disturb')) after.doNotDisturb = request.doNotDisturb ?? false
  else if (request.dndUntil && maskPaths.has('dnd_until')) after.doNotDisturb = true
  if (maskPaths.has('do_not_disturb') && !after.doNotDisturb) after.dndUntil = null
  if (after.doNotDisturb && !(after.dndUntil && after.dndUntil > now)) {
    if (request.doNotDisturb) throw invalid('dndUntil', 'must be in the future while doNotDisturb is true', 'required')
    after.doNotDisturb = false
    after.dndUntil = null
  }
  if (maskPaths.has('quiet_hours')) after.quietHours = quietHours(before.quietHours, presentHours, request)
  if (maskPaths.has('category_prefs')) after.categoryPrefs = categoryPrefs(before, request)
  after.digest = digestAfter(before.digest, request)
  return after
}

/** The schedule after a change; the same object without one. */
function digestAfter(before: DigestSchedule, request: UpdatePreferencesRequest): DigestSchedule {
  const maskPaths = new Set(request.updateMask?.paths)
  const { frequency, hour, weekday } = defaultSchedule
  const after = {
    frequency: maskPaths.has('email_digest') ? ((request.emailDigest ?? frequency) as Frequency) : before.frequency,
    hour: maskPaths.has('digest_hour') ? (request.digestHour ?? hour) : before.hour,
    weekday: maskPaths.has('digest_weekday') ? (request.digestWeekday ?? weekday) : before.weekday,
  }
  return isDeepStrictEqual(after, before) ? before : after
}

/** Quiet hours of a member who never set them, in their time zone. */
const quietHoursOf = (preferences: Preferences, person: Pick<Recipient, 'timezone'> | undefined): QuietHours =>
  preferences.quietHours ?? { enabled: false, start: '22:00', end: '07:00', timezone: zoneOf(person, preferences) }

/** The hours after a change; both of them switch on hours that were never set. */
function quietHours(
  storedHours: QuietHours | null,
  presentHours: QuietHours,
  { quietHours: change }: UpdatePreferencesRequest,
): QuietHours | null {
  if (!change) return null
  const { start = presentHours.start, end = presentHours.end, timezone = presentHours.timezone } = change
  const isComplete = change.start !== undefined && change.end !== undefined
  const enabled = change.enabled ?? storedHours?.enabled ?? isComplete
  return { enabled, start, end, timezone: requireTimeZone('quietHours.timezone', timezone) }
}

const maxEntries = 500

/** Merges a change; entries and channels that it doesn't name stay. Without any entry it removes all. */
function categoryPrefs(
  before: Preferences,
  { categoryPrefs: changes }: UpdatePreferencesRequest,
): Preferences['categoryPrefs'] {
  if (Object.keys(changes).length === 0) return {}
  const after = { ...before.categoryPrefs }
  for (const [key, change] of Object.entries(changes)) {
    const channelSwitches = { ...after[key] }
    for (const channel of allChannels) {
      const isOn = change[channel]
      if (isOn !== undefined) channelSwitches[channel] = isOn
    }
    after[key] = channelSwitches
  }
  if (Object.keys(after).length > maxEntries)
    throw invalid('categoryPrefs', `must have at most ${maxEntries} entries`, 'map.max_pairs')
  return after
}

/** As routes return it: an expired silence is off, a channel without a switch is on. */
export function preferencesOf(
  memberId: string,
  preferences: Preferences,
  now: Date,
  person: Pick<Recipient, 'timezone' | 'language'> | undefined,
) {
  const { dndUntil } = preferences
  const isUndisturbed = preferences.doNotDisturb && dndUntil !== null && dndUntil > now
  const switches = Object.entries(preferences.categoryPrefs).map(([key, each]) => {
    const { app = true, push = true, email = true, socket = true } = each
    return [key, { app, push, email, socket }] as const
  })
  return {
    memberId,
    isGlobalSilent: preferences.isGlobalSilent,
    doNotDisturb: isUndisturbed,
    ...(isUndisturbed ? { dndUntil: timestampFromDate(dndUntil) } : {}),
    quietHours: quietHoursOf(preferences, person),
    categoryPrefs: Object.fromEntries(switches),
    emailDigest: preferences.digest.frequency,
    digestHour: preferences.digest.hour,
    digestWeekday: preferences.digest.weekday,
    language: person?.language ?? 'fr',
  }
}

/** Whose mails of which category an unsubscribe link ends, and the hotel that sent the mail, if it was one. */
export type Unsubscription = { memberId: string; category: string; hotelId: string | null }

/** Token of an unsubscribe link. */
export const unsubscribeToken = (cipher: Cipher, { memberId, category, hotelId }: Unsubscription): string =>
  cipher.seal([memberId, category.slice(0, 200), hotelId ?? ''].join(' ').trim())

/** Content of a token. Throws ValidationError for an invalid one. */
function readUnsubscribeToken(cipher: Cipher, token: string): Unsubscription {
  const [memberId = '', category = '', hotelId = null] = cipher.open(token)?.split(' ') ?? []
  if (!isId(memberId) || !category) throw invalid('token', 'is not the token of an unsubscribe link', 'token')
  return { memberId, category, hotelId }
}
