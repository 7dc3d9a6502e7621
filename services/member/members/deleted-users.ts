import { z } from 'zod'
import { type BusMessage, claimEvent, readPayload } from '../../kernel/bus/consume.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { findByUser, updateMember } from '../people/sql.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { publishMemberUpdate } from './announce.ts'

const durable = 'member-deleted-users'

/**
 * Ends the member record of a deleted account: it loses its rights and rests until the person is invited again.
 */
export const deletedUsers = ({ db, bus }: Context) => ({
  durable,
  subject: 'platform.auth.user.deleted',
  async handle(message: BusMessage): Promise<void> {
    const { userId } = readPayload(message, { userId: z.string() })
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, message.id))) return
      const member = await findByUser(trx, userId)
      if (!member) return
      const set = { user_id: null, former_user_id: member.user_id, is_active: 0, departing_until: null }
      await updateMember(trx, member.id, set)
      const memberships = await liveMemberships(trx, [member.id])
      await auditMember(trx, memberships, {
        actor: systemActor,
        action: 'member.deactivated',
        memberId: member.id,
        before: memberValues(member),
        after: memberValues({ ...member, is_active: 0 }),
      })
      await publishMemberUpdate(trx, bus, member, memberships, systemActor, { isActive: false })
    })
  },
})
