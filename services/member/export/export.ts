import { ExportService } from '../../../gen/platform/member/v1/export_pb.ts'
import { ExportService as NewsExportService } from '../../../gen/platform/news/v1/export_pb.ts'
import { ExportService as NotificationExportService } from '../../../gen/platform/notification/v1/export_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { spreadsheetChunks } from '../../kernel/files/spreadsheet.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { exportMemberData } from './data.ts'
import { columns, fileName, memberRows } from './rows.ts'

/** Member lists as files, streamed so that a large workspace needs no more memory. */
export function exportService({ db, client }: Context): Rpc {
  const otherExports = { news: client(NewsExportService), notification: client(NotificationExportService) }
  return implement(ExportService, {
    async *exportMembers(request, context) {
      const tenant = tenantOf(context)
      yield* spreadsheetChunks(request.format, { name: fileName(tenant), columns, rows: memberRows(db, tenant) })
    },

    exportMemberData: ({ id }, context) => exportMemberData(db, otherExports, context, id),
  })
}
