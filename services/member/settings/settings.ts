import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { MemberSettingsService } from '../../../gen/platform/member/v1/member_settings_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { defaultTimeZone, requireTimeZone } from '../../kernel/base/time-zone.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { auditMember } from '../audit/record.ts'
import type { Values } from '../audit/values.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { checkHotelWide, checkRanks } from '../memberships/ranks.ts'
import { hotelsToSet, type Reach, reachMember } from '../memberships/reach.ts'
import type { Seen } from '../memberships/seen.ts'
import { hotelsOf, setInHotel } from '../people/hotels.sql.ts'
import { invalidateRights } from '../rights/announce.ts'
import type { Db } from '../tables.ts'
import { findSettings, lockSettings, saveSettings } from './sql.ts'

const mostCustomBytes = 16_384

/** Settings and preferences of members. Only changed values are stored. */
export const memberSettingsService = ({ db, bus }: { db: Db; bus: Bus }): Rpc => {
  const reach = (id: string, context: HandlerContext) => reachMember(db, context, id, 'manage_members')
  /** For changes: managers change only members below them, and only administrators change administrators. */
  async function reachToChange(id: string, context: HandlerContext): Promise<Reach> {
    const reached = await reach(id, context)
    if (reached.isSelf || reached.isPlatform) return reached
    await checkHierarchy(db, reached.tenants, actingMember(context)?.memberId, id)
    checkRanks(reached)
    return reached
  }

  async function presentPreferences(seen: Seen) {
    const row = seen.isVeiled ? undefined : await findSettings(db, seen.id)
    return toPreferences(seen.id, seenDocument(seen, row?.preferences), row?.is_invisible === 1)
  }

  return implement(MemberSettingsService, {
    async getMemberSettings({ id }, context) {
      const { seen } = await reach(id, context)
      const row = seen.isVeiled ? undefined : await findSettings(db, id)
      return { settings: toSettings(id, readDocument(row?.settings), seen.mobileAccess) }
    },

    async updateMemberSettings({ id, updateMask, language, timezone, mobileAccess }, context) {
      const reached = await reachToChange(id, context)
      const { isSelf, isPlatform, seen } = reached
      const named = new Set(updateMask?.paths)
      if ([...named].some(path => path !== 'mobile_access')) await checkPersonal(db, reached)
      if (named.has('mobile_access') && isSelf && !isPlatform) throw new ForbiddenError('Permission denied')
      if (named.has('mobile_access')) await checkHotelWide(db, context, reached, hotelsToSet(reached))
      const zone = timezone && requireTimeZone('timezone', timezone)
      const settings = await inTransaction(db, async trx => {
        const before = await lockSettings(trx, id)
        const present = toSettings(id, readDocument(before.settings), seen.mobileAccess)
        const text = changeDocument(readDocument(before.settings), {
          ...(named.has('language') ? { language } : {}),
          ...(named.has('timezone') ? { timezone: zone } : {}),
        })
        if (named.has('language') || named.has('timezone')) await saveSettings(trx, id, { settings: text })
        const mobile = named.has('mobile_access') ? (mobileAccess ?? true) : seen.mobileAccess
        if (named.has('mobile_access'))
          for (const hotelId of hotelsToSet(reached))
            await setInHotel(trx, hotelId, id, { mobile_access: mobile ? 1 : 0 })
        const stored = await findSettings(trx, id)
        const after = toSettings(id, readDocument(seen.isVeiled ? undefined : stored?.settings), mobile)
        await auditMember(trx, seen.memberships, {
          actor: eventActorOf(context),
          action: 'settings.updated',
          entity: 'settings',
          entityId: id,
          memberId: id,
          before: settingsValues(present),
          after: settingsValues(after),
        })
        return after
      })
      return { settings }
    },

    async getMemberPreferences({ id }, context) {
      return { preferences: await presentPreferences((await reach(id, context)).seen) }
    },

    async updateMemberPreferences({ id, updateMask, ...set }, context) {
      const reached = await reachToChange(id, context)
      const { isSelf, seen } = reached
      const named = new Set(updateMask?.paths)
      await checkPersonal(db, reached)
      if (named.size === 0) return { preferences: await presentPreferences(seen) }
      if (named.has('presence') && !isSelf) throw new ForbiddenError('Permission denied')
      const { defaultWorkspaceId, custom } = set
      if (defaultWorkspaceId && !seen.memberships.some(one => one.workspace_id === defaultWorkspaceId))
        throw invalid('defaultWorkspaceId', 'is not a workspace of the member', 'unknown_workspace')
      if (custom && Buffer.byteLength(JSON.stringify(custom)) > mostCustomBytes)
        throw invalid('custom', 'must be at most 16 kB', 'max_bytes')
      const preferences = await inTransaction(db, async trx => {
        const before = await lockSettings(trx, id)
        const text = changeDocument(readDocument(before.preferences), {
          ...(named.has('theme') ? { theme: set.theme } : {}),
          ...(named.has('default_workspace_id') ? { defaultWorkspaceId } : {}),
          ...(named.has('date_format') ? { dateFormat: set.dateFormat } : {}),
          ...(named.has('time_format') ? { timeFormat: set.timeFormat } : {}),
          ...(named.has('week_start') ? { weekStart: set.weekStart } : {}),
          ...(named.has('custom') ? { custom } : {}),
        })
        const isInvisible = named.has('presence') ? set.presence === 'invisible' : before.is_invisible === 1
        await saveSettings(trx, id, { preferences: text, is_invisible: isInvisible ? 1 : 0 })
        // Updates open sockets at once, as a change of rights does.
        if (isInvisible !== (before.is_invisible === 1)) invalidateRights(trx, bus, { memberIds: [id] })
        return toPreferences(id, seenDocument(seen, text), isInvisible)
      })
      return { preferences }
    },
  })
}

