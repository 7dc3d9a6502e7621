import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { RowDataPacket } from 'mysql2/promise'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { runCommand } from '../kit/command.ts'
import { assert, suite } from '../kit/kit.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('settings of npm run platform')

let platform: OwnPlatform
test.before(async () => {
  platform = await startPlatform('one')
})
test.after(() => platform.stop())

/** Runs a command with the platform's settings. */
const run = (words: string[], env: Environment) => runCommand(words, { ...platform.env, ...env })

test('a backup shares a moment only among databases of one server, and refuses a schema without tables', async () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? '')
  const schema = `empty_${newId()}`
  const folder = `${tmpdir()}/${newId()}`
  const take = async (env: Record<string, string>) => {
    const { status, stdout, stderr } = await run(['backup', folder, '--json'], env)
    rmSync(folder, { recursive: true, force: true })
    return status === 0 ? JSON.parse(stdout).snapshot.moments : stderr
  }
  const connection = await connectDatabase(server.href)
  try {
    assert.is(await take({ BACKUP_DATABASE_URL: server.href }), 'one')
    // No database is there, so that it isn't asked.
    assert.is(await take({ DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1' }), 'several')
    const news = new URL(platform.env['NEWS_DATABASE_URL'] ?? '')
    news.hostname = 'localhost'
    assert.is(await take({ BACKUP_DATABASE_URL: server.href, NEWS_DATABASE_URL: news.href }), 'several')
    await connection.query(`create database ${schema}`)
    const empty = Object.assign(new URL(server), { pathname: `/${schema}` })
    const refused = await take({ NEWS_DATABASE_URL: empty.href })
    assert.match(refused, `news: the schema ${schema} on ${server.host} has no tables that this account may read.`)
    assert.not.ok(existsSync(folder))
  } finally {
    await connection.query(`drop database if exists ${schema}`)
    await connection.end()
  }
})

test('every command reads its settings from files, too, and leaves no session behind, whatever its end', async () => {
  const folder = mkdtempSync(`${tmpdir()}/settings-`)
  const env: Record<string, string | undefined> = {}
  for (const [name, value = ''] of Object.entries(platform.env)) {
    if (!/_PORT$|_URL$|_KEY$|SECRET$|^BOOTSTRAP_|_NAME$/.test(name)) continue
    const file = `${folder}/${name}`
    writeFileSync(file, value)
    Object.assign(env, { [name]: undefined, [`${name}_FILE`]: file })
  }
  const connection = await connectDatabase(platform.env['AUTH_DATABASE_URL'] ?? '')
  const count = async (condition: string) => {
    const [rows] = await connection.query<RowDataPacket[]>(`select count(*) as n from sessions where ${condition}`)
    return Number(rows[0]?.['n'])
  }
  const signingIn = ['dead-letters list', 'setups list', 'legacy-usage', 'seed', 'tour']
  const others = [
    `keys reseal --dry-run --file ${folder}/keys`,
    `backup ${folder}/monday`,
    'growth',
    'migrate',
    'recount',
  ]
  try {
    const before = await count('is_active = 1')
    for (const line of [...signingIn, ...others]) {
      writeFileSync(`${folder}/keys`, '')
      const { status, stdout, stderr } = await run([...line.split(' '), '--json'], env)
      assert.equal([line, status, stderr], [line, 0, ''])
      if (line === 'tour') assert.ok(JSON.parse(stdout).steps.length >= 8)
    }
    assert.is((await run(['setups', 'show', newId()], env)).status, 1)
    assert.is(await count('is_active = 1'), before)
    assert.ok((await count('true')) > signingIn.length, 'they did sign in')
    const { stdout } = await run(['doctor', '--json'], env)
    const seen = JSON.parse(stdout).findings.map((one: { what: string; state: string }) => `${one.what} ${one.state}`)
    for (const what of ['database news', 'views of member', 'NATS', `stream ${platform.env['AMQP_EXCHANGE_NAME']}`])
      assert.ok(seen.includes(`${what} well`), what)
  } finally {
    await connection.end()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the tour is refused in production, before it calls anything', async () => {
  const { status, stderr } = await run(['tour'], { NODE_ENV: 'production', AUTH_PORT: '1' })
  assert.is(status, 1)
  assert.match(stderr, 'In production, the tour does not run')
})

test.run()
