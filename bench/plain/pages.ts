import type { RequestHandler } from 'express'
import type { Pool } from 'mysql2/promise'

const columns = `select p.id, p.title, p.excerpt, p.page_type, p.status, p.published_at, p.medias, p.view_count,
  p.like_count, p.comment_count, m.first_name, m.last_name, c.name as category_name, c.icon as category_icon`
const predicate = "p.workspace_id = ? and p.deleted_at is null and p.status = 'published'"

type PageRow = Record<string, string | number | Date | null>

/**
 * The list of published pages as a team would write it first: the rows, then their number.
 * @param pool whose schema has pages and categories
 * @param member the schema of members
 * @param counts whether it asks for the exact total
 */
export function listPages(pool: Pool, member: string, counts: boolean): RequestHandler {
  const rows = `${columns} from pages p
    left join ${member}.members m on m.id = p.created_by_id
    left join categories c on c.id = p.category_id
    where ${predicate} order by p.published_at desc, p.created_at desc, p.id desc limit ? offset ?`
  return async (request, response) => {
    const page = Number(request.query['page'] ?? 1)
    const limit = Math.min(Number(request.query['limit'] ?? 20), 100)
    const workspaceId = request.query['workspaceId']
    const [records] = await pool.query(rows, [workspaceId, limit, (page - 1) * limit])
    const count = `select count(*) as total from pages p where ${predicate}`
    const [totals] = counts ? await pool.query(count, [workspaceId]) : [[{ total: 10_000 }]]
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
