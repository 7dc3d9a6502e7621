import type { HandlerContext } from '@connectrpc/connect'
import { actingMember, maybePerson, openTenantsOf, tenantOfRecord } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { shared } from '../../kernel/base/share.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { News } from '../context.ts'
import { mayRead } from './rules.ts'
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
export async function openPlace({ db, places }: News, context: HandlerContext, pageId: string): Promise<Tenant> {
  let workspaceId = places.get(pageId)
  if (workspaceId === undefined) {
    workspaceId = await locatePage(db, pageId)
    if (workspaceId !== undefined) places.set(pageId, workspaceId)
  }
  return tenantOfRecord(context, workspaceId, 'Page')
}

/** Many who react to one page at one moment ask the same. */
const finding = shared<PageRow | undefined>()

/** A live page that the caller may see, and its workspace. NotFoundError, ForbiddenError. */
export async function openPage(
  news: News,
  context: HandlerContext,
  pageId: string,
): Promise<{ tenant: Tenant; page: PageRow; memberId: string }> {
  const tenant = await openPlace(news, context, pageId)
  const page = await finding(pageId, () => findPage(news.db, tenant, pageId))
  const memberId = callerId(context)
  if (!page || !mayRead(tenant, memberId, page)) throw pageNotFound()
  return { tenant, page, memberId }
}
