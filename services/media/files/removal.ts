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
    if (!file) return false
    await markRemoved(trx, owner, [file])
    afterCommit(trx, () => removeBytes(media, [id]))
    return true
  })
}

/** Deletes all files of an ecosystem, or of one folder. @returns the number of files */
export async function purgeFiles(media: Bytes, owner: Owner, folder: string | undefined): Promise<number> {
  // One batch after the other: many at once would take the object store from everybody else.
  let removal = Promise.resolve()
  for (let deletedCount = 0; ; ) {
    const ids = await inTransaction(media.db, async trx => {
      const batch = await filesToPurge(trx, owner, folder, batchSize)
      if (batch.length > 0) await markRemoved(trx, owner, batch)
      return batch.map(file => file.id)
    })
    removal = removal.then(() => removeBytes(media, ids))
    deletedCount += ids.length
    if (ids.length < batchSize) return deletedCount
  }
}

async function markRemoved(trx: Transaction<MediaTables>, owner: Owner, files: RemovedFile[]): Promise<void> {
  await markDeleted(
    trx,
    owner,
    files.map(file => file.id),
  )
  await freeSpace(trx, owner, { bytes: files.reduce((sum, file) => sum + file.size, 0), files: files.length })
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
