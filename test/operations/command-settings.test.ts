import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { RowDataPacket } from 'mysql2/promise'
import { call } from '../../cli/tour/client.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { runCommand } from '../kit/command.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
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
    const refusal = await take({ NEWS_DATABASE_URL: empty.href })
    assert.match(refusal, `news: the schema ${schema} on ${server.host} has no tables that this account may read.`)
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
  const otherLines = [
    `keys reseal --dry-run --file ${folder}/keys`,
    `backup ${folder}/monday`,
    'growth',
    'migrate',
    'recount',
  ]
  try {
    const before = await count('is_active = 1')
    for (const line of [...signingIn, ...otherLines]) {
      writeFileSync(`${folder}/keys`, '')
      const { status, stdout, stderr } = await run([...line.split(' '), '--json'], env)
      assert.equal([line, status, stderr], [line, 0, ''])
      if (line === 'tour') assert.ok(JSON.parse(stdout).steps.length >= 8)
    }
    assert.is((await run(['setups', 'show', newId()], env)).status, 1)
    assert.is(await count('is_active = 1'), before)
    assert.ok((await count('true')) > signingIn.length, 'they did sign in')
    const { stdout } = await run(['doctor', '--json'], env)
    const findings = JSON.parse(stdout).findings.map(
      (one: { what: string; state: string }) => `${one.what} ${one.state}`,
    )
    for (const subject of ['database news', 'views of member', 'NATS', `stream ${platform.env['AMQP_EXCHANGE_NAME']}`])
      assert.ok(findings.includes(`${subject} well`), subject)
  } finally {
    await connection.end()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('config shows each setting with its source, and no secret; --version the version', async () => {
  const file = `${tmpdir()}/${newId()}`
  writeFileSync(file, 'mysql://media:hunter2@db.example:3306/media')
  const key = platform.env['SERVICE_API_KEY'] ?? ''
  const { status, stdout } = await run(['config', '--json'], {
    MEDIA_DATABASE_URL: undefined,
    MEDIA_DATABASE_URL_FILE: file,
    NEWS_RATE_LIMIT_PER_MINUTE: '7',
  })
  rmSync(file)
  assert.is(status, 0)
  const rowOf = (name: string) => JSON.parse(stdout).data.find((row: { name: string }) => row.name === name)
  assert.equal(
    ['SERVICE_API_KEY', 'MEDIA_DATABASE_URL', 'NEWS_RATE_LIMIT_PER_MINUTE', 'PROVIDER_TIMEOUT_MS'].map(rowOf),
    [
      { name: 'SERVICE_API_KEY', value: '***', source: 'environment' },
      { name: 'MEDIA_DATABASE_URL', value: 'mysql://media:***@db.example:3306/media', source: `file ${file}` },
      { name: 'NEWS_RATE_LIMIT_PER_MINUTE', value: '7', source: 'environment' },
      { name: 'PROVIDER_TIMEOUT_MS', value: '5000', source: 'default' },
    ],
  )
  assert.is(rowOf('SMTP_URI'), undefined)
  assert.not.match(stdout, key)
  assert.not.match(stdout, 'hunter2')
  const missing = await run(['config'], { SENTRY_DSN_FILE: file })
  assert.equal(
    [missing.status, missing.stderr.trim()],
    [1, 'invalid settings:\n  SENTRY_DSN_FILE: the file cannot be read (ENOENT)'],
  )
  assert.match((await run(['--version'], {})).stdout, /^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\n$/)
})

test('administrator reset gives a new password, unlocks the account and ends its sessions; only an administrator’s', async () => {
  const { email, password } = platform.administrator
  const login = (word: string) =>
    call(platform.urls, 'auth', 'POST', '/auth/login', { body: { email, password: word } })
  const session = await login(password)
  const options = { token: String(session.body?.['accessToken']) }
  const connection = await connectDatabase(platform.env['AUTH_DATABASE_URL'] ?? '')
  try {
    await connection.query('update users set is_active = 0 where email = ?', [email])
    assert.is((await login(password)).status, 401)
    // Without the setting, the password is a new one, which is printed once.
    const reset = await run(['administrator', 'reset', email, '--json'], { BOOTSTRAP_ADMIN_EMAIL: 'other@a.example' })
    assert.is(reset.status, 0, reset.stderr)
    assert.is((await login(JSON.parse(reset.stdout).password)).status, 200)
    await eventually(async () => (await call(platform.urls, 'auth', 'GET', '/users/me', options)).status === 401)
    assert.match((await run(['administrator', 'reset'], {})).stdout, 'now signs in with BOOTSTRAP_ADMIN_PASSWORD')
    assert.is((await login(password)).status, 200)
    const stranger = await run(['administrator', 'reset', 'nobody@a.example'], {})
    assert.equal(
      [stranger.status, stranger.stderr.trim()],
      [1, 'nobody@a.example is not the address of a platform administrator.'],
    )
    await eventually(async () => {
      const [rows] = await connection.query<RowDataPacket[]>(
        'select count(*) as n from outbox where published_at is not null and subject = ?',
        ['platform.audit.recorded'],
      )
      return Number(rows[0]?.['n']) >= 2
    })
  } finally {
    await connection.end()
  }
})

test('code of an earlier version migrates no schema from which a later one took something, and says so in one line', async () => {
  const connection = await connectDatabase(platform.env['MEDIA_DATABASE_URL'] ?? '')
  try {
    await connection.query("insert into kysely_migration (name, timestamp) values ('0099-since-99-0-no-names', '')")
    const { status, stderr } = await run(['migrate', '--service', 'media'], {})
    assert.is(status, 1)
    assert.match(stderr, /^media: the schema \w+ was migrated by a later version \(0099-since-99-0-no-names\).*\n$/)
    const { stdout } = await run(['doctor', '--json'], {})
    const finding = JSON.parse(stdout).findings.find((one: { what: string }) => one.what === 'database media')
    assert.is(finding.state, 'fault')
  } finally {
    await connection.query("delete from kysely_migration where name = '0099-since-99-0-no-names'")
    await connection.end()
  }
})

test('the tour is refused in production, before it calls anything', async () => {
  const { status, stderr } = await run(['tour'], { NODE_ENV: 'production', AUTH_PORT: '1' })
  assert.is(status, 1)
  assert.match(stderr, 'In production, the tour does not run')
})

test.run()
