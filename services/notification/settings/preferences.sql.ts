import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { shareRuns } from '../../kernel/base/share.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { defaultSchedule, type Frequency } from '../digests/schedule.ts'
import { type NextDigest, scheduleDigest } from '../digests/sql.ts'
import type { MemberPreferenceRow, NotificationDb, NotificationTrx } from '../tables.ts'
import { type ChannelSwitches, endsSilence, type Preferences, type QuietHours } from './preference-rules.ts'

/** Preferences by member; members without a record are absent. */
export async function readPreferences(
  db: NotificationDb,
  memberIds: readonly string[],
): Promise<Map<string, Preferences>> {
  if (memberIds.length === 0) return new Map()
  const rows = await selectPreferences(db).where('preferences.member_id', 'in', memberIds).execute()
  return new Map(rows.map(row => [row.member_id, preferencesFrom(row)]))
}

const selectPreferences = (db: NotificationDb) =>
  db
    .selectFrom('preferences')
    .leftJoin('digests', 'digests.member_id', 'preferences.member_id')
    .selectAll('preferences')
    .select(['digests.frequency', 'digests.digest_hour', 'digests.digest_weekday'])

/** Limit of cached members. */
const maxCachedMembers = 200_000

/** `readPreferences`, cached until any preference changes: audiences are mostly the same members. */
export function cachedPreferences(
  db: NotificationDb,
): (memberIds: readonly string[]) => Promise<ReadonlyMap<string, Preferences>> {
  const sharedChanges = shareRuns<string>()
  let cache = { changes: '', cachedIds: new Set<string>(), preferences: new Map<string, Preferences>() }
  return async memberIds => {
    // Read first, so that what is loaded below is at least as new.
    const changes = await sharedChanges('', () => changesSoFar(db))
    if (changes !== cache.changes || cache.cachedIds.size > maxCachedMembers)
      cache = { changes, cachedIds: new Set(), preferences: new Map() }
    const { cachedIds, preferences } = cache
    const uncachedIds = memberIds.filter(id => !cachedIds.has(id))
    for (const [memberId, memberPreferences] of await readPreferences(db, uncachedIds))
      preferences.set(memberId, memberPreferences)
    for (const id of uncachedIds) cachedIds.add(id)
    return preferences
  }
}

/** Counter of preference changes, as text to compare. */
async function changesSoFar(db: NotificationDb): Promise<string> {
  const { rows } = await sql<{ changes: number }>`select changes from preference_changes where id = 1`.execute(db)
  return String(rows[0]?.changes ?? 0)
}

/** Makes due what waits for the end of silent hours: before it is sent, the present preferences decide again. */
const releaseHeld = (trx: NotificationTrx, memberId: string) =>
  exempt(trx, 'the member is named, in every hotel')
    .updateTable('deliveries')
    .set({ due_at: sql<Date>`utc_timestamp(3)` })
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .where('due_at', '>', sql<Date>`utc_timestamp(3)`)
    .execute()

/**
 * Changes a member's preferences; concurrent changes are serialised.
 * @param nextDigestOf when the next digest comes after a change of its schedule
 */
export const changePreferences = (
  db: NotificationDb,
  memberId: string,
  change: (before: Preferences) => Preferences,
  nextDigestOf: (after: Preferences) => NextDigest,
): Promise<Preferences> =>
  inTransaction(db, async trx => {
    await trx
      .insertInto('preferences')
      .values({ member_id: memberId, dnd_until: null, quiet_hours: null, category_prefs: '{}' })
      .onDuplicateKeyUpdate({ member_id: memberId })
      .execute()
    const query = selectPreferences(trx).where('preferences.member_id', '=', memberId).forUpdate()
    const before = preferencesFrom(await query.executeTakeFirstOrThrow())
    const after = change(before)
    if (isDeepStrictEqual(before, after)) return after
    await trx
      .updateTable('preferences')
      .set({
        is_global_silent: after.isGlobalSilent ? 1 : 0,
        do_not_disturb: after.doNotDisturb ? 1 : 0,
        dnd_until: after.dndUntil,
        quiet_hours: after.quietHours && JSON.stringify(after.quietHours),
        category_prefs: JSON.stringify(after.categoryPrefs),
      })
      .where('member_id', '=', memberId)
      .execute()
    if (endsSilence(before, after, new Date())) await releaseHeld(trx, memberId)
    if (after.digest !== before.digest) await scheduleDigest(trx, memberId, after.digest, nextDigestOf(after))
    // Last, because every writer waits for this row.
    await sql`
      insert into preference_changes (id, changes) values (1, 1) on duplicate key update changes = changes + 1
    `.execute(trx)
    return after
  })

type ScheduleColumns = { frequency: Frequency | null; digest_hour: number | null; digest_weekday: number | null }

const preferencesFrom = (row: MemberPreferenceRow & ScheduleColumns): Preferences => ({
  isGlobalSilent: row.is_global_silent === 1,
  doNotDisturb: row.do_not_disturb === 1,
  dndUntil: row.dnd_until,
  quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
  categoryPrefs: JSON.parse(row.category_prefs) as Record<string, ChannelSwitches>,
  digest: {
    frequency: row.frequency ?? defaultSchedule.frequency,
    hour: row.digest_hour ?? defaultSchedule.hour,
    weekday: row.digest_weekday ?? defaultSchedule.weekday,
  },
})
