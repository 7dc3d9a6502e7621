import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { backupCommand } from '../../cli/commands/backup/backup.ts'
import { CommandError } from '../../cli/commands/command.ts'
import { helpOf } from '../../cli/commands/help.ts'
import { commands } from '../../cli/commands/main.ts'
import { seedCommand } from '../../cli/commands/seed.ts'
import { platformPorts } from '../../cli/environment.ts'
import { call } from '../../cli/tour/client.ts'
import { createHotel, expect, newWorld, signIn } from '../../cli/tour/world.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { runCommand } from '../kit/command.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('npm run platform')
const bootstrap = fileURLToPath(new URL('../../cli/bootstrap.mjs', import.meta.url))
/** Picks free ports. */
const anyPorts = Object.fromEntries(platformPorts({}).map(({ setting }) => [setting, '0']))

let platform: OwnPlatform
test.before(async () => {
  const quick = { PROVIDER_RETRY_DELAYS_MS: '5', PROVIDER_REST_MS: '50', SETUP_RETRY_MS: '20', SETUP_ATTEMPTS: '3' }
  platform = await startPlatform('one', quick)
})
test.after(() => platform.stop())

/** Runs a command with the platform's settings. */
const run = (words: string[], env: Environment = {}) => runCommand(words, { ...platform.env, ...env })

/** Runs a command that must exit with 0. @returns its JSON output */
async function data(...words: string[]) {
  const { status, stdout, stderr } = await run([...words, '--json'])
  assert.equal([status, stderr], [0, ''])
  return JSON.parse(stdout)
}

async function publish(key: string, body: string) {
  const bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'test' })
  await bus.publish(key, body, { id: newId() })
  await bus.close()
}

/** Publishes an event without a template. @returns its dead letter */
async function poison(type: string) {
  const actor = { id: 'system', name: 'system', type: 'system' }
  const metadata = { timestamp: new Date().toISOString(), actor, receiverIds: [], occurrenceId: newId() }
  const body = { type, workspaceId: '', payload: { id: newId() }, channels: ['socket'], metadata }
  await publish(`platform.notification.${type}`, JSON.stringify(body))
  return eventually(async () => (await data('dead-letters', 'list', '--type', type)).data[0])
}

test('without a command, with an unknown one or with invalid arguments it shows its help and exits with 2', async () => {
  const answers = await Promise.all([
    run([]),
    run(['frobnicate']),
    run(['dead-letters']),
    run(['dead-letters', 'show']),
    run(['dead-letters', 'redrive']),
    run(['setups', 'list', '--colour']),
    run(['setups', 'show', 'a', 'b']),
    run(['migrate', '--service', 'kitchen']),
    run(['frobnicate', '--json']),
    run(['--json', 'setups', 'show']),
  ])
  assert.equal(
    answers.map(({ status, stdout }) => [status, stdout]),
    answers.map(() => [2, '']),
  )
  assert.match(answers[1]?.stderr ?? '', /Unknown command: frobnicate[\s\S]*doctor/)
  assert.match(answers[3]?.stderr ?? '', /requires id[\s\S]*dead-letters show <id>/)
  assert.match(answers[5]?.stderr ?? '', /^Unknown option '--colour'\.\n\n/)
  assert.match(JSON.parse(answers[8]?.stderr ?? '').error, /^Unknown command: frobnicate\.\n/)
  assert.match(JSON.parse(answers[9]?.stderr ?? '').error, /^setups show requires id/)
})

