import { create, toBinary } from '@bufbuild/protobuf'
import { createClient, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { type Kysely, sql } from 'kysely'
import { GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { CreateTeamRequestSchema, TeamService } from '../../../gen/platform/member/v1/teams_pb.ts'
import { type TestDatabase, testDatabase } from '../../../test/kit/database.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { partly } from '../../../test/kit/partly.ts'
import { tenantOf } from '../access/access.ts'
import type { Rights } from '../access/rights.ts'
import { accessTokens } from '../access/tokens.ts'
import { ConflictError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { cipher, digest, keyedDigest } from '../base/secrets.ts'
import { closeDatabase, openDatabase } from '../database/database.ts'
import { kernelMigrations } from '../database/migrate.ts'
import { purgeKernelTables } from '../database/retention.ts'
import { silentLog } from '../process/log.ts'
import { claimKey, whileClaimed } from './idempotency.sql.ts'
import { idempotent } from './idempotency.ts'
import { localServices } from './in-process.ts'
import { gateInterceptors } from './interceptors.ts'
import { remoteTransport } from './remote.ts'
import { type RpcServer, startRpcServer } from './server.ts'

const test = suite('idempotency keys')
const tokens = accessTokens(['a-secret-for-this-test'])
const workspaceId = newId()

// Stands in for the member service, as in gate.test.ts.
const workspace = { workspaceId, workspaceName: 'Hotel', ecosystemId: workspaceId, role: 'member' }
const rights: Rights = {
  ofUser: async userId =>
    create(GetAccessResponseSchema, {
      memberId: userId,
      userId,
      workspaces: [{ ...workspace, permissions: ['view_members', 'manage_members'] }],
    }),
  ofMember: async () => undefined,
  workspace: async () => undefined,
  evict: () => undefined,
}

let runs = 0
let gate = Promise.resolve()
const teams = partly(TeamService, {
  async createTeam({ name }, context) {
    runs++
    await gate
    if (name === 'taken') throw new ConflictError('taken')
    context.responseHeader.set('etag', `"${runs}"`)
    if (name === 'unwritable') return { team: { id: newId(), membersCount: Number.NaN } }
    if (name === 'huge') return { team: { id: newId(), name: 'x'.repeat(15_000_000) } }
    return { team: { id: newId(), name, workspaceId: tenantOf(context).workspaceId } }
  },
  async listTeams() {
    runs++
    return { data: [] }
  },
})

let database: TestDatabase
let db: Kysely<unknown>
let server: RpcServer
const local = localServices()
let remote: ReturnType<typeof remoteTransport>
let connect: Transport

test.before(async () => {
  database = await testDatabase(kernelMigrations)
  db = openDatabase(database.url)
  const answerCipher = cipher('kept-answer', ['a-secret-for-this-test'], 100_000)
  const chain = [
    ...gateInterceptors({ log: silentLog, tokens, serviceKeys: [], rights }),
    idempotent({ db, answerCipher, keys: ['a-secret-for-this-test', 'its-former-one'], log: silentLog }),
  ]
  local.add(teams.service, teams.implementation as Record<string, unknown>, chain)
  server = await startRpcServer({
    rpcs: [teams],
    interceptors: chain,
    host: '127.0.0.1',
    port: 0,
    healthy: async () => true,
  })
  remote = remoteTransport(`http://127.0.0.1:${server.port}`)
  connect = createConnectTransport({
    baseUrl: `http://127.0.0.1:${server.port}`,
    httpVersion: '2',
    useBinaryFormat: false,
  })
})
test.after(async () => {
  remote.close()
  await server.close(1_000)
  await closeDatabase(db)
  await database.drop()
})

const claims = { email: 'a@hotel.example', isAdmin: false, memberId: null, workspaceId: null, sessionId: null }
const bearer = (userId: string) =>
  `Bearer ${tokens.issue({ ...claims, userId, roles: [], permissions: [], kind: 'modern' }, 60)}`

/** Requests a team and returns it with the headers that the handler set. */
async function ask(key: string, name = 'Night', userId = workspaceId, transport = local.transport) {
  let etag: string | null = null
  const onHeader = (headers: Headers) => {
    etag = headers.get('etag')
  }
  const headers = { authorization: bearer(userId), 'idempotency-key': key }
  const { team } = await createClient(TeamService, transport).createTeam({ workspaceId, name }, { headers, onHeader })
  return { id: team?.id, name: team?.name, etag }
}

const ageBy = (seconds: number) =>
  sql`update idempotency_keys set claimed_at = claimed_at - interval ${seconds} second`.execute(db)

for (const place of ['in the process', 'over gRPC', 'as JSON'] as const)
  test(`${place}, a repeated key returns the first answer with its headers, and nothing runs again`, async () => {
    const transport = { 'in the process': local.transport, 'over gRPC': remote, 'as JSON': connect }[place]
    const [key, before] = [newId(), runs]
    const first = await ask(key, 'Night', workspaceId, transport)
    assert.ok(first.id && first.etag)
    assert.equal(await ask(key, 'Night', workspaceId, transport), first)
    // Protocols have different headers.
    for (const other of [local.transport, remote, connect])
      assert.equal(await ask(key, 'Night', workspaceId, other), first)
    assert.is(runs, before + 1)
  })

test('of twenty simultaneous calls one runs, and the others get a conflict until it has answered', async () => {
  const [key, before] = [newId(), runs]
  let open = () => {}
  gate = new Promise(resolve => {
    open = resolve
  })
  let refusedCount = 0
  const attempts = Array.from({ length: 20 }, () =>
    ask(key).catch(error => {
      assert.equal([error.info.status, error.info.retryAfterSeconds], [409, 1])
      // The nineteenth refusal lets the running request continue.
      if (++refusedCount === 19) open()
      return undefined
    }),
  )
  const answers = (await Promise.all(attempts).finally(() => open())).filter(Boolean)
  assert.equal([answers.length, runs - before], [1, 1])
  assert.equal(await ask(key), answers[0])
})

test('another body with the same key is a 422, and another caller or key is a separate request', async () => {
  const key = newId()
  const { id } = await ask(key)
  const error = await refusal(ask(key, 'Day'))
  assert.equal([error.info.status, error.info.class], [422, 'UnprocessableError'])
  assert.is.not((await ask(key, 'Night', newId())).id, id)
  assert.is.not((await ask(newId())).id, id)
})

test('the digest of a request requires a key, the current or a previous one', async () => {
  const key = newId()
  const { id } = await ask(key)
  const rowsOf = async () => (await sql<{ request: string }>`select request from idempotency_keys`.execute(db)).rows
  const text = Buffer.from(
    toBinary(CreateTeamRequestSchema, create(CreateTeamRequestSchema, { workspaceId, name: 'Night' })),
  )
  assert.not.ok((await rowsOf()).some(row => row.request === digest(text.toString('base64'))))
  const former = keyedDigest('its-former-one', `request:${text.toString('base64')}`)
  const present = keyedDigest('a-secret-for-this-test', `request:${text.toString('base64')}`)
  await sql`update idempotency_keys set request = ${former} where request = ${present}`.execute(db)
  assert.is((await ask(key)).id, id)
  await sql`update idempotency_keys set request = ${keyedDigest('another', text.toString('base64'))}`.execute(db)
  assert.is((await refusal(ask(key))).info.status, 422)
})

test('an empty, too long or non-ASCII key is a 400, and one without a right to the route is not stored', async () => {
  for (const key of ['', 'x'.repeat(256), 'two words', 'clé']) {
    const { info } = await refusal(ask(key))
    assert.equal([info.status, info.violations[0]?.path], [400, 'Idempotency-Key'])
  }
  assert.is((await ask('x'.repeat(255))).name, 'Night')
  const key = newId()
  const headers = { 'idempotency-key': key }
  const client = createClient(TeamService, local.transport)
  assert.is((await refusal(client.createTeam({ workspaceId, name: 'Night' }, { headers }))).info.status, 401)
  assert.is((await ask(key, 'Night')).name, 'Night')
})

test('routes that create nothing ignore the key', async () => {
  const [headers, before] = [{ authorization: bearer(workspaceId), 'idempotency-key': newId() }, runs]
  const client = createClient(TeamService, local.transport)
  for (let i = 0; i < 2; i++) await client.listTeams({ workspaceId }, { headers })
  assert.is(runs, before + 2)
})

test('a refused request created nothing, so its key can be used again', async () => {
  const [key, before] = [newId(), runs]
  for (let i = 0; i < 2; i++) assert.is((await refusal(ask(key, 'taken'))).info.status, 409)
  assert.is(runs, before + 2)
  assert.is((await ask(key, 'free')).name, 'free')
})

for (const name of ['unwritable', 'huge'])
  test(`a request whose answer is ${name} and cannot be stored runs once, and its key answers so at once and for good`, async () => {
    const [key, before] = [newId(), runs]
    assert.ok((await ask(key, name)).id)
    for (const seconds of [0, 61]) {
      await ageBy(seconds)
      const error = await refusal(ask(key, name))
      assert.equal(
        [error.info.status, error.rawMessage],
        [409, 'The answer to this Idempotency-Key can no longer be read'],
      )
    }
    assert.is(runs, before + 1)
  })

test('the claim of a dead process expires after a minute, and its late answer is ignored', async () => {
  const key = newId()
  await ask(key)
  await sql`update idempotency_keys set answer = null`.execute(db)
  assert.is((await refusal(ask(key))).info.status, 409)
  await ageBy(61)
  const secondAnswer = await ask(key)
  assert.equal(await ask(key), secondAnswer)
})

test('a run holds its claim for longer than a minute', async () => {
  const id = digest(newId())
  const claimState = await claimKey(db, id, ['request'])
  if (claimState.kind !== 'claimed') return assert.unreachable(claimState.kind)
  await ageBy(61)
  const isRenewed = async () => {
    const recent = sql`select 1 from idempotency_keys where id = ${id} and claimed_at > now(3) - interval 30 second`
    return (await recent.execute(db)).rows.length > 0
  }
  await whileClaimed(db, claimState.claim, () => eventually(isRenewed), 30)
  assert.is((await claimKey(db, id, ['request'])).kind, 'running')
})

test('answers are encrypted, kept for a day and then removed', async () => {
  const key = newId()
  const { id } = await ask(key, 'Very secret')
  const loadRecords = async () => (await sql<{ answer: string }>`select * from idempotency_keys`.execute(db)).rows
  const text = JSON.stringify(await loadRecords())
  assert.not.match(text, key)
  assert.not.match(text, Buffer.from('Very secret').toString('base64').slice(0, 8))
  await ageBy(24 * 3600 - 600)
  await purgeKernelTables(db)
  assert.is((await ask(key, 'Very secret')).id, id)
  await ageBy(601)
  assert.is.not((await ask(key, 'Very secret')).id, id)
  await ageBy(24 * 3600 + 1)
  await purgeKernelTables(db)
  assert.is((await loadRecords()).length, 0)
})

test.run()
