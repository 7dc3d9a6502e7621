import { createConnection } from 'mysql2/promise'
import { newId } from '../../services/kernel/ids.ts'
import { assert, eventually, suite } from '../../services/kernel/testing.ts'
import { openSnapshot } from './dump.ts'

const test = suite('taking a backup')

test('a snapshot that cannot begin leaves no connection behind', async () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const connection = await createConnection(server.href)
  const user = `snap_${newId()}`
  try {
    // It gets in, and is refused after its first statement.
    await connection.query(`create user ${user} identified by 'x' with max_queries_per_hour 1`)
    const url = Object.assign(new URL(server), { username: user, password: 'x', pathname: '/' })
    assert.match(String(await openSnapshot(url.href).catch(String)), 'max_queries_per_hour')
    await eventually(async () => {
      const [rows] = await connection.query('select 1 from information_schema.processlist where user = ?', [user])
      return Array.isArray(rows) && rows.length === 0
    })
  } finally {
    await connection.query(`drop user if exists ${user}`)
    await connection.end()
  }
})

test.run()
