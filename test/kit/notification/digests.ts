import { sql } from 'kysely'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { eventually } from '../kit.ts'
import type { notificationsForTest, Someone } from './notification.ts'

type World = Pick<Awaited<ReturnType<typeof notificationsForTest>>, 'host' | 'db' | 'sandbox'>

/** The digests of a world's people. */
export function digestsIn({ host, db, sandbox }: World) {
  const preferencesOf = (one: Someone) => host.as(PreferenceService, one.userId)
  const dueOf = async (one: Someone) =>
    (await db.selectFrom('digests').select('due_at').where('member_id', '=', one.id).executeTakeFirst())?.due_at
  return {
    preferencesOf,
    wish: (one: Someone, emailDigest: string) =>
      preferencesOf(one).updatePreferences({ emailDigest, updateMask: { paths: ['email_digest'] } }),
    /** When the next digest of a member is due; undefined for a member without one. */
    dueOf,
    /** Moves digests to now. */
    makeDue: (...people: Someone[]) =>
      sql`update digests set due_at = utc_timestamp(3) where member_id in (${sql.join(people.map(({ id }) => id))})`.execute(
        db,
      ),
    /** Waits until a member's digest was evaluated and what it queued was sent. */
    handled: (one: Someone) =>
      eventually(async () => {
        const dueAt = await dueOf(one)
        if (dueAt === undefined || (dueAt !== null && dueAt <= new Date(Date.now() + 2_000))) return false
        const pending = db.selectFrom('deliveries').select('id').where('status', '=', 'pending')
        return (await pending.where('member_id', '=', one.id).execute()).length === 0
      }),
    mailsOf: async (one: Someone) => (await sandbox.call('GET', `/_inbox?to=${one.email}`)).json.data,
  }
}
