import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type BusMessage, readPayload, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import type { Context } from '../context.ts'
import { liveSessionsOf } from '../sessions/sessions.sql.ts'
import type { Tables } from '../tables.ts'
import { revokeTokens } from './accounts.ts'

/** Ends the sign-ins of people who belong to no hotel any more. */
export const departedMembers = ({ db, members }: Pick<Context, 'db' | 'members'>) => ({
  durable: 'auth-departed-members',
  subject: 'platform.member.departed',
  retryDelays: retryDelaysOverAnHour,
  async handle(message: BusMessage): Promise<void> {
    const { userId, departedAt } = readPayload(message, { userId: z.string(), departedAt: z.coerce.date() })
    const profile = await members.ofUser(userId)
    if (profile?.isSuperAdmin || profile?.hotelId || profile?.workspaces.length) return
    if (await hasSessionFrom(db, userId, departedAt)) await revokeTokens({ db }, userId)
  },
})

/** Whether a session of the user from before this time is live. A later one is a sign-in without a hotel. */
async function hasSessionFrom(db: Kysely<Tables>, userId: string, departedAt: Date): Promise<boolean> {
  const sessions = await liveSessionsOf(db, userId, new Date())
  return sessions.some(session => session.created_at <= departedAt)
}