test('every command is in the help, with its arguments and aliases', async () => {
  const { status, stdout } = await run(['--help'])
  assert.is(status, 0)
  const listedNames = [...stdout.matchAll(/^  ([a-z][a-z -]*[a-z])(?: [<[].*?[>\]])?   /gm)].map(([, name]) => name)
  assert.equal(
    listedNames,
    commands.map(({ name }) => name),
  )
  for (const command of commands) {
    const help = helpOf(command)
    assert.match(help, `npm run -s platform -- ${command.name}`)
    assert.ok(command.summary.length > 20, command.name)
    for (const [name, { help: meaning }] of Object.entries(command.options ?? {})) {
      assert.ok(help.includes(`  --${name}`), `${command.name} --${name}`)
      assert.ok(meaning.length > 10, `${command.name} --${name}`)
    }
  }
  assert.match((await run(['help', 'setups'])).stdout, /setups list[\s\S]*setups resume/)
  // With the help option, a command does nothing else.
  for (const help of await Promise.all([run(['setups', 'list', '-h']), run(['up', '--help'])])) {
    assert.equal([help.status, help.stderr], [0, ''])
    assert.match(help.stdout, /--json {3,}prints the result as JSON/)
  }
})

test('the guide names exactly the existing commands', () => {
  const guide = readFileSync(new URL('../../docs/guides/operate.md', import.meta.url), 'utf8')
  const rows = guide.slice(guide.indexOf('| Command |'), guide.indexOf('| Exit code |')).match(/^\| `.*?\|/gm) ?? []
  const documentedNames = rows.flatMap(row =>
    [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replace(/ (--|<).*/, '')),
  )
  const first = documentedNames.map(text => text.split(' ')[0] ?? '')
  // Commands of a group (`dead-letters list`, `show <id>`) name the group once.
  for (const { name } of commands)
    assert.ok(documentedNames.includes(name) || documentedNames.includes(name.split(' ')[1] ?? ''), name)
  const words = new Set(commands.flatMap(({ name }) => name.split(' ')))
  for (const word of first) assert.ok(words.has(word), word)
})

test('dead letters are listed, shown, redriven and discarded', async () => {
  const letter = await poison('test.nowhere')
  assert.match(letter.reason, /Template not found: test_nowhere/)
  const list = await run(['dead-letters', 'list'])
  assert.match(list.stdout, /test\.nowhere .*Template not found[\s\S]*1 dead letter in total\./)
  assert.is((await data('dead-letters', 'show', letter.id)).message.type, 'test.nowhere')

  const redrive = await run(['dead-letters', 'redrive', letter.id])
  assert.match(redrive.stdout, `Dead letter ${letter.id} redriven as message redrive:`)
  const second = await eventually(async () => {
    const [latestLetter] = (await data('dead-letters', 'list')).data
    return latestLetter && latestLetter.id !== letter.id && latestLetter
  })
  assert.is(second.occurrenceId, letter.occurrenceId, 'the same happening')
  const none = { redriven: 0, remaining: 0, data: [] }
  for (const filter of [
    ['--type', 'test.other'],
    ['--reason', 'elsewhere'],
    ['--type', 'test.now', '--exact'],
  ])
    assert.equal(await data('dead-letters', 'redrive', '--all', ...filter), none)
  assert.is((await data('dead-letters', 'redrive', '--all', '--type', 'test.now')).redriven, 1)
  const third = await eventually(async () => (await data('dead-letters', 'list')).data[0])
  assert.is(third.redrivenFrom, second.id)
  await publish('platform.notification.test.nowhere', 'no json')
  const unreadable = await eventually(async () => (await data('dead-letters', 'list', '--reason', 'not json')).data[0])
  assert.match((await run(['dead-letters', 'list'])).stdout, /\d+ +platform\.notification\.test\.nowhere /)
  await run(['dead-letters', 'discard', unreadable.id])
  assert.match((await run(['dead-letters', 'discard', third.id])).stdout, /discarded/)
  assert.match((await run(['dead-letters', 'list'])).stdout, /^No dead letters\./)
  const refusal = await run(['dead-letters', 'show', third.id, '--json'])
  assert.equal([refusal.status, JSON.parse(refusal.stderr).status], [1, 404])
})

test('set-up runs are listed and shown, and a completed one cannot be resumed', async () => {
  assert.match((await run(['setups', 'list'])).stdout, /^No runs\./)
  const world = newWorld({ ...platform, report: () => undefined })
  world.tokens.root = await signIn(world, platform.administrator.email, platform.administrator.password)
  await createHotel(world, 'Le Port', 'ada@port.example')
  const [setup] = (await data('setups', 'list', '--status', 'completed')).data
  assert.is(setup.hotelName, 'Le Port')
  assert.match((await run(['setups', 'show', setup.id])).stdout, /create of Le Port: completed[\s\S]*chat +done/)
  const resumed = await run(['setups', 'resume', setup.id])
  assert.is(resumed.status, 1)
  assert.match(resumed.stderr, /409/)
})

test('a set-up that cannot be undone is parked, listed with its reason, and undone when an operator resumes it', async () => {
  const world = newWorld({ ...platform, report: () => undefined })
  world.tokens.root = await signIn(world, platform.administrator.email, platform.administrator.password)
  const control = (fault: object) =>
    fetch(`${platform.sandboxUrl}/_control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
  await control({ provider: 'payment', mode: '500', path: '/v1/subscriptions', times: 2 })
  await control({ provider: 'chat', mode: '500', method: 'DELETE', times: 1000 })
  const administrator = { email: 'eve@port.example', firstName: 'Eve', lastName: 'Port' }
  const body = { name: 'Le Quai', administrator, subscription: { plan: 'premium' } }
  await expect(world, 502, 'hotel', 'POST', '/hotel/add', { token: world.tokens.root, body })
  const parked = await eventually(async () => (await data('setups', 'list', '--status', 'parked')).data[0], 60_000)
  assert.match((await run(['setups', 'list', '--status', 'parked'])).stdout, /Le Quai[\s\S]*The payment service failed/)
  assert.match((await run(['setups', 'show', parked.id])).stdout, /chat +undoing[\s\S]*The chat provider failed/)
  await control({ provider: 'chat', mode: 'ok' })
  assert.is((await run(['setups', 'resume', parked.id])).status, 0)
  await eventually(async () => (await data('setups', 'show', parked.id)).status === 'undone', 60_000)
  const chatState = await (await fetch(`${platform.sandboxUrl}/_state/chat`)).json()
  assert.not.match(JSON.stringify(chatState), 'Le Quai')
})

test('a given token replaces a sign-in', async () => {
  const refusal = await run(['setups', 'list', '--token', 'nonsense'])
  assert.equal([refusal.status, refusal.stdout], [1, ''])
  assert.match(refusal.stderr, /401/)
})

test('a value that the platform refuses is named', async () => {
  const refusal = await run(['setups', 'list', '--status', 'lost'])
  assert.is(refusal.status, 1)
  assert.match(refusal.stderr, /400 status: /)
})

test('counters of pages are compared with their rows', async () => {
  const { checked, wrong, repaired } = await data('recount', '--workspace', newId())
  assert.equal([checked, wrong, repaired], [0, 0, 0])
  assert.match((await run(['recount', '--repair'])).stdout, /checked, 0 wrong, 0 corrected/)
  const recount = await run(['recount', '--host', '127.0.0.1'], { NEWS_RPC_URL: 'http://127.0.0.1:1' })
  assert.is(recount.status, 0, recount.stderr)
  const refusal = await run(['recount', '--workspace', 'x'])
  assert.equal([refusal.status, refusal.stdout], [1, ''])
  assert.match(refusal.stderr, /400 workspaceId: /)
  assert.is((await run(['seed'], { AUTH_PORT: '1' })).status, 3)
  assert.is((await run(['recount'], { SERVICE_API_KEY: 'a key that nobody knows' })).status, 1)
})

test('calls to the legacy version are shown with their client', async () => {
  const headers = { 'user-agent': 'OldApp/1.2' }
  await call(platform.urls, 'legacyauth', 'POST', '/auth/login/mobile', {
    body: { email: 'a@b.example', password: 'x' },
    headers,
  })
  const rows = await eventually(async () => {
    const usage = (await data('legacy-usage', '--days', '2')).data
    return usage.length > 0 && usage
  })
  assert.ok(
    rows.some((row: { client: string }) => row.client === 'OldApp'),
    JSON.stringify(rows),
  )
  const { stdout } = await run(['legacy-usage'])
  assert.match(stdout, /^calls +route +client +last\n/)
  assert.match(stdout, /\n\d+ +POST \/auth\/login\/:type +OldApp +\d{4}-/)
})

test('an up-to-date database has nothing to migrate', async () => {
  assert.equal((await data('migrate', '--service', 'news')).applied, { news: [] })
})

test('the doctor finds no problem on a healthy platform', async () => {
  const { isWell, findings } = await data('doctor')
  assert.equal(
    findings.filter((one: { state: string }) => one.state === 'fault'),
    [],
  )
  assert.ok(isWell)
  const subjects = findings.map((one: { what: string }) => one.what)
  for (const subject of [
    'Node',
    'settings',
    'ports',
    'database news',
    'views of member',
    'NATS',
    `stream ${platform.env['AMQP_EXCHANGE_NAME']}_live`,
    'database clock',
    'NATS clock',
  ])
    assert.ok(subjects.includes(subject), subject)
})

test('the doctor names each problem and its fix', async () => {
  const wrong = {
    JWT_ACCESS_SECRET: 'short',
    NEWS_DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/news',
    AMQP_GATEWAY_URL: 'nats://127.0.0.1:1',
  }
  const { status, stdout } = await run(['doctor', '--json'], wrong)
  assert.is(status, 1)
  const faults = JSON.parse(stdout).findings.filter((one: { state: string }) => one.state === 'fault')
  assert.equal(faults.map((one: { what: string }) => one.what).toSorted(), [
    'JWT_ACCESS_SECRET',
    'NATS',
    'database news',
  ])
  assert.ok(faults.every((one: { mend: string }) => one.mend.length > 10))
})

test('before the first start the doctor finds no problem, and creates nothing', async () => {
  const DATA_DIR = `${tmpdir()}/${newId()}`
  const env = { PATH: process.env['PATH'], DATA_DIR, ...anyPorts }
  const { status, stdout } = spawnSync(process.execPath, [bootstrap, 'platform', 'doctor'], { encoding: 'utf8', env })
  assert.is(status, 0, stdout)
  assert.match(stdout, /npm start creates everything it needs[\s\S]*No problems found/)
  const backup = spawnSync(process.execPath, [bootstrap, 'platform', 'backup', DATA_DIR], { encoding: 'utf8', env })
  assert.equal([backup.status, backup.stderr], [1, 'No broker is configured: set AMQP_GATEWAY_URL or DATA_DIR.\n'])
  assert.not.ok(existsSync(DATA_DIR))
})

test('a backup contains the name of a bucket and not its files', async () => {
  const folder = `${tmpdir()}/${newId()}`
  const bucket = {
    MEDIA_STORAGE: 's3',
    S3_BUCKET: 'pictures',
    S3_ENDPOINT: `${platform.sandboxUrl}/storage`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  try {
    const { status, stdout, stderr } = await run(['backup', folder], bucket)
    assert.equal([status, stderr], [0, ''])
    assert.match(stdout, /files remain in bucket pictures\./)
    const { media } = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'))
    assert.equal(media, { storage: 's3', bucket: 'pictures', files: [] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a failed backup leaves only complete parts, which the error names', async () => {
  const folder = `${tmpdir()}/${newId()}`
  const partialFolder = `${folder}.partial`
  const failing = async (env: Record<string, string>, print: (line: string) => void = () => undefined) => {
    const options = { optionValues: {}, isJson: false, print, stream: () => undefined }
    const ask = { env: { ...platform.env, ...env }, words: [folder], ...options }
    const error: unknown = await backupCommand.run(ask).catch((thrown: unknown) => thrown)
    if (!(error instanceof CommandError)) throw new Error('no refusal', { cause: error })
    return [error.exitCode, error.message.split('\n').slice(-1)[0]] as const
  }
  try {
    const lines: string[] = []
    const failure = await failing({ NEWS_DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/news' }, line => lines.push(line))
    assert.ok(lines.some(line => line.startsWith('broker: ')))
    assert.equal(failure, [3, `Removed the incomplete backup: ${partialFolder}.`])
    assert.equal([existsSync(partialFolder), existsSync(folder)], [false, false])

    // The name is taken during the backup: the complete copy stays, and so does the obstacle.
    const conflict = await failing({}, line => line.startsWith('media:') && writeFileSync(folder, 'a file'))
    assert.equal(conflict, [1, `The backup is complete in ${partialFolder}. Rename that folder.`])
    assert.ok(existsSync(`${partialFolder}/manifest.json`))
    assert.match((await failing({}))[1] ?? '', 'is not a folder: choose a new one.')
    assert.is(readFileSync(folder, 'utf8'), 'a file')
  } finally {
    for (const each of [folder, partialFolder]) rmSync(each, { recursive: true, force: true })
  }
})

test('the demonstration hotel is added once to a platform started without it, and never in production', async () => {
  const { logins } = await data('seed')
  assert.equal(
    logins.map(({ email }: { email: string }) => email),
    ['ada@demo.example', 'bo@demo.example'],
  )
  const world = newWorld({ ...platform, report: () => undefined })
  const token = await signIn(world, logins[1].email, logins[1].password)
  const { workspaceId } = (await call(platform.urls, 'auth', 'GET', '/users/me', { token })).body
  const pages = () => call(platform.urls, 'news', 'GET', `/api/v1/pages?workspaceId=${workspaceId}`, { token })
  const total = async () => Number((await pages()).body['meta']?.['total'])
  const first = await total()
  assert.ok(first > 0)
  assert.equal((await data('seed')).logins, logins)
  assert.is(await total(), first)
  const ask = {
    env: { ...platform.env, NODE_ENV: 'production' },
    words: [],
    optionValues: {},
    isJson: true,
    print: () => undefined,
    stream: () => undefined,
  }
  const refusal = await seedCommand.run(ask).catch((error: unknown) => error)
  assert.ok(refusal instanceof CommandError && /production/.test(refusal.message))
})

test('a tour that fails names its step', async () => {
  const failure = await run(['tour'], { BOOTSTRAP_ADMIN_PASSWORD: 'wrong' })
  assert.is(failure.status, 1)
  assert.match(failure.stderr, /^Step 1 failed: POST \/auth\/login/)
})

test('a platform that does not answer ends the command with 3', async () => {
  const listing = await run(['setups', 'list'], { AUTH_PORT: '1' })
  assert.is(listing.status, 3)
  assert.match(listing.stderr, /is not responding .*npm start/)
  const tour = await run(['tour'], { AUTH_PORT: '4' })
  assert.is(tour.status, 3)
  assert.match(tour.stderr, /^127.0.0.1:4 is not responding \(connect ECONNREFUSED 127.0.0.1:4\)/)
  assert.is((await run(['recount'], { NEWS_RPC_URL: 'http://127.0.0.1:1' })).status, 3)
})

test('npm knows the command', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.is(scripts.platform, 'node cli/bootstrap.mjs platform')
  const { stdout, status } = spawnSync('npm', ['run', '-s', 'platform', '--', '--help'], { encoding: 'utf8' })
  assert.is(status, 0)
  assert.match(stdout, /npm run -s platform -- <command>/)
  const refusal = spawnSync('npm', ['run', '-s', 'platform', '--', 'frobnicate'], { encoding: 'utf8' })
  assert.equal([refusal.status, refusal.stdout], [2, ''])
  assert.match(refusal.stderr, /^Unknown command: frobnicate/)
})

test.run()
