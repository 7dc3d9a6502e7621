import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyCommands } from '../../cli/commands/keys.ts'
import { newSecret, rotatableSecrets } from '../../cli/stack/secrets.ts'
import { portSettings } from '../../edge/config.ts'
import { startEdge } from '../../edge/edge.ts'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { type Environment } from '../../services/kernel/process/config.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { type Host, type ServiceModule, startHost } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { testBus, testDatabase } from '../kit/database.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { freePorts } from '../kit/platform/ports.ts'

const test = suite('replacing secrets while the platform runs')

const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
const file = join(folder, 'platform.env')
writeFileSync(file, `# kept\n${rotatableSecrets.map(name => `${name}=${newSecret(name)}`).join('\n')}\n`, {
  mode: 0o644,
})
const inFile = (): Environment =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )

const bus = await testBus()
const sealing = ['auth', 'member', 'hotel', 'notification']
const databases = await Promise.all(
  sealing.map(name => testDatabase(new URL(`../../services/${name}/migrations/`, import.meta.url))),
)
const [one = 0, two = 0, memberPort = 0, ...rest] = await freePorts(7)
const base: Environment = {
  NODE_ENV: 'production',
  FRONT_BASE_URL: 'https://hotel.example',
  AMQP_GATEWAY_URL: bus.url,
  AMQP_EXCHANGE_NAME: bus.stream,
  ...Object.fromEntries(sealing.map((name, at) => [`${name.toUpperCase()}_DATABASE_URL`, databases[at]?.url])),
  MEMBER_RPC_URL: `http://127.0.0.1:${memberPort}`,
  MEMBER_RPC_PORT: String(memberPort),
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  SIGN_IN_LIMIT: '1000000',
  SIGN_IN_SUBJECT_LIMIT: '1000000',
}
const authAt = (port: number): Environment => ({
  AUTH_RPC_URL: `http://127.0.0.1:${port}`,
  AUTH_RPC_PORT: String(port),
})
const anyPorts = Object.fromEntries(portSettings.map(setting => [setting, '0']))
const edgeAt = (rpc: number, index: number): Environment => ({
  ...authAt(rpc),
  ...anyPorts,
  AUTH_PORT: String(rest[index]),
  MEMBER_PORT: String(rest[index + 1]),
})

/** Stands for a process, with separate secrets and connections. There are five. */
type Process = { modules: ServiceModule[]; env: Environment; isEdge: boolean; host?: Host; stop?: () => Promise<void> }
const processes: Process[] = [
  { modules: [auth], env: authAt(one), isEdge: false },
  { modules: [auth], env: authAt(two), isEdge: false },
  { modules: [member], env: authAt(one), isEdge: false },
  { modules: [], env: edgeAt(one, 0), isEdge: true },
  { modules: [], env: edgeAt(two, 2), isEdge: true },
]
async function start(each: Process): Promise<void> {
  const env = { ...base, ...each.env, ...inFile() }
  const host = await startHost(each.modules, env, silentLog)
  const edge = each.isEdge ? await startEdge(host, env, silentLog) : undefined
  each.host = host
  each.stop = async () => {
    await edge?.stop()
    await host.stop()
  }
}
async function restartInTurn(): Promise<void> {
  for (const each of processes) {
    await each.stop?.()
    await start(each)
  }
}

/** Runs a command of `platform keys` on the file. */
async function keys(name: string, ...words: string[]): Promise<{ data: unknown; text: string }> {
  const command = keyCommands.find(each => each.name === `keys ${name}`)
  if (!command) throw new Error(name)
  return command.run({
    env: base,
    words,
    optionValues: { file },
    isJson: false,
    print: () => undefined,
    stream: () => undefined,
  })
}

type Answer = { status: number; json: Record<string, string> }
async function call(port: number | undefined, path: string, token = '', body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    return { status: answer.status, json: (await answer.json()) as Record<string, string> }
  } catch {
    // The process is being replaced.
    return { status: 503, json: {} }
  }
}
const signIn = (port: number | undefined) => call(port, '/auth/login', '', chief)

/** Every issued token, with the phase of the rotation. */
const issued: { token: string; during: string }[] = []
const countsByStatus = new Map<number, number>()
let part = 'before'
let isOver = false

