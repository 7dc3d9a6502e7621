import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import { AuditRecordedSchema } from '../../../gen/platform/events/v1/audit_pb.ts'
import {
  UserCreatedSchema,
  UserDeletedSchema,
  UserSessionsRevokedSchema,
} from '../../../gen/platform/events/v1/auth_pb.ts'
import { eventActorOf, isPlatformCaller } from '../../kernel/access/access.ts'
import { auditScope, type EventActor, type EventEnvelope, emit, emitAll, systemActor } from '../../kernel/bus/events.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import type { AuthTables } from '../tables.ts'
import { administratorsOf } from './administrators.sql.ts'

/** Accounts belong to no workspace, and their events are for services and sockets, not for members. */
export const aroundAccount: EventEnvelope = { workspaceId: '', channels: [], actor: systemActor, receiverIds: [] }

export const publishCreated = (trx: Transaction<AuthTables>, userId: string, email: string) =>
  emit(trx, UserCreatedSchema, { id: userId, userId, email }, aroundAccount)

/** The values name no address or person, because an erasure doesn't reach them. */
type AccountAudit = {
  userId: string
  action:
    | 'invited'
    | 'unlocked'
    | 'session_ended'
    | 'sessions_ended'
    | 'confirmation_sent'
    | 'password_reset'
    | 'flags_set'
    | 'address_changed'
    | 'deleted'
  before?: JsonObject
  after?: JsonObject
}

/** Records what an administrator did to an account in the audit log of the platform. */
export const auditAccount = (
  trx: Transaction<AuthTables>,
  actor: EventActor,
  { userId: id, action, ...values }: AccountAudit,
) => emit(trx, AuditRecordedSchema, { id, action: `account.${action}`, ...values }, auditScope(actor))

/** The same for a call by an administrator or a service. What people do to their own account isn't recorded. */
export async function auditAdministration(
  trx: Transaction<AuthTables>,
  context: HandlerContext,
  change: AccountAudit,
): Promise<void> {
  if (isPlatformCaller(context)) await auditAccount(trx, eventActorOf(context), change)
}

export async function publishDeleted(trx: Transaction<AuthTables>, userId: string, email: string): Promise<void> {
  afterCommit(trx, () => notifyListeners(userId))
  await emit(trx, UserDeletedSchema, { id: userId, userId, email }, aroundAccount)
  await revokeAdministrators(trx, [userId])
}

/** Publishes that sign-ins ended: all of a user, all but one, or one. Their sockets close with 4401. */
export async function publishRevoked(
  trx: Transaction<AuthTables>,
  userId: string,
  sessions: { exceptSessionId?: string; sessionId?: string } = {},
): Promise<void> {
  afterCommit(trx, () => notifyListeners(userId))
  await emit(trx, UserSessionsRevokedSchema, { id: userId, userId, ...sessions }, aroundAccount)
  if (sessions.sessionId === undefined) await revokeAdministrators(trx, [userId])
}

/** Publishes that all sign-ins of many users ended. */
export async function publishAllRevoked(trx: Transaction<AuthTables>, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  afterCommit(trx, () => userIds.forEach(notifyListeners))
  const events = userIds.map(userId => ({ payload: { id: userId, userId }, envelope: aroundAccount }))
  await emitAll(trx, UserSessionsRevokedSchema, events)
  await revokeAdministrators(trx, userIds)
}

/** The sign-ins of administrators end with those of the accounts they were created with. */
const revokeAdministrators = async (trx: Transaction<AuthTables>, userIds: string[]): Promise<void> =>
  publishAllRevoked(trx, await administratorsOf(trx, userIds))

const listeners = new Set<(userId: string) => void>()

/**
 * Calls `listener` after every commit that ended a user's sign-ins.
 * @returns a function that unsubscribes
 */
export function onSignInsEnded(listener: (userId: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notifyListeners(userId: string): void {
  for (const listener of listeners) listener(userId)
}
