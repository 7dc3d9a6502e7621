import type { Client } from '@connectrpc/connect'
import type { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { MediaDb, Owner } from '../tables.ts'
import { findStorage } from './storage.sql.ts'

/** Refuses an unknown ecosystem with ValidationError, and one whose hotel is closed with ConflictError. */
export type RequireKnown = (owner: Owner, folder: string) => Promise<void>

/** The hotel service stores the QR code during set-up, before other services know the hotel. */
const setupFolder = 'qr-codes'

const timeoutMs = 2_000

/**
 * For callers without a membership. Asks the member service; while that is unavailable, the upload is accepted. An
 * ecosystem with files or a quota counts as known.
 */
export const knownEcosystems =
  (db: MediaDb, access: Client<typeof AccessService>): RequireKnown =>
  async (owner, folder) => {
    try {
      await access.checkGrant({ ecosystemId: owner.ecosystemId, permissions: [] }, { timeoutMs })
    } catch (error) {
      const platformError = toRpcError(error)
      const { status } = platformError.info
      if (status === 409) throw platformError
      const isUnknown = status === 400 || status === 404
      if (isUnknown && folder !== setupFolder && !(await findStorage(db, owner))) throw platformError
    }
  }
