import type { Insertable, Updateable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NewsDb, NewsTables, NewsTrx, PollRow } from '../tables.ts'

const ofPage = (db: NewsDb, tenant: Tenant, pageId: string) =>
  db.selectFrom('polls').selectAll().where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId)

export const findPoll = (db: NewsDb, tenant: Tenant, pageId: string): Promise<PollRow | undefined> =>
  ofPage(db, tenant, pageId).executeTakeFirst()

/** The poll of a page, locked: votes are serialised here. */
export const lockPoll = (trx: NewsTrx, tenant: Tenant, pageId: string): Promise<PollRow | undefined> =>
  ofPage(trx, tenant, pageId).forUpdate().executeTakeFirst()

/** Inserts the poll of a page that has no poll, and locks it until the transaction ends. */
export async function ensurePoll(trx: NewsTrx, poll: Insertable<NewsTables['polls']>): Promise<void> {
  const { page_id } = poll
  await trx.insertInto('polls').values(poll).onDuplicateKeyUpdate({ page_id }).execute()
}

export async function writePoll(
  trx: NewsTrx,
  tenant: Tenant,
  pageId: string,
  set: Updateable<NewsTables['polls']>,
): Promise<void> {
  await trx
    .updateTable('polls')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .execute()
}

/** Votes by option id; options without votes are absent. */
export async function voteCounts(db: NewsDb, tenant: Tenant, pageId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('poll_votes')
    .select(['option_id', eb => eb.fn.countAll<number>().as('total')])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .groupBy('option_id')
    .execute()
  return new Map(rows.map(row => [row.option_id, Number(row.total)]))
}

/** Ids of the options that a member chose. */
export async function choicesOf(db: NewsDb, tenant: Tenant, pageId: string, memberId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('poll_votes')
    .select('option_id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .execute()
  return rows.map(row => row.option_id)
}

/** Replaces a member's choices. @returns whether they had voted before */
export async function replaceChoices(
  trx: NewsTrx,
  tenant: Tenant,
  pageId: string,
  memberId: string,
  optionIds: string[],
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('poll_votes')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  const key = { page_id: pageId, member_id: memberId, workspace_id: tenant.workspaceId, created_at: new Date() }
  if (optionIds.length > 0)
    await trx
      .insertInto('poll_votes')
      .values(optionIds.map(option_id => ({ ...key, option_id })))
      .execute()
  return numDeletedRows > 0n
}
