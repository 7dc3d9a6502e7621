import type { RequestHandler } from 'express'
import type { Pool } from 'mysql2/promise'

const columns = `select p.id, p.title, p.excerpt, p.page_type, p.status, p.published_at, p.medias, p.view_count,
  p.like_count, p.comment_count, m.first_name, m.last_name, c.name as category_name, c.icon as category_icon`
const sorts: Record<string, string> = {
  createdAt: 'p.created_at',
  viewCount: 'p.view_count',
  likeCount: 'p.like_count',
}

/** The obvious predicate: published pages of the workspace, and each given filter. */
function predicateOf(query: Record<string, unknown>): { where: string; values: unknown[] } {
  const parts = ["p.workspace_id = ? and p.deleted_at is null and p.status = 'published'"]
  const values = [query['workspaceId']]
  for (const [name, column] of Object.entries({ pageType: 'p.page_type', categoryId: 'p.category_id' })) {
    if (query[name] === undefined) continue
    parts.push(`${column} = ?`)
    values.push(query[name])
  }
  return { where: parts.join(' and '), values }
}

type PageRow = Record<string, string | number | Date | null>

/**
 * The list of published pages as a team would write it first: the rows, then their number.
 * @param news the schema of pages and categories
 * @param member the schema of members
 * @param counts whether it asks for the exact total
 */
export function listPages(pool: Pool, news: string, member: string, counts: boolean): RequestHandler {
  const from = `from ${news}.pages p
    left join ${member}.members m on m.id = p.created_by_id
    left join ${news}.categories c on c.id = p.category_id`
  return async (request, response) => {
    const page = Number(request.query['page'] ?? 1)
    const limit = Math.min(Number(request.query['limit'] ?? 20), 100)
    const { where, values } = predicateOf(request.query)
    const direction = request.query['sortOrder'] === 'asc' ? 'asc' : 'desc'
    const { sortBy } = request.query
    const sort = (typeof sortBy === 'string' ? sorts[sortBy] : undefined) ?? `p.published_at ${direction}, p.created_at`
    const rows = `${columns} ${from} where ${where} order by ${sort} ${direction}, p.id ${direction} limit ? offset ?`
    const [records] = await pool.query(rows, [...values, limit, (page - 1) * limit])
    const count = `select count(*) as total from ${news}.pages p where ${where}`
    const [totals] = counts ? await pool.query(count, values) : [[{ total: 10_000 }]]
    const total = Number((totals as { total: number }[])[0]?.total)
    response.json({
      data: (records as PageRow[]).map(row => ({
        id: row['id'],
        title: row['title'],
        excerpt: row['excerpt'],
        pageType: row['page_type'],
        status: row['status'],
        publishedAt: row['published_at'],
        createdBy: { firstName: row['first_name'], lastName: row['last_name'] },
        category: { name: row['category_name'], icon: row['category_icon'] },
        medias: typeof row['medias'] === 'string' ? JSON.parse(row['medias']) : row['medias'],
        viewCount: row['view_count'],
        likeCount: row['like_count'],
        commentCount: row['comment_count'],
        isPinned: false,
      })),
      meta: { total, page, limit, totalPages: Math.ceil(total / limit) },
    })
  }
}
