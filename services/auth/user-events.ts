import type { Transaction } from 'kysely'
import {
  UserCreatedSchema,
  UserDeletedSchema,
  UserSessionsRevokedSchema,
} from '../../gen/platform/events/v1/auth_pb.ts'
import { afterCommit } from '../kernel/database.ts'
import { type Around, emit, systemActor } from '../kernel/events.ts'
import { administratorsOf } from './administrators.sql.ts'
import type { Tables } from './tables.ts'

/** Accounts belong to no workspace, and their events are for services and sockets, not for people. */
export const aroundAccount: Around = { workspaceId: '', channels: [], actor: systemActor, receiverIds: [] }

export const tellCreated = (trx: Transaction<Tables>, userId: string, email: string) =>
  emit(trx, UserCreatedSchema, { id: userId, userId, email }, aroundAccount)

export async function tellDeleted(trx: Transaction<Tables>, userId: string, email: string): Promise<void> {
  afterCommit(trx, () => tellEnded(userId))
  await emit(trx, UserDeletedSchema, { id: userId, userId, email }, aroundAccount)
  await tellAdministrators(trx, userId)
}

/** Sign-ins ended: all of a user, all but one, or only one. Their sockets are closed with 4401. */
export async function tellRevoked(
  trx: Transaction<Tables>,
  userId: string,
  which: { exceptSessionId?: string; sessionId?: string } = {},
): Promise<void> {
  afterCommit(trx, () => tellEnded(userId))
  await emit(trx, UserSessionsRevokedSchema, { id: userId, userId, ...which }, aroundAccount)
  if (which.sessionId === undefined) await tellAdministrators(trx, userId)
}

/** The sign-ins of administrators made with an account end with its own. */
async function tellAdministrators(trx: Transaction<Tables>, userId: string): Promise<void> {
  for (const id of await administratorsOf(trx, [userId])) await tellRevoked(trx, id)
}

const listeners = new Set<(userId: string) => void>()

/** Calls `listener` after every commit that ended sign-ins of a user. @returns a function that stops that */
export function onSignInsEnded(listener: (userId: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tellEnded(userId: string): void {
  for (const listener of listeners) listener(userId)
}
