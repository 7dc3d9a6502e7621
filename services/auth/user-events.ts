import type { Transaction } from 'kysely'
import {
  UserCreatedSchema,
  UserDeletedSchema,
  UserSessionsRevokedSchema,
} from '../../gen/platform/events/v1/auth_pb.ts'
import { afterCommit } from '../kernel/database.ts'
import { type Around, emit, systemActor } from '../kernel/events.ts'
import type { Tables } from './tables.ts'

/** Accounts belong to no workspace, and their events are for services and sockets, not for people. */
export const aroundAccount: Around = { workspaceId: '', channels: [], actor: systemActor, receiverIds: [] }

export const tellCreated = (trx: Transaction<Tables>, userId: string, email: string) =>
  emit(trx, UserCreatedSchema, { id: userId, userId, email }, aroundAccount)

export const tellDeleted = (trx: Transaction<Tables>, userId: string, email: string) => {
  afterCommit(trx, () => tellEnded(userId))
  return emit(trx, UserDeletedSchema, { id: userId, userId, email }, aroundAccount)
}

/** Sign-ins ended: all of a user, all but one, or only one. Their sockets are closed with 4401. */
export const tellRevoked = (
  trx: Transaction<Tables>,
  userId: string,
  which: { exceptSessionId?: string; sessionId?: string } = {},
) => {
  afterCommit(trx, () => tellEnded(userId))
  return emit(trx, UserSessionsRevokedSchema, { id: userId, userId, ...which }, aroundAccount)
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
