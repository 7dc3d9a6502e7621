import type { JsonObject } from '@bufbuild/protobuf'
import { AuditRecordedSchema } from '../../gen/platform/events/v1/audit_pb.ts'
import { auditScope, type EventActor, emit } from '../kernel/bus/events.ts'
import type { HotelTrx } from './tables.ts'

export type HotelAudit = {
  hotelId: string
  actor: EventActor
  action: 'created' | 'suspended' | 'reopened' | 'deleted' | 'restored'
  before?: JsonObject
  after?: JsonObject
}

/** Records a change of a hotel's life in the audit log of its own workspace, once the transaction commits. */
export const auditHotel = (trx: HotelTrx, { hotelId, actor, action, before, after }: HotelAudit) =>
  emit(
    trx,
    AuditRecordedSchema,
    { id: hotelId, action: `hotel.${action}`, ...(before ? { before } : {}), ...(after ? { after } : {}) },
    auditScope(actor, hotelId),
  )
