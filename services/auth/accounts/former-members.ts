import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type BusMessage, readPayload, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { listLiveSessions } from '../sessions/sessions.sql.ts'
import type { AuthTables } from '../tables.ts'
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
    if (await hasSessionFrom(db, userId, departedAt)) await revokeTokens({ db }, userId)
  },
})

/** Whether a session of the user from before this time is live. A later one is a sign-in without a hotel. */
async function hasSessionFrom(db: Kysely<AuthTables>, userId: string, departedAt: Date): Promise<boolean> {
  const sessions = await listLiveSessions(db, userId, new Date())
  return sessions.some(session => session.created_at <= departedAt)
}

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
