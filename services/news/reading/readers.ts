import type { HandlerContext } from '@connectrpc/connect'
import type { ExportReadersRequest, ListReadersRequest } from '../../../gen/platform/news/v1/must_read_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { plainSlug } from '../../kernel/base/texts/slug.ts'
import { spreadsheetChunks } from '../../kernel/files/spreadsheet.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { openPage } from '../pages/access.ts'
import type { PageRow } from '../tables.ts'
import * as statements from './must-reads.sql.ts'

export const notMustRead = () => new NotFoundError('The page is not must-read')

/** Active members but the author, by last name, with their reading state, all in memory: one workspace's members fit. */
async function readersOf(news: Context, tenant: Tenant, page: PageRow, status?: string) {
  if (page.is_must_read !== 1) throw notMustRead()
  const [audience, acknowledged, viewers] = await Promise.all([
    news.members.audience(tenant.workspaceId),
    statements.acknowledgementsOf(news.db, tenant, page.id),
    statements.viewersOfPage(news.db, tenant, page.id),
  ])
  const readers = audience.filter(id => id !== page.created_by_id)
  const listedIds = readers.filter(id => !status || acknowledged.has(id) === (status === 'acknowledged'))
  const authors = await news.members.authors(listedIds)
  const sortedAuthors = [...authors.values()].toSorted(
    (a, b) =>
      (a.lastName ?? '').localeCompare(b.lastName ?? '') ||
      (a.firstName ?? '').localeCompare(b.firstName ?? '') ||
      (a.id < b.id ? -1 : 1),
  )
  return sortedAuthors.map(member => ({
    member,
    hasViewed: viewers.has(member.id),
    acknowledgedAt: acknowledged.get(member.id) ?? null,
  }))
}

export async function listReaders(news: Context, request: ListReadersRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const readers = await readersOf(news, tenant, page, request.status)
  const slice = paging(request)
  const data = readers
    .slice(slice.offset, slice.offset + slice.limit)
    .map(reader => ({ ...reader, acknowledgedAt: timestamp(reader.acknowledgedAt) }))
  return { data, meta: pageMeta(readers.length, slice) }
}

/** All readers as a file, with times in the workspace's zone, which its column names. */
export async function* exportReaders(news: Context, request: ExportReadersRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const [readers, teams, timeZone] = await Promise.all([
    readersOf(news, tenant, page),
    news.members.teams(tenant.workspaceId),
    news.members.timeZone(tenant.workspaceId),
  ])
  const cells = readers.map(({ member, hasViewed, acknowledgedAt }) => [
    member.lastName ?? '',
    member.firstName ?? '',
    (teams.get(member.id) ?? []).join('; '),
    hasViewed ? 'yes' : 'no',
    // Swedish writes dates as ISO 8601 does.
    acknowledgedAt?.toLocaleString('sv-SE', { timeZone }) ?? '',
  ])
  yield* spreadsheetChunks(request.format, {
    name: `readers-${plainSlug(page.title) || page.id}`,
    columns: ['lastName', 'firstName', 'teams', 'hasViewed', `acknowledgedAt (${timeZone})`],
    rows: toParts(cells),
  })
}

async function* toParts(cells: string[][]): AsyncGenerator<string[][]> {
  yield cells
}
