import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { ecosystemOf, ecosystemOfRecord, isPlatformCaller, maybePerson } from '../../kernel/access/access.ts'
import { hasPermission } from '../../kernel/access/tenant.ts'
import { ForbiddenError, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { cursorPaging, cutToPage } from '../../kernel/rpc/cursor.ts'
import { pageMeta } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { countFiles, listFiles, locateFile, newestFirst } from '../files.sql.ts'
import { serviceTenant } from '../quotas/quotas.ts'
import { findStorage } from '../quotas/storage.sql.ts'
import type { FileRow, MediaDb } from '../tables.ts'
import { bytesOf, sizeOfVariant, thumbnailOf } from './download.ts'
import { deleteFile, purgeFiles } from './removal.ts'

type Handlers = Pick<ServiceImpl<typeof MediaService>, 'downloadMedia' | 'deleteMedia' | 'purgeMedia' | 'listMedia'>

const notFound = () => new NotFoundError('File not found')

export function fileHandlers(media: Context): Handlers {
  const { db, publicUrl } = media
  return {
    async *downloadMedia({ id, variant }, context) {
      const file = await locateFile(db, id)
      if (!file) throw notFound()
      const size = sizeOfVariant(variant)
      for await (const chunk of size ? thumbnailOf(media, file, size) : bytesOf(media, file, context)) yield { chunk }
    },

    async deleteMedia({ id }, context) {
      const file = await locateFile(db, id)
      const owner = ecosystemOfRecord(context, file?.ecosystem_id, 'File')
      if (!file || !(mayDelete(file, context) || hasPermission(owner, 'manage_ecosystem'))) throw new ForbiddenError()
      if (!(await deleteFile(media, owner, id))) throw notFound()
      return { message: 'File deleted', id }
    },

    async purgeMedia({ ecosystemId, folder }) {
      return { deletedCount: await purgeFiles(media, serviceTenant(ecosystemId), folder || undefined) }
    },

    async listMedia(request, context) {
      const owner = ecosystemOf(context)
      const page = cursorPaging(request, newestFirst)
      const { folder } = request
      const [files, total] = await Promise.all([
        listFiles(db, owner, folder, page),
        folder === undefined ? filesOf(db, owner) : countFiles(db, owner, folder),
      ])
      const { rows, nextCursor } = cutToPage(files, page)
      return { data: rows.map(row => fileOf(row, publicUrl)), meta: pageMeta(total, page, nextCursor) }
    },
  }
}

const mayDelete = (file: FileRow, context: HandlerContext): boolean =>
  isPlatformCaller(context) || (file.uploaded_by !== null && file.uploaded_by === maybePerson(context)?.memberId)

const filesOf = async (db: MediaDb, owner: Parameters<typeof findStorage>[1]): Promise<number> =>
  (await findStorage(db, owner))?.files_count ?? 0

/** A stored file as a message. */
export function fileOf(row: FileRow, publicUrl: string) {
  return {
    ...messageFields(row),
    fileUrl: `${publicUrl}/media/files/${row.id}`,
    ...(row.has_thumbnail && { thumbnailUrl: `${publicUrl}/media/files/${row.id}?variant=thumbnail` }),
  }
}
