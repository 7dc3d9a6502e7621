import { sql, type Transaction } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { MediaDb, MediaTables, Owner, StorageRow } from '../tables.ts'

/** Inserts the ecosystem's row if it is missing. */
async function ensureStorage(db: MediaDb, owner: Owner): Promise<void> {
  const { ecosystemId } = owner
  await db
    .insertInto('media_storage')
    .values({ ecosystem_id: ecosystemId, max_bytes: null })
    .onDuplicateKeyUpdate({ ecosystem_id: ecosystemId })
    .execute()
}

/** The row of an ecosystem; undefined before its first upload or quota. */
export async function findStorage(db: MediaDb, owner: Owner): Promise<StorageRow | undefined> {
  return db.selectFrom('media_storage').selectAll().where('ecosystem_id', '=', owner.ecosystemId).executeTakeFirst()
}

/** Sets the quota in bytes. */
export async function setQuota(db: MediaDb, owner: Owner, maxBytes: number): Promise<void> {
  await db
    .insertInto('media_storage')
    .values({ ecosystem_id: owner.ecosystemId, max_bytes: maxBytes })
    .onDuplicateKeyUpdate({ max_bytes: maxBytes })
    .execute()
}

/** Restores the default quota; deletes the row of an ecosystem that stores nothing. */
export async function removeQuota(db: MediaDb, owner: Owner): Promise<void> {
  const { ecosystemId } = owner
  await db.updateTable('media_storage').set({ max_bytes: null }).where('ecosystem_id', '=', ecosystemId).execute()
  await db
    .deleteFrom('media_storage')
    .where('ecosystem_id', '=', ecosystemId)
    .where('max_bytes', 'is', null)
    .where('files_count', '=', 0)
    .where('used_bytes', '=', 0)
    .where('reserved_bytes', '=', 0)
    .execute()
}

/**
 * Reserves space if it is free, in one statement, so that parallel uploads never get the same bytes.
 * @returns false when there isn't enough left
 */
export async function takeSpace(db: MediaDb, owner: Owner, bytes: number, defaultBytes: number): Promise<boolean> {
  const take = async () => {
    const { numUpdatedRows } = await db
      .updateTable('media_storage')
      .set(eb => ({ reserved_bytes: eb('reserved_bytes', '+', bytes) }))
      .where('ecosystem_id', '=', owner.ecosystemId)
      .where(sql<boolean>`used_bytes + reserved_bytes + ${bytes} <= coalesce(max_bytes, ${defaultBytes})`)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  if (await take()) return true
  await ensureStorage(db, owner)
  return take()
}

/** Releases reserved space, and counts the stored file, if any. */
export async function settleSpace(
  trx: Transaction<MediaTables>,
  owner: Owner,
  reservedBytes: number,
  file?: { size: number },
): Promise<void> {
  await trx
    .updateTable('media_storage')
    .set(eb => ({
      reserved_bytes: eb('reserved_bytes', '-', reservedBytes),
      used_bytes: eb('used_bytes', '+', file?.size ?? 0),
      files_count: eb('files_count', '+', file ? 1 : 0),
    }))
    .where('ecosystem_id', '=', owner.ecosystemId)
    .execute()
}

/** Frees the space of deleted files. */
export async function freeSpace(
  trx: Transaction<MediaTables>,
  owner: Owner,
  freed: { bytes: number; files: number },
): Promise<void> {
  await trx
    .updateTable('media_storage')
    .set(eb => ({
      used_bytes: eb('used_bytes', '-', freed.bytes),
      files_count: eb('files_count', '-', freed.files),
    }))
    .where('ecosystem_id', '=', owner.ecosystemId)
    .execute()
}

export async function insertUpload(db: MediaDb, owner: Owner, id: string, bytes: number): Promise<void> {
  await db
    .insertInto('media_uploads')
    .values({ id, ecosystem_id: owner.ecosystemId, reserved_bytes: bytes, renewed_at: new Date() })
    .execute()
}

/** Renews an upload and adds to its reservation. @returns false when it was abandoned meanwhile */
export async function renewUpload(db: MediaDb, owner: Owner, id: string, moreBytes: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_uploads')
    .set(eb => ({ reserved_bytes: eb('reserved_bytes', '+', moreBytes), renewed_at: new Date() }))
    .where('id', '=', id)
    .where('ecosystem_id', '=', owner.ecosystemId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends an upload. @returns its reserved bytes; undefined when it was abandoned meanwhile */
export async function takeUpload(trx: Transaction<MediaTables>, owner: Owner, id: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('media_uploads')
    .select('reserved_bytes')
    .where('id', '=', id)
    .where('ecosystem_id', '=', owner.ecosystemId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  await deleteUpload(trx, owner, id)
  return row.reserved_bytes
}

/** Ends an upload whose reserved bytes are known. @returns false when it was abandoned meanwhile */
export async function deleteUpload(trx: Transaction<MediaTables>, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('media_uploads')
    .where('id', '=', id)
    .where('ecosystem_id', '=', owner.ecosystemId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Those of the ids that belong to an upload in progress. */
export async function uploadsAmong(db: MediaDb, ids: string[]): Promise<Set<string>> {
  const rows = await exempt(db, 'the ids of leftovers have no known ecosystem')
    .selectFrom('media_uploads')
    .select('id')
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(row => row.id))
}

/** Uploads of all ecosystems that haven't been renewed since a given time. */
export async function abandonedUploads(db: MediaDb, before: Date): Promise<{ id: string; ecosystem_id: string }[]> {
  return exempt(db, 'abandoned uploads of all ecosystems are removed')
    .selectFrom('media_uploads')
    .select(['id', 'ecosystem_id'])
    .where('renewed_at', '<', before)
    .orderBy('renewed_at')
    .limit(200)
    .execute()
}
