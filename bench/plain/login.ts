import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import bcrypt from 'bcrypt'
import express from 'express'
import { createPool } from 'mysql2/promise'

/*
 * The sign-in that a team would write in an afternoon: Express, mysql2, bcrypt on the thread pool, a signed token. It
 * stores no session and counts no attempt. PLAIN_DATABASE_URL is the platform's database of accounts.
 */
const { PLAIN_DATABASE_URL = '', PLAIN_SECRET = '' } = process.env
const pool = createPool({ uri: PLAIN_DATABASE_URL, connectionLimit: 8, timezone: 'Z' })

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signatureOf = (unsigned: string) => createHmac('sha256', PLAIN_SECRET).update(unsigned).digest()

/** A token of three parts, HS256. */
function issue(userId: string): string {
  const unsigned = `${encode({ alg: 'HS256' })}.${encode({ sub: userId, exp: Date.now() / 1000 + 900 })}`
  return `${unsigned}.${signatureOf(unsigned).toString('base64url')}`
}

function subjectOf(header: string | undefined): string | undefined {
  const [head = '', body = '', signature = ''] = header?.replace(/^Bearer /, '').split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(`${head}.${body}`)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { sub: string; exp: number }
  return claims.exp > Date.now() / 1000 ? claims.sub : undefined
}

type Row = { id: string; email: string; password_hash: string }

const app = express()
app.use(express.json())
app.post('/auth/login', async (request, response) => {
  const { email, password } = request.body as { email: string; password: string }
  const [found] = await pool.query('select id, email, password_hash from users where email = ?', [email])
  const [user] = found as Row[]
  if (!user || !(await bcrypt.compare(password, user.password_hash))) {
    response.status(401).json({ error: 'Unauthorized' })
    return
  }
  response.json({ accessToken: issue(user.id), user: { id: user.id, email: user.email } })
})
app.get('/users/me', async (request, response) => {
  const userId = subjectOf(request.headers.authorization)
  if (!userId) {
    response.status(401).json({ error: 'Unauthorized' })
    return
  }
  const [found] = await pool.query('select id, email from users where id = ?', [userId])
  response.json({ user: (found as Row[])[0] })
})
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit(0))
