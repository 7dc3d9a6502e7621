import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { platformPorts } from '../../cli/environment.ts'
import { call } from '../../cli/tour/client.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { addressOf, newWorld, password, signIn, type World } from '../../cli/tour/world.ts'
import { listeners } from '../../edge/config.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { serviceNames } from '../../services/kernel/rpc/host.ts'
import { startWriting } from '../faults/load.ts'
import { faultless, judge } from '../faults/verdict.ts'
import { runCommand } from '../kit/command.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type EmptyPlace, emptyPlace } from '../kit/platform/empty-place.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('backup and restore')
const bootstrap = fileURLToPath(new URL('../../cli/bootstrap.mjs', import.meta.url))
const server = process.env['TEST_DATABASE_URL'] ?? ''
const folder = mkdtempSync(join(tmpdir(), 'backup-'))
const backup = join(folder, 'monday')

const run = (env: Environment, ...words: string[]) => runCommand(words, env)

let first: OwnPlatform | undefined
let second: Awaited<ReturnType<typeof startUp>> | undefined
let emptyTarget: EmptyPlace | undefined
let world: World
let manifest: { databases: { service: string; rows: Record<string, number> }[]; snapshot: { moments: string } }

test.before(async () => {
  first = await startPlatform('one', { ACCESS_TOKEN_SECONDS: '3600' })
  world = newWorld({ ...first, report: () => undefined })
  for (const step of mainJob) await step.run(world)
  for (const socket of Object.values(world.sockets)) socket?.close()
  emptyTarget = await emptyPlace(first.env, join(folder, 'elsewhere'))
})

test.after(async () => {
  await first?.stop()
  await second?.stop()
  await emptyTarget?.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a backup is taken while people write, at one moment for all databases, readable by its owner only', async () => {
  if (!first) throw new Error('no platform')
  const load = startWriting(world, 3)
  const { status, stdout, stderr } = await run(
    { ...first.env, BACKUP_DATABASE_URL: server },
    'backup',
    backup,
    '--with-secrets',
    '--json',
  )
  await load.stop()
  assert.equal([status, stderr], [0, ''])
  manifest = JSON.parse(stdout)
  assert.is(manifest.snapshot.moments, 'one')
  assert.equal(
    manifest.databases.map(({ service }) => service),
    [...serviceNames],
  )
  assert.ok((manifest.databases.find(({ service }) => service === 'news')?.rows['comments'] ?? 0) > 0)
  assert.is(statSync(backup).mode & 0o077, 0)
  // The manifest contains no secret and no password.
  const text = readFileSync(join(backup, 'manifest.json'), 'utf8')
  for (const [name, value] of Object.entries(first.env))
    if (/SECRET|_KEY$|PASSWORD/.test(name) && value && value.length >= 16) assert.not.match(text, value)
  // The requested secrets are in a separate file, which a data folder can use as it is.
  const secretsFile = join(backup, 'secrets.json')
  assert.is(statSync(secretsFile).mode & 0o077, 0)
  for (const [name, value] of Object.entries(JSON.parse(readFileSync(secretsFile, 'utf8'))))
    assert.is(value, first.env[name], name)
  // Sets the character set first, so that any configuration of the server's client reads it correctly.
  assert.match(
    gunzipSync(readFileSync(join(backup, 'news.sql.gz'))).toString(),
    /^set names utf8mb4;\nset session time_zone/,
  )
  const secondBackup = await run(first.env, 'backup', backup)
  assert.equal([secondBackup.status, /not empty/.test(secondBackup.stderr)], [1, true])
  // On a schedule: a folder for each time, and only the newest ones stay.
  const scheduled = join(folder, 'scheduled')
  const earlier = join(scheduled, '2020-01-01T00-00-00Z')
  mkdirSync(earlier, { recursive: true })
  writeFileSync(join(earlier, 'manifest.json'), '{}')
  const scheduledBackup = await run(first.env, 'backup', scheduled, '--keep', '1', '--json')
  assert.equal(
    [scheduledBackup.status, scheduledBackup.stderr, JSON.parse(scheduledBackup.stdout).deleted],
    [0, '', [earlier]],
  )
  assert.equal(
    readdirSync(scheduled).map(name => join(scheduled, name)),
    [JSON.parse(scheduledBackup.stdout).folder],
  )
})

test('a damaged backup, other secrets and an occupied target are refused before anything changes', async () => {
  if (!first || !emptyTarget) throw new Error('no platform')
  const file = join(backup, 'news.sql.gz')
  const intactBytes = readFileSync(file)
  appendFileSync(file, 'x')
  const damaged = await run(emptyTarget.env, 'restore', backup)
  writeFileSync(file, intactBytes)
  assert.equal([damaged.status, /damaged[\s\S]*news\.sql\.gz/.test(damaged.stderr)], [1, true])

  const stranger = await run(
    { ...emptyTarget.env, PASSWORD_ENCRYPTION_KEY: 'another one of more than 32 characters' },
    'restore',
    backup,
  )
  assert.equal(
    [stranger.status, /differ from those of the backup: PASSWORD_ENCRYPTION_KEY/.test(stranger.stderr)],
    [1, true],
  )

  const occupiedRestore = await run(first.env, 'restore', backup)
  assert.equal(
    [occupiedRestore.status, /not empty: the database of auth has \d+ tables/.test(occupiedRestore.stderr)],
    [1, true],
  )
  const runningRestore = await run(first.env, 'restore', backup, '--force')
  assert.equal(
    [runningRestore.status, /is in use by \d+ connections?: stop the platform/.test(runningRestore.stderr)],
    [1, true],
  )
  const nothing = await run(emptyTarget.env, 'restore', join(folder, 'tuesday'))
  assert.equal([nothing.status, /is not a backup/.test(nothing.stderr)], [1, true])
  const dry = await run(emptyTarget.env, 'restore', backup, '--dry-run', '--json')
  assert.equal([dry.status, JSON.parse(dry.stdout).isWhole], [0, true])
})

