import { PayloadTooLargeError, ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { closeRemoval, insertFile, openRemoval } from '../files.sql.ts'
import type { ObjectStore } from '../objects/objects.ts'
import * as storage from '../quotas/storage.sql.ts'
import type { FileRow, MediaDb, Owner } from '../tables.ts'

/** Step by which space is reserved when the sender hasn't declared the size. */
const step = 8 * 1024 * 1024
const renewMs = 60_000
/** An upload that isn't renewed for this long is abandoned; see sweep.ts. */
export const abandonedMs = 10 * renewMs

/** Space reserved for one upload. */
export type Reservation = {
  /** Ensures that `total` bytes are reserved. Throws PayloadTooLargeError with the space left. */
  cover(total: number): Promise<void>
  /** Turns the reservation into a stored file of its actual size. */
  settle(file: FileRow): Promise<void>
}

/** The reservation of the upload `id`, empty at first. */
export function reservationOf(db: MediaDb, owner: Owner, id: string, defaultQuotaBytes: number): Reservation {
  let reservedBytes = 0
  let renewedAt = 0

  const grow = (bytes: number): Promise<boolean> =>
    inTransaction(db, async trx => {
      const first = renewedAt === 0
      if (!first && !(await storage.renewUpload(trx, owner, id, bytes))) throw uploadTimedOut()
      if (!(await storage.takeSpace(trx, owner, bytes, defaultQuotaBytes))) {
        // Thrown to roll back the renewal above.
        throw new NoSpace()
      }
      if (first) await storage.insertUpload(trx, owner, id, bytes)
      return true
    }).catch((error: unknown) => {
      if (error instanceof NoSpace) return false
      throw error
    })

  const tooLarge = async () => {
    const { max_bytes = null, used_bytes = 0, reserved_bytes = 0 } = (await storage.findStorage(db, owner)) ?? {}
    const freeBytes = Math.max(0, (max_bytes ?? defaultQuotaBytes) - used_bytes - reserved_bytes + reservedBytes)
    return new PayloadTooLargeError(`The storage quota is exceeded: ${freeBytes} bytes are left`)
  }

  return {
    async cover(total) {
      const missingBytes = total - reservedBytes
      if (missingBytes > 0) {
        // A small file reserves exactly its size, so that parallel uploads can fill a quota to the last byte.
        const stepBytes = reservedBytes > 0 ? Math.max(missingBytes, step) : missingBytes
        const grownBy = (await grow(stepBytes))
          ? stepBytes
          : stepBytes > missingBytes && (await grow(missingBytes))
            ? missingBytes
            : undefined
        if (grownBy === undefined) throw await tooLarge()
        reservedBytes += grownBy
        renewedAt = Date.now()
      } else if (renewedAt > 0 && Date.now() - renewedAt > renewMs) {
        if (!(await storage.renewUpload(db, owner, id, 0))) throw uploadTimedOut()
        renewedAt = Date.now()
      }
    },
    settle: file =>
      inTransaction(db, async trx => {
        if (!(await storage.deleteUpload(trx, owner, id))) throw uploadTimedOut()
        await storage.settleSpace(trx, owner, reservedBytes, file)
        await insertFile(trx, owner, file)
      }),
  }
}

/**
 * Ends an upload without a file: releases its space, then removes its bytes. Without its row no process can settle it,
 * so the bytes of a stored file are never touched. The store is called after the commit, because a silent one would
 * hold the connection; the sweep removes what it left.
 * @param isLate the store didn't answer and may still execute the request: the sweep checks again
 */
export async function abandonUpload(
  { db, objects }: { db: MediaDb; objects: ObjectStore },
  owner: Owner,
  id: string,
  { isLate = false } = {},
): Promise<void> {
  const isTaken = await inTransaction(db, async trx => {
    const reservedBytes = await storage.takeUpload(trx, owner, id)
    if (reservedBytes === undefined) return false
    await openRemoval(trx, id)
    await storage.settleSpace(trx, owner, reservedBytes)
    return true
  })
  if (!isTaken) return
  await objects.discard(id)
  await objects.remove([id])
  if (!isLate) await closeRemoval(db, id)
}

class NoSpace extends Error {}

const uploadTimedOut = () => new ServiceUnavailableError('The upload took too long, try again')
