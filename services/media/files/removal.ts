import type { Transaction } from 'kysely'
import { afterCommit, inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { closeRemoval, filesToPurge, fileToDelete, markDeleted } from '../files.sql.ts'
import { freeSpace } from '../quotas/storage.sql.ts'
import type { MediaTables, Owner } from '../tables.ts'
import { thumbnailNames } from '../thumbnails/thumbnails.ts'

type Bytes = Pick<Context, 'db' | 'objects' | 'log'>
type RemovedFile = { id: string; size: number }

const batchSize = 200

/** Deletes a file, frees its space and then removes its bytes. @returns false when it was gone already */
export function deleteFile(media: Bytes, owner: Owner, id: string): Promise<boolean> {
  return inTransaction(media.db, async trx => {
    const file = await fileToDelete(trx, owner, id)
    if (file) await remove(media, trx, owner, [file])
    return file !== undefined
  })
}

/** Deletes all files of an ecosystem, or of one folder. @returns the number of files */
export async function purgeFiles(media: Bytes, owner: Owner, folder: string | undefined): Promise<number> {
  for (let deletedCount = 0; ; ) {
    const files = await inTransaction(media.db, async trx => {
      const batch = await filesToPurge(trx, owner, folder, batchSize)
      if (batch.length > 0) await remove(media, trx, owner, batch)
      return batch.length
    })
    deletedCount += files
    if (files < batchSize) return deletedCount
  }
}

async function remove(media: Bytes, trx: Transaction<MediaTables>, owner: Owner, files: RemovedFile[]): Promise<void> {
  const ids = files.map(file => file.id)
  await markDeleted(trx, owner, ids)
  await freeSpace(trx, owner, { bytes: files.reduce((sum, file) => sum + file.size, 0), files: files.length })
  afterCommit(trx, () => removeBytes(media, ids))
}

/** Removes the bytes of deleted files; the sweep retries failures, which keep no other file waiting. */
export async function removeBytes({ db, objects, log }: Bytes, ids: string[]): Promise<void> {
  for (const id of ids) {
    try {
      await objects.remove([id, ...thumbnailNames(id)])
      await closeRemoval(db, id)
    } catch (err) {
      log.warn({ id, err }, 'bytes of a deleted file not removed; retrying')
    }
  }
}