async function client(index: number): Promise<void> {
  let refreshToken: string | undefined
  for (let round = 0; !isOver; round++) {
    const [authPort, memberPortHere] = rest.slice(((index + round) % 2) * 2)
    const answer = refreshToken
      ? await call(authPort, '/auth/refreshToken', '', { refreshToken })
      : round % 4 === 0 && (await signIn(authPort))
    if (answer) {
      countsByStatus.set(answer.status, (countsByStatus.get(answer.status) ?? 0) + 1)
      // If the answer was lost, the refresh token may be spent: sign in again.
      refreshToken = answer.status === 200 ? answer.json['refreshToken'] : undefined
      if (answer.json['accessToken']) issued.push({ token: answer.json['accessToken'], during: part })
    }
    for (const port of [authPort, memberPortHere]) {
      const token = issued[Math.floor(Math.random() * issued.length)]?.token
      if (!token) continue
      const { status } = await call(port, port === authPort ? '/users/me' : '/workspaces/get/all', token)
      countsByStatus.set(status, (countsByStatus.get(status) ?? 0) + 1)
    }
  }
}

test.before(async () => {
  for (const each of processes) await start(each)
  await eventually(async () => {
    const { json } = await signIn(rest[0])
    return (await call(rest[1], '/workspaces/get/all', json['accessToken'])).status === 200
  })
})
test.after(async () => {
  for (const { stop } of processes) await stop?.()
  await bus.close()
  await Promise.all(databases.map(each => each.drop()))
  rmSync(folder, { recursive: true })
})

test('while processes are replaced one by one no caller gets a 401, and nothing is lost', async () => {
  const { json } = await signIn(rest[0])
  const ecosystemId = newId()
  const members = await connectDatabase(databases[sealing.indexOf('member')]?.url ?? '')
  await members.query("insert into workspaces (id, name, ecosystem_id) values (?, 'Le Phare', ?)", [
    newId(),
    ecosystemId,
  ])
  await members.end()
  const request = { ecosystemId, permissions: ['view_members'] }
  // The authentication service may have looked the rights up before the member service had them.
  const credential = await eventually(async () => {
    const answer = await call(rest[0], '/ecosystem/credentials', json['accessToken'], request)
    return answer.status === 201 ? answer : undefined
  })
  const { apiKey = '', apiSecret = '' } = credential.json
  const old = inFile()

  const clients = [0, 1, 2, 3].map(client)
  const outputs: string[] = []
  const issuedDuring = () => issued.some(({ during }) => during === part)
  /** Whether there were at least forty successful answers per phase so far. */
  const isBusy = () => (countsByStatus.get(200) ?? 0) >= 40 * (1 + ['before', 'prepared', 'switched'].indexOf(part))
  await eventually(() => issuedDuring() && isBusy())
  for (const step of ['prepared', 'switched']) {
    const { text } = await keys('rotate', 'all')
    outputs.push(text)
    for (const name of rotatableSecrets) assert.match(text, `${name} is ${step}.`)
    await restartInTurn()
    part = step
    await eventually(() => issuedDuring() && isBusy())
  }
  outputs.push((await keys('list')).text)
  isOver = true
  await Promise.all(clients)
  assert.equal(
    [...countsByStatus.keys()].filter(status => status !== 200 && status !== 503),
    [],
    JSON.stringify([...countsByStatus]),
  )
  for (const each of ['before', 'prepared', 'switched'])
    assert.ok(
      issued.some(({ during }) => during === each),
      each,
    )
  assert.ok((countsByStatus.get(200) ?? 0) > 100, JSON.stringify([...countsByStatus]))

  // Stored values are resealed before the former key is retired.
  const refusal = await keys('retire', 'all').catch((error: Error) => error.message)
  assert.match(String(refusal), /1 value can only be read with the previous key/)
  const { data } = (await keys('reseal')) as { data: { data: { table: string; resealed: number }[] } }
  assert.is(data.data.find(({ table }) => table === 'ecosystem_credentials')?.resealed, 1)
  outputs.push((await keys('retire', 'all')).text)
  await restartInTurn()
  const first = issued.find(({ during }) => during === 'before')?.token
  const last = issued.findLast(({ during }) => during === 'switched')?.token
  assert.is((await call(rest[0], '/users/me', first)).status, 401)
  assert.is((await call(rest[2], '/users/me', last)).status, 200)
  const { host } = processes[0] as Process
  const checked = await host?.client(AccountService).verifyCredential({ apiKey, apiSecret })
  assert.is(checked?.ecosystemId, ecosystemId)

  const now = inFile()
  for (const name of rotatableSecrets) {
    assert.is.not(now[name], old[name])
    assert.ok((now[name]?.length ?? 0) >= 32)
    assert.equal([now[`${name}_NEXT`], now[`${name}_PREVIOUS`]], [undefined, undefined])
    for (const value of [old[name], now[name]]) assert.not.match(outputs.join('\n'), value ?? '')
  }
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.match(readFileSync(file, 'utf8'), /^# kept\n/)
})

test.run()
