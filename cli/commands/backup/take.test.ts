import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { openSnapshot } from './dump.ts'
import { deleteOldBackups, folderNameAt } from './keep.ts'
import { takeBackup } from './take.ts'

const test = suite('taking a backup')

test('leftovers of killed backups are reported and not touched, because they may still run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  const [emptyFolder, killedFolder, completeFolder, foreignFolder] = ['a', 'b', 'c', 'd'].map(name =>
    join(folder, `${name}.partial`),
  )
  const leftovers = [
    [emptyFolder, []],
    [killedFolder, ['stream-events.ndjson.gz', 'auth.sql.gz']],
    [completeFolder, ['stream-events.ndjson.gz', 'manifest.json']],
    [foreignFolder, ['film.mp4']],
    [join(folder, 'monday'), ['stream-events.ndjson.gz', 'manifest.json']],
  ] as [string, string[]][]
  const printedLines: string[] = []
  try {
    for (const [place, files] of leftovers) {
      mkdirSync(place)
      for (const file of files) writeFileSync(join(place, file), '')
    }
    writeFileSync(join(folder, 'e.partial'), 'a file')
    const print = (line: string) => printedLines.push(line)
    // It ends here, because no broker answers.
    const env = { AMQP_GATEWAY_URL: 'nats://127.0.0.1:1' }
    const attempt = takeBackup({
      env,
      folder: join(folder, 'tuesday'),
      readAllUrl: undefined,
      withSecrets: false,
      print,
    })
    assert.match(String(await attempt.catch(String)), 'Removed the incomplete backup')
    assert.equal(printedLines, [
      `${emptyFolder} is left over from an interrupted backup: remove it, unless that backup is still running.`,
      `${killedFolder} is left over from an interrupted backup: remove it, unless that backup is still running.`,
      `${completeFolder} is a complete backup that was interrupted before it was renamed: rename or remove it.`,
    ])
    for (const [place, files] of leftovers) for (const file of files) assert.ok(existsSync(join(place, file)), place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a snapshot that cannot begin leaves no connection open', async () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const connection = await connectDatabase(server.href)
  const user = `snap_${newId()}`
  try {
    // It may connect, and is refused after its first statement.
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

test('of scheduled backups the newest stay; what is incomplete or has another name is not touched', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  const times = [1, 2, 3, 4].map(day => folderNameAt(new Date(Date.UTC(2026, 10, day))))
  const otherNames = ['monday', '2020-01-01T00-00-00Z', `${times[0]}.partial`]
  try {
    for (const name of [...times, ...otherNames]) {
      mkdirSync(join(folder, name))
      if (name !== '2020-01-01T00-00-00Z') writeFileSync(join(folder, name, 'manifest.json'), '{}')
    }
    assert.equal(await deleteOldBackups(folder, 4), [])
    assert.equal(
      await deleteOldBackups(folder, 2),
      times.slice(0, 2).map(name => join(folder, name)),
    )
    assert.equal(readdirSync(folder).toSorted(), [...times.slice(2), ...otherNames].toSorted())
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
