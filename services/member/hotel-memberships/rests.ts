import { z } from 'zod'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { MemberRestEndedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { type BusMessage, readPayload, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import { emit, systemActor } from '../../kernel/bus/events.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../tables.ts'
import { accountAndRest } from './rests.sql.ts'

/** Publishes that a member's rest ended, or that they were activated. On this event their account is enabled. */
export const publishRestEnded = (trx: Trx, memberId: string) =>
  emit(
    trx,
    MemberRestEndedSchema,
    { id: memberId, memberId },
    { workspaceId: '', channels: [], actor: systemActor, receiverIds: [] },
  )

/**
 * Enables or disables the account of a member whose rest ended, by their present state: they may rest again before the
 * event arrives. Checks again afterwards, since the hotel service switches accounts concurrently.
 */
export const restEndedConsumer = ({ db, client }: Context) => ({
  durable: 'member-ended-rests',
  subject: 'platform.member.rest_ended',
  retryDelays: retryDelaysOverAnHour,
  async handle(message: BusMessage): Promise<void> {
    const { memberId } = readPayload(message, { memberId: z.string() })
    const accounts = client(AccountService)
    for (let account = await accountAndRest(db, memberId); account; ) {
      const userIds = [account.user_id]
      if (account.is_resting) await accounts.deactivateUsers({ userIds, reason: 'rests with a deleted hotel' })
      else await accounts.reactivateUsers({ userIds })
      const now = await accountAndRest(db, memberId)
      if (now?.user_id === account.user_id && now.is_resting === account.is_resting) return
      account = now
    }
  },
})
