import { z } from 'zod'
import { type BusMessage, readPayload, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { hasLiveSessionFrom } from '../sessions/sessions.sql.ts'
import { endAdministration } from '../users/administrators.sql.ts'
import { revokeTokens } from './accounts.ts'

/** Ends the sessions of people who no longer belong to any hotel. */
export const departedMembers = ({ db, members }: Pick<Context, 'db' | 'members'>) => ({
  durable: 'auth-departed-members',
  subject: 'platform.member.departed',
  retryDelays: retryDelaysOverAnHour,
  async handle(message: BusMessage): Promise<void> {
    const { userId, departedAt } = readPayload(message, { userId: z.string(), departedAt: z.coerce.date() })
    const profile = await members.profileOfUser(userId)
    if (profile?.isSuperAdmin || profile?.hotelId || profile?.workspaces.length) return
    // A later session is a sign-in without a hotel.
    if (await hasLiveSessionFrom(db, userId, departedAt, new Date())) await revokeTokens({ db }, userId)
  },
})

/** Ends the rights and sign-ins of the account of a member who no longer administers the platform [D426]. */
export const revokedAdministrators = ({ db, members, log }: Pick<Context, 'db' | 'members' | 'log'>) => ({
  durable: 'auth-revoked-administrators',
  subject: 'platform.member.administration_revoked',
  retryDelays: retryDelaysOverAnHour,
  async handle(message: BusMessage): Promise<void> {
    const { userId } = readPayload(message, { userId: z.string() })
    // The present state counts, so that a late event revokes no right that was given since.
    if ((await members.profileOfUser(userId))?.isSuperAdmin) return
    await inTransaction(db, async trx => {
      if (!(await endAdministration(trx, userId))) return
      await revokeTokens({ db: trx }, userId)
      log.info({ userId }, 'platform rights of an account revoked')
    })
  },
})
