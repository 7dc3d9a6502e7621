import type { HandlerContext } from '@connectrpc/connect'
import { actingMember, maybePerson, tenantOfRecord } from '../../kernel/access/access.ts'
import { hasPermission, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, NotFoundError, PreconditionFailedError } from '../../kernel/base/errors.ts'
import { shareRuns } from '../../kernel/base/share.ts'
import { matchesEtag } from '../../kernel/base/text.ts'
import type { Context } from '../context.ts'
import { locateRecord } from '../records.sql.ts'
import type { NewsDb, PageRow } from '../tables.ts'
import { findPage } from './sql.ts'

export const pageNotFound = () => new NotFoundError('Page not found')

/**
 * Member id under which the caller reads pages of the workspace: their own, which includes their drafts, or the owner's
 * for a credential that may create content there. Empty for all others.
 */
export function callerId(tenant: Tenant, context: HandlerContext): string {
  const person = maybePerson(context)
  if (person) return person.memberId
  return (hasPermission(tenant, 'create_content') && actingMember(context)?.memberId) || ''
}

/** Opens the workspace of a page, live or deleted. Throws NotFoundError, ForbiddenError. */
export async function openWorkspace(
  { db, pageWorkspaces }: Context,
  context: HandlerContext,
  pageId: string,
): Promise<Tenant> {
  let workspaceId = pageWorkspaces.get(pageId)
  if (workspaceId === undefined) {
    workspaceId = await locateRecord(db, 'pages', pageId)
    if (workspaceId !== undefined) pageWorkspaces.set(pageId, workspaceId)
  }
  return tenantOfRecord(context, workspaceId, 'Page')
}

/** Makes a function that opens pages with a statement, whose runs are shared: many members react to a page at once. */
export function pageOpener<Page extends PageRow>(
  find: (db: NewsDb, tenant: Tenant, id: string) => Promise<Page | undefined>,
) {
  const sharedFinds = shareRuns<Page | undefined>()
  return async (news: Context, context: HandlerContext, pageId: string) => {
    const tenant = await openWorkspace(news, context, pageId)
    const page = await sharedFinds(pageId, () => find(news.db, tenant, pageId))
    const memberId = callerId(tenant, context)
    if (!page || !mayRead(tenant, memberId, page)) throw pageNotFound()
    return { tenant, page, memberId }
  }
}

/** A live page that the caller may see, and its workspace. Throws NotFoundError, ForbiddenError. */
export const openPage = pageOpener(findPage)

/** Sets the entity tag: the version of the page. */
export const tagPage = (context: HandlerContext, { version }: { version?: number | undefined }): void =>
  context.responseHeader.set('etag', `"${version}"`)

/** Throws PreconditionFailedError (412) when If-Match names another version. */
export function checkVersion(header: string | null, version: number): void {
  if (header !== null && !matchesEtag(header, `"${version}"`)) throw new PreconditionFailedError()
}

/** Whether the caller sees drafts and archived pages of others. */
export const seesAll = (tenant: Tenant): boolean =>
  hasPermission(tenant, 'edit_content') || hasPermission(tenant, 'publish_content')

/** Whether the caller may see the page: published ones are open to all, others to their author and editors. */
export const mayRead = (tenant: Tenant, memberId: string, page: Pick<PageRow, 'status' | 'created_by_id'>): boolean =>
  page.status === 'published' || (memberId !== '' && page.created_by_id === memberId) || seesAll(tenant)

/**
 * Throws ForbiddenError unless the caller has the permission or the page is their own draft. Once somebody scheduled the
 * draft, changing its text publishes that text.
 */
export function checkChange(
  tenant: Tenant,
  slug: 'edit_content' | 'delete_content',
  memberId: string,
  { status, created_by_id, scheduled_at }: Pick<PageRow, 'status' | 'created_by_id' | 'scheduled_at'>,
): void {
  if (hasPermission(tenant, slug)) return
  const isOwnDraft = status === 'draft' && memberId !== '' && created_by_id === memberId
  const publishes = slug === 'edit_content' && scheduled_at !== null
  if (
    !isOwnDraft ||
    !hasPermission(tenant, 'create_content') ||
    (publishes && !hasPermission(tenant, 'publish_content'))
  )
    throw new ForbiddenError('Permission denied', { permission: slug })
}
