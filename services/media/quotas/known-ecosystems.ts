import type { Client } from '@connectrpc/connect'
import type { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { MediaDb, Owner } from '../tables.ts'
import { findStorage } from './storage.sql.ts'

/** Refuses an unknown ecosystem with ValidationError, and one whose hotel is deleted with ConflictError. */
export type RequireKnown = (owner: Owner, folder: string) => Promise<void>

/** The hotel service stores the QR code during set-up, before other services know the hotel. */
const setupFolder = 'qr-codes'

const refusals: ReadonlySet<number> = new Set([400, 404, 409])
const timeoutMs = 2_000

/**
 * For callers without a membership. Asks the member service once, before an ecosystem's first file; while that is
 * unavailable, the upload is accepted.
 */
export const knownEcosystems =
  (db: MediaDb, access: Client<typeof AccessService>): RequireKnown =>
  async (owner, folder) => {
    if (folder === setupFolder || (await findStorage(db, owner))) return
    try {
      await access.checkGrant({ ecosystemId: owner.ecosystemId, permissions: [] }, { timeoutMs })
    } catch (error) {
      const platformError = toRpcError(error)
      if (refusals.has(platformError.info.status)) throw platformError
    }
  }
