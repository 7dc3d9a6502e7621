import type { HandlerContext } from '@connectrpc/connect'
import { actingMember, maybePerson, openTenantsOf, tenantOfRecord } from '../../kernel/access/access.ts'
import { holds, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, NotFoundError, PreconditionFailedError } from '../../kernel/base/errors.ts'
import { shared } from '../../kernel/base/share.ts'
import type { Context } from '../context.ts'
import { findPage, locatePage } from './sql.ts'
import type { PageRow } from '../tables.ts'

export const pageNotFound = () => new NotFoundError('Page not found')

/**
 * Member id as whom pages are read: the person's, whose own drafts are open, or the owner's for a credential that may create
 * content. Empty for everybody else.
 */
export function callerId(context: HandlerContext): string {
  const person = maybePerson(context)
  if (person) return person.memberId
  const mayCreate = openTenantsOf(context).workspaces.some(one => one.permissions.includes('create_content'))
  return (mayCreate && actingMember(context)?.memberId) || ''
}

/** The workspace of a page that a call names, whether the page lives or not. NotFoundError, ForbiddenError. */
export async function openWorkspace(
  { db, pageWorkspaces }: Context,
  context: HandlerContext,
  pageId: string,
): Promise<Tenant> {
  let workspaceId = pageWorkspaces.get(pageId)
  if (workspaceId === undefined) {
    workspaceId = await locatePage(db, pageId)
    if (workspaceId !== undefined) pageWorkspaces.set(pageId, workspaceId)
  }
  return tenantOfRecord(context, workspaceId, 'Page')
}

/** Many who react to one page at one moment ask the same. */
const finding = shared<PageRow | undefined>()

/** A live page that the caller may see, and its workspace. NotFoundError, ForbiddenError. */
export async function openPage(
  news: Context,
  context: HandlerContext,
  pageId: string,
): Promise<{ tenant: Tenant; page: PageRow; memberId: string }> {
  const tenant = await openWorkspace(news, context, pageId)
  const page = await finding(pageId, () => findPage(news.db, tenant, pageId))
  const memberId = callerId(context)
  if (!page || !mayRead(tenant, memberId, page)) throw pageNotFound()
  return { tenant, page, memberId }
}

/** The entity tag of a page is its version. */
export const tagPage = (context: HandlerContext, { version }: { version?: number | undefined }): void =>
  context.responseHeader.set('etag', `"${version}"`)

/** 412 when If-Match names another version. */
export function checkVersion(header: string | null, version: number): void {
  if (header === null || header.trim() === '*') return
  const tags = header.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(`"${version}"`)) throw new PreconditionFailedError()
}

/** Whether the caller sees drafts and archived pages of others (DECISIONS 68). */
export const seesAll = (tenant: Tenant): boolean => holds(tenant, 'edit_content') || holds(tenant, 'publish_content')

/** Whether the caller may see the page: published ones all do, the others its author and editors. */
export const mayRead = (tenant: Tenant, memberId: string, page: Pick<PageRow, 'status' | 'created_by_id'>): boolean =>
  page.status === 'published' || (memberId !== '' && page.created_by_id === memberId) || seesAll(tenant)

/** Refuses a change by somebody without the permission for it, unless the page is a draft of their own. ForbiddenError. */
export function checkChange(
  tenant: Tenant,
  slug: 'edit_content' | 'delete_content',
  memberId: string,
  { status, created_by_id }: Pick<PageRow, 'status' | 'created_by_id'>,
): void {
  if (holds(tenant, slug)) return
  const isOwnDraft = status === 'draft' && memberId !== '' && created_by_id === memberId
  if (!isOwnDraft || !holds(tenant, 'create_content')) throw new ForbiddenError('Permission denied')
}
