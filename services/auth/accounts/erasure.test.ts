import { createClient, type Transport } from '@connectrpc/connect'
import type { RowDataPacket } from 'mysql2/promise'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { newPassword, password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { freePorts } from '../../../test/kit/platform/ports.ts'
import { readyOrDead, startProcess } from '../../../test/kit/process.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { newId } from '../../kernel/base/ids.ts'
import { remoteTransport } from '../../kernel/rpc/remote.ts'

const test = suite('accounts of erased members')
const [authPort, dyingPort] = await freePorts(2)
const { host, root, openHotel, invite, person, tokenTo, anonymous, asService, withToken } = await authWithMember(test, {
  AUTH_RPC_PORT: `${authPort}`,
  SIGN_IN_SUBJECT_LIMIT: '3',
})
const isOn = async (userId: string) => (await asService.accounts.getAccountState({ userId })).isActive

test('no table of the authentication service contains data that identifies an erased person', async () => {
  const { email, accessToken, id, userId } = await person('ottilie@hotel.example', {}, 'Ottilie')
  const sql = testPool(host.databaseUrl('auth'))
  const tablesWith = async (...texts: string[]) => {
    const matchingTables = []
    const [tables] = await sql.query<RowDataPacket[]>("show full tables where table_type = 'BASE TABLE'")
    for (const table of tables.map(row => String(Object.values(row)[0])).filter(name => name !== 'outbox')) {
      const [rows] = await sql.query<RowDataPacket[]>(`select * from \`${table}\``)
      const text = JSON.stringify(rows).toLowerCase()
      if (texts.some(one => text.includes(one))) matchingTables.push(table)
    }
    return matchingTables
  }
  try {
    assert.ok((await tablesWith(email, 'ottilie')).includes('users'))
    await withToken(accessToken).members.eraseMember({ id, password })
    assert.equal(await tablesWith(email, 'ottilie'), [])
    assert.not.ok(await isOn(userId))
    // A repeated call changes and publishes nothing.
    await asService.accounts.eraseUsers({ userIds: [userId, newId()] })
    const [events] = await sql.query<RowDataPacket[]>(
      "select id from outbox where subject = 'platform.auth.user.deleted' and body like ?",
      [`%${userId}%`],
    )
    assert.is(events.length, 1)
  } finally {
    await sql.end()
  }
})

test('wrong passwords for an erasure are counted, and of two simultaneous calls one erases', async () => {
  const { accessToken, id, userId } = await person()
  const client = withToken(accessToken).members
  for (const status of [400, 400, 400, 429])
    assert.is((await refusal(client.eraseMember({ id, password: 'wrong horse 7' }))).info.status, status)
  assert.ok(await isOn(userId))
  const other = await person()
  const both = await Promise.allSettled(
    [1, 2].map(() => withToken(other.accessToken).members.eraseMember({ id: other.id, password })),
  )
  assert.ok(both.some(one => one.status === 'fulfilled'))
  assert.not.ok(await isOn(other.userId))
})

test('a deleted person who returned with the same account keeps it when the old record is erased', async () => {
  const { email, id, userId } = await person()
  const chiefs = withToken(root).members
  await chiefs.deleteMember({ id })
  const token = await invite(email)
  const { accessToken } = await anonymous.signIn.login({ email, password })
  await withToken(accessToken).onboarding.acceptInvitation({ token })
  await chiefs.eraseMember({ id })
  assert.ok(await isOn(userId))
  await anonymous.signIn.login({ email, password })
})

test('the erasure of a former account leaves the requests of a new account with its address', async () => {
  const { email, accessToken, userId } = await person()
  await withToken(accessToken).users.deleteMe({ password })
  await anonymous.signIn.register({ email, password })
  await anonymous.passwords.forgotPassword({ email })
  const token = await tokenTo(email, 'password_reset')
  await asService.accounts.eraseUsers({ userIds: [userId] })
  await anonymous.passwords.resetPassword({ token, password: newPassword })
})

test('the last administrator of a workspace cannot erase themselves, even with the right password', async () => {
  const { workspaceId: jetty } = await openHotel('La Jetée')
  const place = { workspaceId: jetty, workspaceRole: 'admin' }
  const { accessToken, id, userId } = await person(undefined, place)
  const erased = withToken(accessToken).members.eraseMember({ id, password })
  assert.is((await refusal(erased)).info.status, 409)
  assert.ok(await isOn(userId))
})

test('an account ends after a kill between the erasure of the record and its own', async () => {
  const { email, id, userId } = await person()
  const env = {
    ...process.env,
    ...host.env,
    SERVICES: 'member',
    MEMBER_RPC_PORT: `${dyingPort}`,
    AUTH_RPC_URL: `http://127.0.0.1:${authPort}`,
    FAILPOINT: 'member-erased',
  }
  const dying = startProcess('services/main.ts', env, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await readyOrDead(dying)
  const remote = remoteTransport(`http://127.0.0.1:${dyingPort}`)
  const bearer = { authorization: `Bearer ${root}` }
  const transport: Transport = {
    ...remote,
    unary: (method, signal, timeoutMs, _header, input, values) =>
      remote.unary(method, signal, timeoutMs, bearer, input, values),
  }
  await refusal(createClient(MemberService, transport).eraseMember({ id }))
  assert.is(await dying.exitStatus, 'SIGKILL')
  remote.close()
  await eventually(async () => !(await isOn(userId)))
  assert.is((await refusal(anonymous.signIn.login({ email, password }))).info.status, 401)
})

test.run()
