import type { Updateable } from 'kysely'
import type { Tenant } from '../kernel/access/tenant.ts'
import { exempt } from '../kernel/database/database.ts'
import type { NewsDb, NewsTables, NewsTrx } from './tables.ts'

/** Tables of records that belong to a workspace and are deleted softly. */
type RecordTable = 'categories' | 'comments' | 'pages' | 'templates'

/** Workspace of a record, deleted or not. */
export async function locateRecord(db: NewsDb, table: RecordTable, id: string): Promise<string | undefined> {
  const row = await exempt(db, 'locates the tenant of a record')
    .selectFrom(table)
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

/** Changes columns of a live record. */
export async function writeRecord<Table extends RecordTable>(
  trx: NewsTrx,
  table: Table,
  { workspaceId, id }: Tenant & { id: string },
  set: Updateable<NewsTables[Table]>,
): Promise<void> {
  await trx
    .updateTable(table as RecordTable)
    .set(set)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}
