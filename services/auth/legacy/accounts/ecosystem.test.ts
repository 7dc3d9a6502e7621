import { createClient, type Transport } from '@connectrpc/connect'
import { sql } from 'kysely'
import { AccountService } from '../../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { legacyForTest } from '../../../../test/kit/auth/legacy.ts'
import { assert, isRefused, suite } from '../../../../test/kit/kit.ts'
import { freePorts } from '../../../../test/kit/platform/ports.ts'
import { readyOrDead, startProcess } from '../../../../test/kit/process.ts'
import { newId } from '../../../kernel/base/ids.ts'
import { remoteTransport } from '../../../kernel/rpc/remote.ts'

const test = suite('deletion of an ecosystem’s users')
const world = await legacyForTest(test)
const { host, db, accounts, signIn, invited, enter, userOf } = world
/** Two signed-in members of a hotel. */
async function hotel() {
  const hotelId = newId()
  const people = [await invited({ hotelId }), await invited({ hotelId })]
  const tokens = []
  for (const { email } of people) tokens.push((await enter(email)).refreshToken)
  return { hotelId, people, tokens }
}
const sessionsOf = (ids: string[]) => db.selectFrom('sessions').select('id').where('user_id', 'in', ids).execute()
const findEvents = async (needle: string): Promise<string[]> => {
  const { rows } = await sql<{ body: string }>`select body from outbox`.execute(db)
  return rows.map(row => row.body).filter(body => body.includes(needle))
}

test('all users are deleted with tokens and sessions, and those of other ecosystems stay', async () => {
  const { hotelId, people, tokens } = await hotel()
  const neighbour = await invited()
  await enter(neighbour.email)
  const { $typeName: _, ...counts } = await accounts.deleteEcosystemAccounts({ ecosystemId: hotelId })
  const none = { success: true, msg: 'NO_MSG', keptUsers: 0 }
  assert.equal(counts, { ...none, deletedUsers: 2, revokedTokens: 2, deletedSessions: 2 })
  for (const refreshToken of tokens) await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  for (const { email } of people) await isRefused(enter(email), 401, 'MSG_601')
  assert.equal(await sessionsOf(people.map(one => one.userId)), [])
  await enter(neighbour.email)
  const nobody = await accounts.deleteEcosystemAccounts({ ecosystemId: newId() })
  assert.equal([nobody.deletedUsers, nobody.deletedSessions], [0, 0])
})

test('users who work in another hotel, and platform administrators, keep the account and sign in again', async () => {
  const hotelId = newId()
  const homePlace = { workspaceId: newId(), ecosystemId: hotelId }
  const otherPlace = { workspaceId: newId(), ecosystemId: newId() }
  const [leaving, both, chief] = [
    await invited({ hotelId }, [homePlace]),
    await invited({ hotelId }, [homePlace, otherPlace]),
    await invited({ hotelId }, [homePlace]),
  ]
  await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', chief.userId).execute()
  const { refreshToken } = await enter(both.email)
  const counts = await accounts.deleteEcosystemAccounts({ ecosystemId: hotelId })
  assert.equal([counts.deletedUsers, counts.keptUsers, counts.revokedTokens], [1, 2, 1])
  await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  for (const { email } of [both, chief]) await enter(email)
  assert.ok((await userOf(leaving.userId)).deleted_at)
})

test('two simultaneous deletions delete and notify once', async () => {
  const { hotelId, people } = await hotel()
  const both = await Promise.all([1, 2].map(() => accounts.deleteEcosystemAccounts({ ecosystemId: hotelId })))
  const sum = (field: 'deletedUsers' | 'revokedTokens' | 'deletedSessions') =>
    both.reduce((total, one) => total + one[field], 0)
  assert.equal([sum('deletedUsers'), sum('revokedTokens'), sum('deletedSessions')], [2, 2, 2])
  for (const { userId } of people)
    assert.is((await findEvents(userId)).filter(body => body.includes('user.deleted')).length, 1)
  assert.is((await findEvents(hotelId)).length, 1)
})

test('no user is deleted while the member service cannot list them', async () => {
  const { hotelId, people } = await hotel()
  host.next.outages.member = true
  try {
    await isRefused(accounts.deleteEcosystemAccounts({ ecosystemId: hotelId }), 503)
  } finally {
    host.next.outages.member = false
  }
  for (const { email } of people) await enter(email)
})

test('a kill before the commit changes nothing, and the next call deletes everything', async () => {
  const { hotelId, people, tokens } = await hotel()
  const [port = 0] = await freePorts(1)
  const settings = { SERVICES: 'auth', AUTH_RPC_PORT: `${port}`, FAILPOINT: 'legacy-ecosystem-deleted' }
  const env = { ...process.env, ...host.env, ...settings }
  const dying = startProcess('services/main.ts', env, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await readyOrDead(dying)
  const remote = remoteTransport(`http://127.0.0.1:${port}`)
  const key = { 'x-api-key': host.env['SERVICE_API_KEY'] ?? '' }
  const transport: Transport = {
    ...remote,
    unary: (method, signal, timeoutMs, _header, input, values) =>
      remote.unary(method, signal, timeoutMs, key, input, values),
  }
  const call = createClient(AccountService, transport).deleteEcosystemAccounts({ ecosystemId: hotelId })
  await call.then(
    () => assert.unreachable('the process did not die'),
    () => undefined,
  )
  assert.is(await dying.exitStatus, 'SIGKILL')
  remote.close()
  const ids = people.map(one => one.userId)
  for (const id of ids) assert.is((await userOf(id)).deleted_at, null)
  assert.is((await sessionsOf(ids)).length, 2)
  await signIn.refresh({ refreshToken: tokens[0] ?? '' })
  assert.equal(await findEvents(hotelId), [])
  const counts = await accounts.deleteEcosystemAccounts({ ecosystemId: hotelId })
  assert.equal([counts.deletedUsers, counts.deletedSessions], [2, 2])
})

test.run()
