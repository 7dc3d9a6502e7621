import type { AddressInfo } from 'node:net'
import express, { type Request, type RequestHandler } from 'express'
import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import { newId } from '../../services/kernel/base/ids.ts'
import { listPages } from './pages.ts'
import { subjectOf } from './token.ts'

/*
 * What a team would write first for the same requests: Express, mysql2, a signed token, counters beside the rows, and
 * each notification inserted with its receivers in the transaction that causes it; no bus and no sockets. Its rows are
 * in the schema PLAIN_SCHEMA; people are in PLAIN_MEMBER. PLAIN_COUNT=no omits the exact total of lists.
 */
const { PLAIN_DATABASE_URL = '', PLAIN_SCHEMA = '', PLAIN_MEMBER = '', PLAIN_SECRET = '', PLAIN_COUNT } = process.env
const pool = createPool({ uri: PLAIN_DATABASE_URL, database: PLAIN_SCHEMA, connectionLimit: 8, timezone: 'Z' })

const callers = new WeakMap<Request, string>()
const callerOf = (request: Request): string => callers.get(request) ?? ''

async function inTransaction<T>(work: (db: PoolConnection) => Promise<T>): Promise<T> {
  const db = await pool.getConnection()
  try {
    await db.beginTransaction()
    const result = await work(db)
    await db.commit()
    return result
  } catch (error) {
    await db.rollback()
    throw error
  } finally {
    db.release()
  }
}

async function first(db: Pick<PoolConnection, 'query'>, text: string, values: unknown[]) {
  const [[row]] = await db.query<RowDataPacket[]>(text, values)
  return row
}

async function notify(db: PoolConnection, kind: string, actor: string, payload: object, receivers: string[]) {
  if (receivers.length === 0) return
  const notification = [kind, actor, JSON.stringify(payload)]
  const insert = 'insert into notifications (kind, actor_id, payload) values (?)'
  const [{ insertId }] = await db.query<ResultSetHeader>(insert, [notification])
  const rows = receivers.map(id => [insertId, id])
  await db.query('insert into receivers (notification_id, member_id) values ?', [rows])
}

async function peopleOf(db: PoolConnection, workspaceId: string, except: string): Promise<string[]> {
  const text = `select member_id as id from ${PLAIN_MEMBER}.workspace_members where workspace_id = ? and left_at is null`
  const [rows] = await db.query<RowDataPacket[]>(text, [workspaceId])
  return rows.map(row => String(row['id'])).filter(id => id !== except)
}

const readPage: RequestHandler = async (request, response) => {
  const [caller, id] = [callerOf(request), request.params['id']]
  const text = `select p.*, b.content, m.first_name, m.last_name, l.reaction_type from pages p
    join page_bodies b on b.page_id = p.id
    left join ${PLAIN_MEMBER}.members m on m.id = p.created_by_id
    left join likes l on l.page_id = p.id and l.member_id = ?
    where p.id = ? and p.deleted_at is null`
  const page = await first(pool, text, [caller, id])
  if (!page) return void response.status(404).json({ error: 'NotFoundError' })
  await pool.query('insert into page_views (page_id, member_id) values (?)', [[id, caller]])
  await pool.query('update pages set view_count = view_count + 1 where id = ?', [id])
  response.json({ ...page, content: JSON.parse(page['content']), medias: JSON.parse(page['medias']) })
}

const listInbox: RequestHandler = async (request, response) => {
  const caller = callerOf(request)
  const counts = 'select count(*) as total, sum(read_at is null) as unread from receivers where member_id = ?'
  const text = `select n.*, r.read_at, m.first_name, m.last_name from receivers r
    join notifications n on n.id = r.notification_id
    left join ${PLAIN_MEMBER}.members m on m.id = n.actor_id
    where r.member_id = ? order by r.notification_id desc limit 20`
  const totals = await first(pool, counts, [caller])
  const [rows] = await pool.query<RowDataPacket[]>(text, [caller])
  const data = rows.map(row => ({ ...row, isRead: row['read_at'] !== null }))
  response.json({ data, meta: { total: Number(totals?.['total']), unread: Number(totals?.['unread']) } })
}

const react: RequestHandler = async (request, response) => {
  const [caller, { pageId, reactionType }] = [callerOf(request), request.body]
  const answer = await inTransaction(async db => {
    const page = await first(db, 'select created_by_id, title from pages where id = ? for update', [pageId])
    const text = `insert into likes (page_id, member_id, reaction_type) values (?)
      on duplicate key update reaction_type = values(reaction_type)`
    const [{ affectedRows }] = await db.query<ResultSetHeader>(text, [[pageId, caller, reactionType]])
    if (affectedRows === 1) await db.query('update pages set like_count = like_count + 1 where id = ?', [pageId])
    const author = String(page?.['created_by_id'])
    if (affectedRows > 0)
      await notify(db, 'like', caller, { pageId, title: page?.['title'] }, author === caller ? [] : [author])
    return { pageId, reactionType }
  })
  response.status(201).json(answer)
}

const comment: RequestHandler = async (request, response) => {
  const [caller, { pageId, content }] = [callerOf(request), request.body]
  const id = newId()
  await inTransaction(async db => {
    const page = await first(db, 'select workspace_id, title from pages where id = ?', [pageId])
    await db.query('insert into comments (id, page_id, member_id, content) values (?)', [[id, pageId, caller, content]])
    await db.query('update pages set comment_count = comment_count + 1 where id = ?', [pageId])
    const receivers = await peopleOf(db, String(page?.['workspace_id']), caller)
    await notify(db, 'comment', caller, { id, pageId, title: page?.['title'], content }, receivers)
  })
  response.status(201).json({ id, pageId, content })
}

const publish: RequestHandler = async (request, response) => {
  const [caller, { workspaceId, title, content }] = [callerOf(request), request.body]
  const id = newId()
  await inTransaction(async db => {
    const columns =
      'id, workspace_id, title, page_type, created_by_id, medias, status, published_at, created_at, updated_at'
    const now = new Date()
    const row = [id, workspaceId, title, 'article', caller, '[]', 'published', now, now, now]
    await db.query(`insert into pages (${columns}) values (?)`, [row])
    const body = [id, workspaceId, JSON.stringify(content)]
    await db.query('insert into page_bodies (page_id, workspace_id, content) values (?)', [body])
    await notify(db, 'page', caller, { id, title }, await peopleOf(db, workspaceId, ''))
  })
  response.status(201).json({ id, title, content })
}

const app = express()
app.use(express.json(), (request, response, next) => {
  const caller = subjectOf(PLAIN_SECRET, request.headers.authorization)
  if (!caller) return void response.status(401).json({ error: 'Unauthorized' })
  callers.set(request, caller)
  next()
})
app.get('/api/v1/pages', listPages(pool, PLAIN_MEMBER, PLAIN_COUNT !== 'no'))
app.get('/api/v1/pages/:id', readPage)
app.get('/api/v1/notifications', listInbox)
app.post('/api/v1/likes', react)
app.post('/api/v1/comments', comment)
app.post('/api/v1/pages', publish)

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
