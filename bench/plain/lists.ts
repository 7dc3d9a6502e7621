import type { AddressInfo } from 'node:net'
import express from 'express'
import { createPool } from 'mysql2/promise'
import { listPages } from './pages.ts'
import { subjectOf } from './token.ts'

/*
 * The program that a team would write in an afternoon: Express, mysql2, the obvious statements over the same rows, a
 * signed token checked on each request. PLAIN_DATABASE_URL is an account that reads both databases; PLAIN_COUNT=no
 * omits the exact total.
 */
const { PLAIN_DATABASE_URL = '', PLAIN_NEWS = '', PLAIN_MEMBER = '', PLAIN_SECRET = '', PLAIN_COUNT } = process.env
const pool = createPool({ uri: PLAIN_DATABASE_URL, connectionLimit: 8, timezone: 'Z' })

type Row = Record<string, string | number | Date | null>

const app = express()
app.use((request, response, next) => {
  if (subjectOf(PLAIN_SECRET, request.headers.authorization)) next()
  else response.status(401).json({ error: 'Unauthorized' })
})
app.get('/api/v1/pages', listPages(pool, PLAIN_NEWS, PLAIN_MEMBER, PLAIN_COUNT !== 'no'))

const people = `select m.id, m.first_name, m.last_name, m.email, m.photo_url, m.is_active, wm.workspace_id,
  wm.workspace_role, wm.permission_slugs, wm.status, wm.is_admin
  from ${PLAIN_MEMBER}.workspace_members wm
  join ${PLAIN_MEMBER}.members m on m.id = wm.member_id
  where wm.workspace_id = ? and wm.left_at is null and m.deleted_at is null
  order by wm.sort_last, wm.sort_first, wm.member_id limit ? offset ?`

app.get('/members/get/all', async (request, response) => {
  const page = Number(request.query['page'] ?? 1)
  const limit = Math.min(Number(request.query['limit'] ?? 20), 100)
  const [records] = await pool.query(people, [request.query['workspaceId'], limit, (page - 1) * limit])
  response.json({
    data: (records as Row[]).map(row => ({
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
