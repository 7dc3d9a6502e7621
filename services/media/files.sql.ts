import type { Transaction } from 'kysely'
import { exempt } from '../kernel/database/database.ts'
import { countRows } from '../kernel/database/rows.ts'
import { type CursorPaging, followsCursor, type ListOrder, rowsToRead } from '../kernel/rpc/cursor.ts'
import type { FileRow, MediaDb, MediaTables, Owner } from './tables.ts'

export async function insertFile(trx: Transaction<MediaTables>, owner: Owner, file: FileRow): Promise<void> {
  await trx
    .insertInto('media_files')
    .values({ ...file, ecosystem_id: owner.ecosystemId })
    .execute()
}

/** A file by id in any ecosystem: to serve it by its address, or to find its owner. */
export async function locateFile(db: MediaDb, id: string): Promise<FileRow | undefined> {
  return exempt(db, 'anyone who knows the id may read the file; its row names the owner')
    .selectFrom('media_files')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

const livingFiles = (db: MediaDb, owner: Owner, folder: string | undefined) =>
  db
    .selectFrom('media_files')
    .where('ecosystem_id', '=', owner.ecosystemId)
    .where('deleted_at', 'is', null)
    .$if(folder !== undefined, query => query.where('folder', '=', folder ?? ''))

export const newestFirst: ListOrder = { name: 'files', columns: { created_at: 'time', id: 'id' } }

/** A page of files, newest first. */
export const listFiles = (db: MediaDb, owner: Owner, folder: string | undefined, page: CursorPaging) =>
  livingFiles(db, owner, folder)
    .selectAll()
    .where(followsCursor(page, 'media_files'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowsToRead(page))
    .offset(page.offset)
    .execute()

export const countFiles = (db: MediaDb, owner: Owner, folder: string): Promise<number> =>
  countRows(livingFiles(db, owner, folder))

/** Files of an ecosystem or of one of its folders, locked for deletion. */
export async function filesToPurge(
  trx: Transaction<MediaTables>,
  owner: Owner,
  folder: string | undefined,
  limit: number,
): Promise<{ id: string; size: number }[]> {
  return livingFiles(trx, owner, folder).select(['id', 'size']).limit(limit).forUpdate().execute()
}

/** One file, locked for deletion. */
export async function fileToDelete(
  trx: Transaction<MediaTables>,
  owner: Owner,
  id: string,
): Promise<{ id: string; size: number } | undefined> {
  return livingFiles(trx, owner, undefined).select(['id', 'size']).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Records that a picture can't be read, so that no further thumbnail is offered. */
export async function markWithoutThumbnail(db: MediaDb, id: string): Promise<void> {
  await exempt(db, 'a fault of the picture, in any ecosystem')
    .updateTable('media_files')
    .set({ has_thumbnail: 0 })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Records that a picture is about to be decoded. @returns false when an earlier attempt hasn't ended */
export async function beginDecoding(db: MediaDb, id: string, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await exempt(db, 'an attempt at a picture, in any ecosystem')
    .updateTable('media_files')
    .set({ thumbnail_failures: 1, thumbnail_retry_at: until })
    .where('id', '=', id)
    .where('has_thumbnail', '=', 1)
    .where('thumbnail_failures', '=', 0)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records that an attempt has ended, whatever its result. */
export async function endDecoding(db: MediaDb, id: string): Promise<void> {
  await exempt(db, 'an attempt at a picture, in any ecosystem')
    .updateTable('media_files')
    .set({ thumbnail_failures: 0, thumbnail_retry_at: null })
    .where('id', '=', id)
    .execute()
}

/** Marks files as deleted and enqueues the removal of their bytes. */
export async function markDeleted(trx: Transaction<MediaTables>, owner: Owner, ids: string[]): Promise<void> {
  const now = new Date()
  await trx
    .updateTable('media_files')
    .set({ deleted_at: now })
    .where('ecosystem_id', '=', owner.ecosystemId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  await trx
    .insertInto('media_removals')
    .values(ids.map(id => ({ id, created_at: now })))
    .execute()
}

/** Enqueues the removal of bytes without a file, which may still be written. */
export async function openRemoval(trx: Transaction<MediaTables>, id: string): Promise<void> {
  await trx.insertInto('media_removals').values({ id, created_at: new Date() }).execute()
}

/** Ids whose bytes may still have to be removed. */
export async function openRemovals(db: MediaDb, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('media_removals')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(500)
    .execute()
  return rows.map(row => row.id)
}

export async function closeRemoval(db: MediaDb, id: string): Promise<void> {
  await db.deleteFrom('media_removals').where('id', '=', id).execute()
}
