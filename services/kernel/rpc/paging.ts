/** The page of a list, within its limits. `isWhole`: nobody asked for a page of a list that comes whole. */
export type Paging = { page: number; limit: number; offset: number; isWhole?: boolean }

const defaultLimit = 20
/** Maximum of records per page. */
const maxLimit = 100
/** Maximum of records of a list that comes whole. */
export const maxWhole = 10_000

/** Reads page and limit of a request: 1 and 20 by default, the limit capped. */
export function paging(request: { page?: number | undefined; limit?: number | undefined }): Paging {
  const page = request.page ?? 1
  const limit = Math.min(request.limit ?? defaultLimit, maxLimit)
  return { page, limit, offset: (page - 1) * limit }
}

/** The meta part of a paginated answer. The page of a whole list is as long as its entries, within the limits. */
export function pageMeta(total: number, { page, limit: maximum, isWhole }: Paging, nextCursor?: string) {
  const limit = isWhole ? Math.min(Math.max(total, defaultLimit), maximum) : maximum
  return { total, page, limit, totalPages: Math.ceil(total / limit), ...(nextCursor ? { nextCursor } : {}) }
}

/** The paging fields of a list request. */
export type PageRequest = { page?: number | undefined; limit?: number | undefined }

/** The page of a list that comes whole when no page is requested: up to its first 10,000 entries. */
export const wholeOrPage = (request: PageRequest): Paging =>
  request.page === undefined && request.limit === undefined
    ? { page: 1, limit: maxWhole, offset: 0, isWhole: true }
    : paging(request)

/** Entries of a list in total: counted only when the rows of the page don't tell. */
export const totalOf = async (rows: unknown[], { limit, offset }: Paging, count: () => Promise<number>) =>
  offset === 0 && rows.length < limit ? rows.length : count()

/** A short list as requested: whole, or one page of it. */
export function cutList<Row>(rows: Row[], request: PageRequest) {
  const page = wholeOrPage(request)
  return { data: rows.slice(page.offset, page.offset + page.limit), meta: pageMeta(rows.length, page) }
}

/** The pages of a list with keyset pagination: `next` of each is the start of the following one. */
export async function* pagesOf<P extends { next?: string | undefined }>(
  loadPage: (after: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  for (let after: string | undefined; ; ) {
    const page = await loadPage(after)
    yield page
    if (page.next === undefined) return
    after = page.next
  }
}

/** Runs `processPage` page by page, up to the last one. */
export async function forEachPage(processPage: (after: string | undefined) => Promise<{ next?: string | undefined }>) {
  let after: string | undefined
  do after = (await processPage(after)).next
  while (after !== undefined)
}

/** A search text for LIKE, without spaces around it, and with %, _ and the escape character escaped. */
export const likePattern = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
