import { ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { holds, type Tenant } from '../../kernel/access/tenant.ts'
import type { PageRow } from '../tables.ts'

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

/** An event may not end before it starts. ValidationError. */
export function checkEventDates(starts: Date | null, ends: Date | null): void {
  if (starts && ends && ends < starts) throw invalid('eventEndsAt', 'must not be before eventStartsAt', 'event.order')
}