/**
 * Settings follow a member into every hotel, so others may set them only for members who belong to their hotel alone.
 * ForbiddenError.
 */
async function checkPersonal(db: Db, { isSelf, isPlatform, seen }: Reach): Promise<void> {
  if (isSelf || isPlatform) return
  const hotels = (await hotelsOf(db, seen.id)).filter(one => one.status === 'active')
  if (seen.isVeiled || hotels.length > 1) throw new ForbiddenError('Permission denied')
}

/** Preferences as a viewer sees them: without a default workspace that the two don't share. */
export function seenDocument(seen: Seen, text: string | undefined): Document {
  const { values, ...times } = readDocument(text)
  const { defaultWorkspaceId, ...rest } = values
  const isShared = seen.memberships.some(one => one.workspace_id === defaultWorkspaceId)
  return { ...times, values: isShared ? values : rest }
}

type Settings = ReturnType<typeof toSettings>
/** Recorded fields of settings. Preferences affect only clients and are not recorded. */
const settingsValues = ({ language, timezone, mobileAccess }: Settings): Values => ({
  language,
  timezone,
  mobileAccess,
})

const textOf = (values: JsonObject, key: string, fallback: string): string => {
  const value = values[key]
  return typeof value === 'string' ? value : fallback
}

const times = ({ createdAt, updatedAt }: Document) => ({
  createdAt: timestamp(createdAt),
  updatedAt: timestamp(updatedAt),
})

/** Maps settings to their response, with defaults. */
export const toSettings = (memberId: string, document: Document, mobileAccess: boolean) => ({
  memberId,
  language: textOf(document.values, 'language', 'fr'),
  timezone: textOf(document.values, 'timezone', defaultTimeZone),
  mobileAccess,
  ...times(document),
})

/** Maps preferences to their response, with defaults. */
export const toPreferences = (memberId: string, document: Document, isInvisible: boolean) => {
  const { values } = document
  return {
    memberId,
    theme: textOf(values, 'theme', 'system'),
    ...(typeof values['defaultWorkspaceId'] === 'string' ? { defaultWorkspaceId: values['defaultWorkspaceId'] } : {}),
    dateFormat: textOf(values, 'dateFormat', 'DD/MM/YYYY'),
    timeFormat: textOf(values, 'timeFormat', '24h'),
    weekStart: textOf(values, 'weekStart', 'monday'),
    custom: (values['custom'] as JsonObject | undefined) ?? {},
    presence: isInvisible ? 'invisible' : 'visible',
    ...times(document),
  }
}

/**
 * A stored document: only chosen values. Settings and preferences share a row, so each document keeps its own times.
 */
export type Document = { values: JsonObject; createdAt: Date | undefined; updatedAt: Date | undefined }

/** Parses a stored document; empty for one that was never written. */
export function readDocument(text: string | undefined): Document {
  const { createdAt, updatedAt, ...values } = JSON.parse(text ?? '{}') as JsonObject
  return { values, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) }
}

const dateOf = (value: unknown): Date | undefined => (typeof value === 'string' ? new Date(value) : undefined)

/** The document after a change; undefined resets a value to its default. */
export function changeDocument(before: Document, changes: Record<string, unknown>, now = new Date()): string {
  const values = { ...before.values, ...changes }
  return JSON.stringify({ ...values, createdAt: before.createdAt ?? now, updatedAt: now })
}
