import type { Kysely } from 'kysely'
import { z } from 'zod'
import { normalEmail } from '../../kernel/base/text.ts'
import { type BusMessage, once, payloadOf } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Tables } from '../tables.ts'
import { invitationsJoined } from './invitations.sql.ts'

const durable = 'auth-registrations'

/** Marks an invitation accepted when its person joins the workspace, even through the member service's own route. */
export const registrations = (db: Kysely<Tables>) => ({
  durable,
  subject: 'platform.notification.member.registered',
  async handle(message: BusMessage): Promise<void> {
    const { email, workspaceId } = payloadOf(message, { email: z.string(), workspaceId: z.string() })
    await inTransaction(db, async trx => {
      if (await once(trx, durable, message.id)) await invitationsJoined(trx, normalEmail(email), workspaceId)
    })
  },
})
