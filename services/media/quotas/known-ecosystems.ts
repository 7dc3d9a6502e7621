import type { Client } from '@connectrpc/connect'
import type { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { toPlatformError } from '../../kernel/base/errors.ts'
import type { Db, Owner } from '../tables.ts'
import { findStorage } from './storage.sql.ts'

/** Refuses an ecosystem that there is none of: ValidationError, or ConflictError where its hotel is deleted. */
export type RequireKnown = (owner: Owner, folder: string) => Promise<void>

/** Where the hotel service keeps the code of a hotel that it sets up: its third step, two before anybody else knows the hotel. */
const beforeAll = 'qr-codes'

const refusals: ReadonlySet<number> = new Set([400, 404, 409])
const timeoutMs = 2_000

/**
 * For those whom no membership binds. Asked is the member service, once before the first file of an ecosystem; while it
 * has no answer they are believed.
 */
export const knownEcosystems =
  (db: Db, access: Client<typeof AccessService>): RequireKnown =>
  async (owner, folder) => {
    if (folder === beforeAll || (await findStorage(db, owner))) return
    try {
      await access.checkGrant({ ecosystemId: owner.ecosystemId, permissions: [] }, { timeoutMs })
    } catch (error) {
      const told = toPlatformError(error)
      if (refusals.has(told.info.status)) throw told
    }
  }
