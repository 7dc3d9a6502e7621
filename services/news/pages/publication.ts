import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import type { NewsTrx, PageRow } from '../tables.ts'
import { lockDuty, removeDuty, upsertDuty } from './duties.sql.ts'

/** What a publication brings with it; what is absent stays as the page has it. */
type PublicationOptions = {
  mustRead?: boolean | undefined
  dueAt?: Timestamp | undefined
  isSilent?: boolean | undefined
}

/**
 * Stores the deadline of a locked page that is published now or later.
 * @returns the columns to write with the publication
 */
export async function preparePublication(
  trx: NewsTrx,
  tenant: Tenant,
  page: PageRow,
  { mustRead, isSilent, publishedAt, ...options }: PublicationOptions & { publishedAt: Date },
): Promise<Pick<PageRow, 'is_must_read' | 'is_silent'>> {
  const dueAt = options.dueAt ? timestampDate(options.dueAt) : null
  if (dueAt && !mustRead) throw invalid('dueAt', 'requires mustRead', 'must-read.deadline')
  if (mustRead) {
    if (dueAt && (dueAt <= publishedAt || dueAt <= new Date()))
      throw invalid('dueAt', 'must be in the future, after the publication', 'must-read.deadline')
    await upsertDuty(trx, tenant, page.id, dueAt)
  } else if (mustRead === undefined && page.is_must_read === 1) {
    const dueAt = (await lockDuty(trx, tenant, page.id))?.due_at
    if (dueAt && dueAt > new Date() && dueAt <= publishedAt)
      throw invalid('scheduledAt', 'must be before the deadline of the must-read page', 'must-read.deadline')
  } else if (mustRead === false && page.is_must_read === 1) await removeDuty(trx, tenant, page.id)
  return {
    is_must_read: mustRead === undefined ? page.is_must_read : Number(mustRead),
    is_silent: isSilent === undefined ? page.is_silent : Number(isSilent),
  }
}
