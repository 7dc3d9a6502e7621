import { inTransaction } from '../kernel/database.ts'
import { batches } from './lanes.ts'
import type { ChannelSwitches, QuietHours, Wishes } from './receivers.rules.ts'
import type { Db, PreferenceRow } from './tables.ts'

/** What these members have asked for; nobody without a record is among them. */
export async function wishesOf(db: Db, memberIds: readonly string[]): Promise<Map<string, Wishes>> {
  if (memberIds.length === 0) return new Map()
  const rows = await db.selectFrom('preferences').selectAll().where('member_id', 'in', memberIds).execute()
  return new Map(rows.map(row => [row.member_id, wishesFrom(row)]))
}

/** The same for many events at once: questions of one moment are one statement, since audiences are mostly the same. */
export function wishesTogether(db: Db): (memberIds: readonly string[]) => Promise<ReadonlyMap<string, Wishes>> {
  const together = async (questions: readonly (readonly string[])[]) => {
    const found = await wishesOf(db, [...new Set(questions.flat())])
    return questions.map(() => found)
  }
  let asked = 0
  const lanes = batches(together, { lanes: 2, size: 32, keyOf: () => String(asked++) })
  return memberIds => lanes.put(memberIds)
}

/** Changes what a member has asked for; of two changes at once the second sees the first. */
export const changeWishes = (db: Db, memberId: string, change: (before: Wishes) => Wishes): Promise<Wishes> =>
  inTransaction(db, async trx => {
    await trx
      .insertInto('preferences')
      .values({ member_id: memberId, dnd_until: null, quiet_hours: null, category_prefs: '{}' })
      .onDuplicateKeyUpdate({ member_id: memberId })
      .execute()
    const query = trx.selectFrom('preferences').selectAll().where('member_id', '=', memberId).forUpdate()
    const after = change(wishesFrom(await query.executeTakeFirstOrThrow()))
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
    return after
  })

const wishesFrom = (row: PreferenceRow): Wishes => ({
  isGlobalSilent: row.is_global_silent === 1,
  doNotDisturb: row.do_not_disturb === 1,
  dndUntil: row.dnd_until,
  quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
  categoryPrefs: JSON.parse(row.category_prefs) as Record<string, ChannelSwitches>,
})
