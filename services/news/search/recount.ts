import type { Kysely, Selectable } from 'kysely'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import type { NewsTables, NewsTrx } from '../tables.ts'
import { type SearchedPage, searchedText, upsertSearchRow } from './texts.sql.ts'

const batchRows = 500

const exemption = 'compares the search texts of all workspaces'

/** Number of compared texts, and of wrong or stray ones. */
type TextRecount = { checked: number; wrong: number }

type StoredText = Pick<
  Selectable<NewsTables['page_texts']>,
  'status' | 'page_type' | 'category_id' | 'created_by_id' | 'body'
>

/** Compares the search texts with the pages; `repair` rewrites wrong ones. */
export async function recountTexts(db: Kysely<NewsTables>, workspaceId: string, repair: boolean): Promise<TextRecount> {
  const recount: TextRecount = { checked: 0, wrong: 0 }
  for (let after = ''; ; ) {
    const lastPageId = await inTransaction(db, async trx => {
      const pages = await loadLivePages(trx, workspaceId, after, repair)
      const textsById = await loadTexts(trx, pages)
      const wrongPages = pages.filter(page => !isUpToDate(page, textsById.get(page.id)))
      if (repair) for (const page of wrongPages) await upsertSearchRow(trx, page)
      recount.checked += pages.length
      recount.wrong += wrongPages.length
      return pages.length < batchRows ? undefined : pages.at(-1)?.id
    })
    if (lastPageId === undefined) break
    after = lastPageId
  }
  recount.wrong += await recountStrays(db, workspaceId, repair)
  return recount
}

const loadLivePages = (trx: NewsTrx, workspaceId: string, after: string, repair: boolean): Promise<SearchedPage[]> =>
  exempt(trx, exemption)
    .selectFrom('pages')
    .select(['id', 'workspace_id', 'title', 'excerpt', 'status', 'page_type', 'category_id', 'created_by_id'])
    .where('id', '>', after)
    .where('deleted_at', 'is', null)
    .$if(workspaceId !== '', query => query.where('workspace_id', '=', workspaceId))
    .orderBy('id')
    .limit(batchRows)
    .$if(repair, query => query.forUpdate())
    .execute()

async function loadTexts(trx: NewsTrx, pages: SearchedPage[]): Promise<Map<string, StoredText>> {
  const rows = await exempt(trx, exemption)
    .selectFrom('page_texts')
    .selectAll()
    .where(
      'page_id',
      'in',
      pages.map(page => page.id),
    )
    .execute()
  return new Map(rows.map(row => [row.page_id, row]))
}

const isUpToDate = (page: SearchedPage, text: StoredText | undefined): boolean =>
  text !== undefined &&
  text.status === page.status &&
  text.page_type === page.page_type &&
  text.category_id === page.category_id &&
  text.created_by_id === page.created_by_id &&
  text.body.toString() === searchedText(page)

/** Counts search texts whose page is deleted or missing; `repair` deletes them. */
async function recountStrays(db: Kysely<NewsTables>, workspaceId: string, repair: boolean): Promise<number> {
  return inTransaction(db, async trx => {
    const rows = await exempt(trx, exemption)
      .selectFrom('page_texts as t')
      .leftJoin('pages as p', join => join.onRef('p.id', '=', 't.page_id').on('p.deleted_at', 'is', null))
      .select('t.page_id')
      .where('p.id', 'is', null)
      .$if(workspaceId !== '', query => query.where('t.workspace_id', '=', workspaceId))
      .execute()
    if (repair && rows.length > 0)
      await exempt(trx, exemption)
        .deleteFrom('page_texts')
        .where(
          'page_id',
          'in',
          rows.map(row => row.page_id),
        )
        .execute()
    return rows.length
  })
}
