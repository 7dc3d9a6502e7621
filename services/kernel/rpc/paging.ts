/** The page of a list, within its limits [D50]. */
export type Paging = { page: number; limit: number; offset: number }

/** Maximum of records per page. */
const maxLimit = 100

/** Reads page and limit of a request: 1 and 20 by default, the limit capped. */
export function paging(request: { page?: number | undefined; limit?: number | undefined }): Paging {
  const page = request.page ?? 1
  const limit = Math.min(request.limit ?? 20, maxLimit)
  return { page, limit, offset: (page - 1) * limit }
}

/** The meta part of a paginated answer. */
export const pageMeta = (total: number, { page, limit }: Paging) => ({
  total,
  page,
  limit,
  totalPages: Math.ceil(total / limit),
})

/** The paging fields of a list request. */
export type Asked = { page?: number | undefined; limit?: number | undefined }

/** The requested page; undefined when the whole list is requested. */
export const askedPage = (request: Asked): Paging | undefined =>
  request.page === undefined && request.limit === undefined ? undefined : paging(request)

/** The meta part of a list, for `page`, or for all entries as one page. */
export const listMeta = (total: number, page: Paging | undefined) =>
  pageMeta(total, page ?? { page: 1, limit: Math.max(total, 1), offset: 0 })

/** A short list as requested: whole, or one page of it. */
export function cutList<Row>(rows: Row[], request: Asked) {
  const page = askedPage(request)
  const data = page ? rows.slice(page.offset, page.offset + page.limit) : rows
  return { data, meta: listMeta(rows.length, page) }
}

/** The pages of a list with keyset pagination: `next` of each is the start of the following one. */
export async function* pagesOf<P extends { next?: string | undefined }>(
  ask: (after: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  for (let after: string | undefined; ; ) {
    const page = await ask(after)
    yield page
    if (page.next === undefined) return
    after = page.next
  }
}

/** Runs `act` page by page, up to the last one. */
export async function throughPages(act: (after: string | undefined) => Promise<{ next?: string | undefined }>) {
  let after: string | undefined
  do after = (await act(after)).next
  while (after !== undefined)
}

/** A search text for LIKE, with %, _ and the escape character escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
