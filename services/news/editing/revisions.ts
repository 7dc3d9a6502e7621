import type { HandlerContext } from '@connectrpc/connect'
import {
  type GetRevisionRequest,
  type ListRevisionsRequest,
  type RestoreRevisionRequest,
  RevisionService,
} from '../../../gen/platform/news/v1/revisions_pb.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { openPage } from '../pages/access.ts'
import { document, medias } from '../pages/read.ts'
import { changeAndShow } from '../pages/update.ts'
import type { RevisionRow } from '../tables.ts'
import { countRevisions, findRevision, listRevisions } from './revisions.sql.ts'

const headOf = <Row extends Pick<RevisionRow, 'changed_fields'>>(row: Row) => ({
  ...messageFields(row),
  changedFields: JSON.parse(row.changed_fields) as string[],
})

async function list(news: Context, request: ListRevisionsRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const slice = paging(request)
  const [rows, total] = await Promise.all([
    listRevisions(news.db, tenant, page.id, slice),
    countRevisions(news.db, tenant, page.id),
  ])
  const authors = await news.members.authors(rows.flatMap(row => row.created_by_id ?? []))
  const data = rows.map(row => ({ ...headOf(row), createdBy: authors.get(row.created_by_id ?? '') }))
  return { data, meta: pageMeta(total, slice) }
}

async function openRevision(news: Context, { pageId, id }: { pageId: string; id: string }, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, pageId)
  const row = await findRevision(news.db, tenant, page.id, id)
  if (!row) throw new NotFoundError('Revision not found')
  return { tenant, row }
}

async function get(news: Context, request: GetRevisionRequest, context: HandlerContext) {
  const { row } = await openRevision(news, request, context)
  return {
    revision: {
      ...headOf(row),
      content: document(row.content),
      medias: medias(row.medias),
      createdBy: row.created_by_id === null ? undefined : await news.members.author(row.created_by_id),
    },
  }
}

/** Restores the content of a revision as a new change of the page. */
async function restore(news: Context, request: RestoreRevisionRequest, context: HandlerContext) {
  const { tenant, row } = await openRevision(news, request, context)
  const columns = { title: row.title, excerpt: row.excerpt, medias: row.medias }
  return changeAndShow(news, context, tenant, row.page_id, { columns, content: row.content })
}

export const revisionService = (news: Context): Rpc =>
  implement(RevisionService, {
    listRevisions: (request, context) => list(news, request, context),
    getRevision: (request, context) => get(news, request, context),
    restoreRevision: (request, context) => restore(news, request, context),
  })
