import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createPool } from 'mysql2/promise'

/*
 * The program that a team would write in an afternoon: Express, mysql2, the obvious statements over the same rows, a
 * signed token checked on each request. PLAIN_DATABASE_URL is an account that reads both databases; PLAIN_COUNT=no
 * omits the exact total.
 */
const { PLAIN_DATABASE_URL = '', PLAIN_NEWS = '', PLAIN_MEMBER = '', PLAIN_SECRET = '', PLAIN_COUNT } = process.env
const pool = createPool({ uri: PLAIN_DATABASE_URL, connectionLimit: 8, timezone: 'Z' })

/** A token of three parts, HS256. */
function verify(header: string | undefined): boolean {
  const [head = '', body = '', signature = ''] = header?.replace(/^Bearer /, '').split('.') ?? []
  const expected = createHmac('sha256', PLAIN_SECRET).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number }
  return claims.exp > Date.now() / 1000
}

const from = `from ${PLAIN_NEWS}.pages p
  left join ${PLAIN_MEMBER}.members m on m.id = p.created_by_id
  left join ${PLAIN_NEWS}.categories c on c.id = p.category_id`
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

const app = express()
app.get('/api/v1/pages', async (request, response) => {
  if (!verify(request.headers.authorization)) {
    response.status(401).json({ error: 'Unauthorized' })
    return
  }
  const page = Number(request.query['page'] ?? 1)
  const limit = Math.min(Number(request.query['limit'] ?? 20), 100)
  const { where, values } = predicateOf(request.query)
  const direction = request.query['sortOrder'] === 'asc' ? 'asc' : 'desc'
  const { sortBy } = request.query
  const sort = (typeof sortBy === 'string' ? sorts[sortBy] : undefined) ?? `p.published_at ${direction}, p.created_at`
  const rows = `${columns} ${from} where ${where} order by ${sort} ${direction}, p.id ${direction} limit ? offset ?`
  const [found] = await pool.query(rows, [...values, limit, (page - 1) * limit])
  const count = `select count(*) as total from ${PLAIN_NEWS}.pages p where ${where}`
  const [counted] = PLAIN_COUNT === 'no' ? [[{ total: 10_000 }]] : await pool.query(count, values)
  const total = Number((counted as { total: number }[])[0]?.total)
  response.json({
    data: (found as PageRow[]).map(row => ({
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
})

const people = `select m.id, m.first_name, m.last_name, m.email, m.photo_url, m.is_active, wm.workspace_id,
  wm.workspace_role, wm.permission_slugs, wm.status, wm.is_admin
  from ${PLAIN_MEMBER}.workspace_members wm
  join ${PLAIN_MEMBER}.members m on m.id = wm.member_id
  where wm.workspace_id = ? and wm.left_at is null and m.deleted_at is null
  order by wm.sort_last, wm.sort_first, wm.member_id limit ? offset ?`

app.get('/members/get/all', async (request, response) => {
  if (!verify(request.headers.authorization)) {
    response.status(401).json({ error: 'Unauthorized' })
    return
  }
  const page = Number(request.query['page'] ?? 1)
  const limit = Math.min(Number(request.query['limit'] ?? 20), 100)
  const [found] = await pool.query(people, [request.query['workspaceId'], limit, (page - 1) * limit])
  response.json({
    data: (found as PageRow[]).map(row => ({
      id: row['id'],
      firstName: row['first_name'],
      lastName: row['last_name'],
      email: row['email'],
      photo_url: row['photo_url'],
      workspaces: [
        {
          workspaceId: row['workspace_id'],
          workspaceRole: row['workspace_role'],
          permissionSlugs: row['permission_slugs'],
          status: row['status'],
          isAdmin: row['is_admin'] === 1,
        },
      ],
      isActive: row['is_active'] === 1,
    })),
    meta: { page, limit },
  })
})

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