/** The same settings, addresses and secrets in files. */
function inFiles(env: Environment): Environment {
  const entries = Object.entries(env).map(([name, value = '']) => {
    if (!/_URL$|_KEY$|SECRET$/.test(name)) return [name, value]
    const file = join(folder, name)
    writeFileSync(file, value)
    return [`${name}_FILE`, file]
  })
  return Object.fromEntries(entries)
}

test('a restore into configured servers has every row, and existing data is replaced only on request', async () => {
  if (!emptyTarget) throw new Error('no place')
  const { status, stderr } = await run(inFiles(emptyTarget.env), 'restore', backup)
  assert.equal([status, stderr], [0, ''])
  // Each of the two risks, refused above, needs its own option.
  const other = { ...emptyTarget.env, PASSWORD_ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) }
  const half = await run(other, 'restore', backup, '--force')
  assert.equal([half.status, /differ from those of the backup/.test(half.stderr)], [1, true])
  const forced = await run(other, 'restore', backup, '--force', '--other-secrets', '--json')
  assert.equal([forced.status, forced.stderr, JSON.parse(forced.stdout).restored], [0, '', true])
})

/** Runs `platform up --json` over a data folder. @returns its addresses, and a way to stop it and get its exit code */
async function startUp(env: Environment, ...options: string[]) {
  const child = spawn(process.execPath, [bootstrap, 'platform', 'up', '--json', ...options], { env })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', data => (output.stdout += String(data)))
  child.stderr.on('data', data => (output.stderr += String(data)))
  const whenClosed = once(child, 'close')
  await Promise.race([whenClosed, eventually(() => output.stdout.includes('\n'), 90_000)])
  if (child.exitCode !== null) throw new Error(output.stderr)
  const { addresses, logins } = JSON.parse(output.stdout) as {
    addresses: { name: string; url: string }[]
    logins: { email: string; password: string }[]
  }
  const urlOf = (name: string) => addresses.find(each => each.name === name)?.url ?? ''
  const urls = Object.fromEntries(Object.entries(listeners).map(([name, { health }]) => [name, urlOf(health)]))
  const stop = async () => {
    child.kill('SIGTERM')
    await whenClosed
    return child.exitCode
  }
  return { urls: urls as World['urls'], sandboxUrl: urlOf('sandbox inbox'), logins, stop }
}

test('after a restore into a data folder people sign in and read the same, and each notification is sent exactly once', async () => {
  if (!first) throw new Error('no platform')
  const pathOf = { pages: `/api/v1/pages/${world.ids['page']}`, hotel: `/hotel/get/${world.ids['hotel']}` }
  const before = await call(world.urls, 'hotel', 'GET', pathOf.hotel, { token: world.tokens.root })
  const { administrator } = first
  await first.stop()
  first = undefined
  // Only paths are set: servers, secrets and files come with the folder.
  const DATA_DIR = join(folder, 'wednesday')
  const targetEnv: Environment = { PATH: process.env['PATH'], DATA_DIR, ACCESS_TOKEN_SECONDS: '3600' }
  const { status, stderr } = await run(targetEnv, 'restore', backup)
  assert.equal([status, stderr], [0, ''])

  const ports = Object.fromEntries(platformPorts({}).map(({ setting }) => [setting, '0']))
  const settings = { ...targetEnv, ...ports, LEGACY_AUTH_PORT: '0', BOOTSTRAP_ADMIN_EMAIL: administrator.email }
  second = await startUp(settings, '--no-seed')
  assert.equal(
    second.logins.map(({ email, password: shown }) => ({ email, password: shown })),
    [administrator],
  )
  const { urls, sandboxUrl } = second
  const restoredWorld: World = {
    ...newWorld({ urls, sandboxUrl, administrator, report: () => undefined }),
    ids: world.ids,
  }
  restoredWorld.tokens.root = await signIn(restoredWorld, administrator.email, administrator.password)
  restoredWorld.tokens.admin = await signIn(restoredWorld, addressOf(world, 'ada'), password)
  restoredWorld.tokens.colleague = await signIn(restoredWorld, addressOf(world, 'bo'), password)
  const get = (service: 'news' | 'hotel', path: string, token: string) =>
    call(restoredWorld.urls, service, 'GET', path, { token })
  const page = await get('news', pathOf.pages, restoredWorld.tokens.colleague)
  assert.equal([page.status, page.body['title']], [200, 'Le spa ferme à 21 h'])
  const hotel = await get('hotel', pathOf.hotel, restoredWorld.tokens.root)
  assert.equal(hotel.body, before.body)
  const picture = new URL(String(hotel.body['qr_link'])).pathname
  assert.is((await fetch(restoredWorld.urls.media + picture)).status, 200)

  const { faults } = await judge(restoredWorld, [])
  assert.equal(faults, faultless(faults))
  // The restored platform works on.
  const body = { pageId: world.ids['page'], content: 'comment after all' }
  assert.is(
    (
      await call(restoredWorld.urls, 'news', 'POST', '/api/v1/comments', {
        token: restoredWorld.tokens.colleague,
        body,
      })
    ).status,
    201,
  )
  assert.equal(
    (await judge(restoredWorld, [{ content: 'comment after all', outcome: 'acknowledged' }])).faults
      .missingNotifications,
    [],
  )
  assert.is(await second.stop(), 0)
  second = undefined
})

test.run()
