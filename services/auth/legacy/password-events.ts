import type { Transaction } from 'kysely'
import { AuthenticationPasswordChangedSchema } from '../../../gen/platform/events/v1/authentication_pb.ts'
import { emit } from '../../kernel/bus/events.ts'
import type { Tables } from '../tables.ts'
import { aroundAccount } from '../user-events.ts'

/** Tells in which way a password was replaced. */
export const tellChanged = (
  trx: Transaction<Tables>,
  id: string,
  reason: 'change' | 'reset' | 'admin' | 'register',
  isTmpPassword = false,
) => emit(trx, AuthenticationPasswordChangedSchema, { id, reason, isTmpPassword }, aroundAccount)
