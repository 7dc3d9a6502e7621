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

type Envelope = { workspaceId: string; ecosystemId?: string; payload: unknown; metadata: { actor: EventActor } }

/** Records what other services changed about hotels, in the hotel's own workspace, about webhooks and about accounts. */
export const recordedChanges = ({ db }: Pick<Context, 'db'>) => ({
  durable,
  subject: 'platform.audit.recorded',
  retryDelays: retryDelaysOverAnHour,
  async handle({ id: eventId, body }: BusMessage): Promise<void> {
    const { workspaceId, ecosystemId, change } = readBody('a change to record', () => {
      const { workspaceId, ecosystemId, payload, metadata } = body as Envelope
      const { id, action, before, after } = fromJson(AuditRecordedSchema, payload)
      return {
        workspaceId,
        ecosystemId,
        change: { actor: metadata.actor, action, entityId: id, before, after } as AuditChange,
      }
    })
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, eventId))) return
      const home = ecosystemId && !workspaceId ? await findHotelWorkspace(trx, { ecosystemId }) : undefined
      await audit(trx, workspaceId ? { workspaceId } : home && { workspaceId: home.id }, change)
    })
  },
})
