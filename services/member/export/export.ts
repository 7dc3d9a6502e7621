import { ExportService } from '../../../gen/platform/member/v1/export_pb.ts'
import { ExportService as NewsExportService } from '../../../gen/platform/news/v1/export_pb.ts'
import { ExportService as NotificationExportService } from '../../../gen/platform/notification/v1/export_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { csvFile } from '../../kernel/files/csv.ts'
import { xlsxFile } from '../../kernel/files/xlsx.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { exportMemberData } from './data.ts'
import { columns, fileName, memberRows } from './rows.ts'

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Member lists as files, streamed so that a large workspace needs no more memory. */
export function exportService({ db, client }: Context): Rpc {
  const otherExports = { news: client(NewsExportService), notification: client(NotificationExportService) }
  return implement(ExportService, {
    async *exportMembers(request, context) {
      const tenant = tenantOf(context)
      const format = request.format === 'xlsx' ? 'xlsx' : 'csv'
      const file = format === 'xlsx' ? xlsxFile : csvFile
      const head = { contentType: contentTypes[format], fileName: fileName(tenant, format), attachment: true }
      yield { chunk: { head } }
      for await (const data of file(columns, memberRows(db, tenant))) yield { chunk: { data } }
    },

    exportMemberData: ({ id }, context) => exportMemberData(db, otherExports, context, id),
  })
}
