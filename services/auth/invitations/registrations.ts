import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type BusMessage, once, PermanentFailure } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { normalEmail } from '../email.ts'
import type { Tables } from '../tables.ts'
import { invitationsJoined } from './invitations.sql.ts'

const durable = 'auth-registrations'
const envelope = z.object({ payload: z.object({ email: z.string(), workspaceId: z.string() }) })

/** Marks an invitation accepted when its person joins the workspace, even through the member service's own route. */
export const registrations = (db: Kysely<Tables>) => ({
  durable,
  subject: 'platform.notification.member.registered',
  async handle(message: BusMessage): Promise<void> {
    const parsed = envelope.safeParse(message.body)
    if (!parsed.success) throw new PermanentFailure('member.registered without e-mail or workspace')
    const { email, workspaceId } = parsed.data.payload
    await inTransaction(db, async trx => {
      if (await once(trx, durable, message.id)) await invitationsJoined(trx, normalEmail(email), workspaceId)
    })
  },
})
