import { AuditService } from '../../gen/platform/member/v1/audit_pb.ts'
import { implement } from '../kernel/implement.ts'
import type { Rpc } from '../kernel/server.ts'

/** The record of who changed what; not kept yet. */
export const auditService = (): Rpc => implement(AuditService, {}, ['listAuditEntries'])
