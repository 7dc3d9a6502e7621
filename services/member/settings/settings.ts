import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { MemberSettingsService } from '../../../gen/platform/member/v1/member_settings_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { defaultTimeZone, requireTimeZone } from '../../kernel/base/time-zone.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { auditMember } from '../audit/record.ts'
import type { AuditValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { hotelMembershipsOf, updateHotelMembership } from '../hotel-memberships/sql.ts'
import { invalidateRights } from '../rights/announce.ts'
import { settablePaths } from '../rights/unchanged.ts'
import type { Db } from '../tables.ts'
import { checkHotelWide, checkRanks } from '../workspace-memberships/ranks.ts'
import { type Reach, reachMember, settableHotels } from '../workspace-memberships/reach.ts'
import type { MemberView } from '../workspace-memberships/view.ts'
import { findSettings, lockSettings, saveSettings } from './sql.ts'

const maxCustomBytes = 16_384

/** Settings and preferences of members. Only changed values are stored. */
export const memberSettingsService = ({ db, bus }: Context): Rpc => {
  const loadReach = (id: string, context: HandlerContext) => reachMember(db, context, id, 'manage_members')
  /** Managers change only members below them, and only administrators change administrators. ForbiddenError. */
  async function checkChange({ isSelf, isPlatform, tenants, memberships, view }: Reach, context: HandlerContext) {
    if (isSelf || isPlatform) return
    await checkHierarchy(db, tenants, actingMember(context)?.memberId, view.id)
    checkRanks({ tenants, memberships })
  }

  async function loadSettings(view: MemberView) {
    const row = view.isVeiled ? undefined : await findSettings(db, view.id)
    return toSettings(view.id, parseDocument(row?.settings), view.mobileAccess)
  }

  async function loadPreferences(view: MemberView) {
    const row = view.isVeiled ? undefined : await findSettings(db, view.id)
    return toPreferences(view.id, visibleDocument(view, row?.preferences), row?.is_invisible === 1)
  }

  return implement(MemberSettingsService, {
    async getMemberSettings({ id }, context) {
      return { settings: await loadSettings((await loadReach(id, context)).view) }
    },

    async updateMemberSettings(request, context) {
      const { id, updateMask, language, timezone, mobileAccess } = request
      const reach = await loadReach(id, context)
      const { isSelf, isPlatform, view } = reach
      const currentSettings = await loadSettings(view)
      const paths = await settablePaths(new Set(updateMask?.paths), request, currentSettings, async fields => {
        await checkChange(reach, context)
        if ([...fields].some(path => path !== 'mobile_access')) await checkPersonal(db, reach)
        if (fields.has('mobile_access') && isSelf && !isPlatform) throw new ForbiddenError('Permission denied')
        if (fields.has('mobile_access')) await checkHotelWide(db, context, reach, settableHotels(reach))
      })
      if (paths.size === 0) return { settings: currentSettings }
      const zone = timezone && requireTimeZone('timezone', timezone)
      const settings = await inTransaction(db, async trx => {
        const before = await lockSettings(trx, id)
        const settingsBefore = toSettings(id, parseDocument(before.settings), view.mobileAccess)
        const text = changeDocument(parseDocument(before.settings), {
          ...(paths.has('language') ? { language } : {}),
          ...(paths.has('timezone') ? { timezone: zone } : {}),
        })
        // The hotel keeps mobile access; its change dates the settings of a member who has accepted the hotel.
        if (!view.isVeiled) await saveSettings(trx, id, { settings: text })
        const mobile = paths.has('mobile_access') ? (mobileAccess ?? true) : view.mobileAccess
        if (paths.has('mobile_access'))
          for (const hotelId of settableHotels(reach))
            await updateHotelMembership(trx, hotelId, id, { mobile_access: mobile ? 1 : 0 })
        const row = await findSettings(trx, id)
        const after = toSettings(id, parseDocument(view.isVeiled ? undefined : row?.settings), mobile)
        await auditMember(trx, view.memberships, {
          actor: eventActorOf(context),
          action: 'settings.updated',
          memberId: id,
          before: settingsValues(settingsBefore),
          after: settingsValues(after),
        })
        return after
      })
      return { settings }
    },

    async getMemberPreferences({ id }, context) {
      return { preferences: await loadPreferences((await loadReach(id, context)).view) }
    },

    async updateMemberPreferences({ id, updateMask, ...set }, context) {
      const reach = await loadReach(id, context)
      const { isSelf, view } = reach
      const currentPreferences = await loadPreferences(view)
      const paths = await settablePaths(new Set(updateMask?.paths), set, currentPreferences, async fields => {
        await checkChange(reach, context)
        await checkPersonal(db, reach)
        if (fields.has('presence') && !isSelf) throw new ForbiddenError('Permission denied')
      })
      if (paths.size === 0) return { preferences: currentPreferences }
      const { defaultWorkspaceId, custom } = set
      if (defaultWorkspaceId && !view.memberships.some(one => one.workspace_id === defaultWorkspaceId))
        throw invalid('defaultWorkspaceId', 'is not a workspace of the member', 'unknown_workspace')
      if (custom && Buffer.byteLength(JSON.stringify(custom)) > maxCustomBytes)
        throw invalid('custom', 'must be at most 16 kB', 'max_bytes')
      const preferences = await inTransaction(db, async trx => {
        const before = await lockSettings(trx, id)
        const text = changeDocument(parseDocument(before.preferences), {
          ...(paths.has('theme') ? { theme: set.theme } : {}),
          ...(paths.has('default_workspace_id') ? { defaultWorkspaceId } : {}),
          ...(paths.has('date_format') ? { dateFormat: set.dateFormat } : {}),
          ...(paths.has('time_format') ? { timeFormat: set.timeFormat } : {}),
          ...(paths.has('week_start') ? { weekStart: set.weekStart } : {}),
          ...(paths.has('custom') ? { custom } : {}),
        })
        const isInvisible = paths.has('presence') ? set.presence === 'invisible' : before.is_invisible === 1
        await saveSettings(trx, id, { preferences: text, is_invisible: isInvisible ? 1 : 0 })
        // Updates open sockets at once, as a change of rights does.
        if (isInvisible !== (before.is_invisible === 1)) invalidateRights(trx, bus, { memberIds: [id] })
        return toPreferences(id, visibleDocument(view, text), isInvisible)
      })
      return { preferences }
    },
  })
}

/**
 * Settings follow a member into every hotel, so others may set them only for members who belong to their hotel alone.
 * ForbiddenError.
 */
async function checkPersonal(db: Db, { isSelf, isPlatform, view }: Reach): Promise<void> {
  if (isSelf || isPlatform) return
  const hotels = (await hotelMembershipsOf(db, view.id)).filter(one => one.status === 'active')
  if (view.isVeiled || hotels.length > 1) throw new ForbiddenError('Permission denied')
}

/** Preferences as a viewer sees them: without a default workspace that the two don't share. */
export function visibleDocument(view: MemberView, text: string | undefined): SettingsDocument {
  const { values, ...times } = parseDocument(text)
  const { defaultWorkspaceId, ...rest } = values
  const isShared = view.memberships.some(one => one.workspace_id === defaultWorkspaceId)
  return { ...times, values: isShared ? values : rest }
}

type Settings = ReturnType<typeof toSettings>
/** Recorded fields of settings. Preferences affect only clients and are not recorded. */
const settingsValues = ({ language, timezone, mobileAccess }: Settings): AuditValues => ({
  language,
  timezone,
  mobileAccess,
})

const textOf = (values: JsonObject, key: string, fallback: string): string => {
  const value = values[key]
  return typeof value === 'string' ? value : fallback
}

const times = ({ createdAt, updatedAt }: SettingsDocument) => ({
  createdAt: timestamp(createdAt),
  updatedAt: timestamp(updatedAt),
})

/** Maps settings to their response, with defaults. */
export const toSettings = (memberId: string, document: SettingsDocument, mobileAccess: boolean) => ({
  memberId,
  language: textOf(document.values, 'language', 'fr'),
  timezone: textOf(document.values, 'timezone', defaultTimeZone),
  mobileAccess,
  ...times(document),
})

/** Maps preferences to their response, with defaults. */
export const toPreferences = (memberId: string, document: SettingsDocument, isInvisible: boolean) => {
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
export type SettingsDocument = { values: JsonObject; createdAt: Date | undefined; updatedAt: Date | undefined }

/** Parses a stored document; empty for one that was never written. */
export function parseDocument(text: string | undefined): SettingsDocument {
  const { createdAt, updatedAt, ...values } = JSON.parse(text ?? '{}') as JsonObject
  return { values, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) }
}

const dateOf = (value: unknown): Date | undefined => (typeof value === 'string' ? new Date(value) : undefined)

/** The document after a change; undefined resets a value to its default. */
function changeDocument(before: SettingsDocument, changes: Record<string, unknown>, now = new Date()): string {
  const values = { ...before.values, ...changes }
  return JSON.stringify({ ...values, createdAt: before.createdAt ?? now, updatedAt: now })
}
