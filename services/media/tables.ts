import type { Generated, Kysely, Selectable } from 'kysely'
import type { Ecosystem, Tenant } from '../kernel/access/tenant.ts'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

type FileTable = {
  id: string
  ecosystem_id: string
  folder: string
  file_name: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  /** 1 while thumbnails can be made of it. */
  has_thumbnail: number
  /** 1 while the picture is being decoded, and until when that may last; afterwards the attempt has ended a process. */
  thumbnail_failures: number
  thumbnail_retry_at: Date | null
  uploaded_by: string | null
  created_at: Date
  deleted_at: Date | null
}

export type MediaTables = {
  media_files: FileTable
  media_storage: {
    ecosystem_id: string
    max_bytes: number | null
    used_bytes: Generated<number>
    reserved_bytes: Generated<number>
    files_count: Generated<number>
    updated_at: Generated<Date>
  }
  media_uploads: { id: string; ecosystem_id: string; reserved_bytes: number; renewed_at: Date }
  media_removals: { id: string; created_at: Date }
}

export type FileRow = Selectable<FileTable>
export type StorageRow = Selectable<MediaTables['media_storage']>
/** The database, or a transaction on it. */
export type MediaDb = Kysely<MediaTables>

/** The owner of files: an ecosystem opened by the access check, or a system tenant for services and events. */
export type Owner = Ecosystem | Tenant

export const tenantTables: TenantTablesOf<MediaTables> = {
  media_files: { tenant: 'ecosystem_id', softDelete: true },
  media_storage: { tenant: 'ecosystem_id' },
  media_uploads: { tenant: 'ecosystem_id' },
}
