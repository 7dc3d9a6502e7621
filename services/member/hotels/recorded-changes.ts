import { AuditRecordedSchema } from '../../../gen/platform/events/v1/audit_pb.ts'
import { type BusMessage, claimEvent, readBody, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { fromJson } from '../../kernel/json/decode.ts'
import { audit } from '../audit/record.ts'
import type { AuditChange } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { findHotelWorkspace } from '../workspace-memberships/workspace.sql.ts'

const durable = 'member-recorded-changes'

type Envelope = { ecosystemId?: string; payload: unknown; metadata: { actor: EventActor } }

/** Records what other services changed about hotels, in the hotel's own workspace, and about accounts. */
export const recordedChanges = ({ db }: Pick<Context, 'db'>) => ({
  durable,
  subject: 'platform.audit.recorded',
  retryDelays: retryDelaysOverAnHour,
  async handle({ id: eventId, body }: BusMessage): Promise<void> {
    const { ecosystemId, change } = readBody('a change to record', () => {
      const { ecosystemId, payload, metadata } = body as Envelope
      const { id, action, before, after } = fromJson(AuditRecordedSchema, payload)
      return { ecosystemId, change: { actor: metadata.actor, action, entityId: id, before, after } as AuditChange }
    })
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, eventId))) return
      const home = ecosystemId ? await findHotelWorkspace(trx, { ecosystemId }) : undefined
      await audit(trx, home && { workspaceId: home.id }, change)
    })
  },
})
