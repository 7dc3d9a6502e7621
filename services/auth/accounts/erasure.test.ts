import { createClient, type Transport } from '@connectrpc/connect'
import type { RowDataPacket } from 'mysql2/promise'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { HotelWorkspaceService } from '../../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { assert, eventually, refusal, startTestHost, suite, type TestHost } from '../../../test/kit/kit.ts'
import { freePorts } from '../../../test/kit/platform/ports.ts'
import { readyOrDead, startProcess } from '../../../test/kit/process.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { newId } from '../../kernel/base/ids.ts'
import { remoteTransport } from '../../kernel/rpc/remote.ts'
import { service as member } from '../../member/service.ts'
import { service as auth } from '../service.ts'

const test = suite('accounts of erased members')
const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
const password = 'correct horse 7'
const [authPort, dyingPort] = await freePorts(2)
let host: TestHost
let root: string
let workspaceId: string

test.before(async () => {
  host = await startTestHost([auth, member], {
    BOOTSTRAP_ADMIN_EMAIL: chief.email,
    BOOTSTRAP_ADMIN_PASSWORD: chief.password,
    AUTH_RPC_PORT: `${authPort}`,
    SIGN_IN_LIMIT: '1000',
    SIGN_IN_SUBJECT_LIMIT: '3',
  })
  const hotel = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: newId(), name: 'Le Phare' })
  workspaceId = hotel.workspace?.id ?? ''
  root = await eventually(async () => {
    const { accessToken } = await host.as(SignInService).login(chief)
    await bearing(OnboardingService, accessToken).invite({ email: 'x@hotel.example', workspaceId })
    return accessToken
  })
})
test.after(() => host.end())

function bearing<S extends Parameters<typeof host.as>[0]>(service: S, accessToken: string) {
  const claims = host.tokens.verify(accessToken)
  return host.as(service, claims?.userId, claims)
}

async function person(email: string, at = workspaceId, workspaceRole = 'viewer') {
  const { invitation } = await bearing(OnboardingService, root).invite({ email, workspaceId: at, workspaceRole })
  await host.as(UserService).signUp({ token: invitation?.token ?? '', password, firstName: 'Ottilie' })
  const { user, accessToken } = await host.as(SignInService).login({ email, password })
  return { email, accessToken, id: user?.memberId ?? '', userId: user?.id ?? '' }
}

const isOn = async (userId: string) => (await host.client(AccountService).getAccountState({ userId })).isActive

test('no table of the authentication service contains data that identifies an erased person', async () => {
  const { email, accessToken, id, userId } = await person('ottilie@hotel.example')
  const sql = testPool(host.databaseUrl('auth'))
  const tablesWith = async (...texts: string[]) => {
    const found = []
    const [tables] = await sql.query<RowDataPacket[]>("show full tables where table_type = 'BASE TABLE'")
    for (const table of tables.map(row => String(Object.values(row)[0])).filter(name => name !== 'outbox')) {
      const [rows] = await sql.query<RowDataPacket[]>(`select * from \`${table}\``)
      const text = JSON.stringify(rows).toLowerCase()
      if (texts.some(one => text.includes(one))) found.push(table)
    }
    return found
  }
  try {
    assert.ok((await tablesWith(email, 'ottilie')).includes('users'))
    await bearing(MemberService, accessToken).eraseMember({ id, password })
    assert.equal(await tablesWith(email, 'ottilie'), [])
    assert.not.ok(await isOn(userId))
    // A repeated call changes and publishes nothing.
    await host.client(AccountService).eraseUsers({ userIds: [userId, newId()] })
    const [told] = await sql.query<RowDataPacket[]>(
      "select id from outbox where subject = 'platform.auth.user.deleted' and body like ?",
      [`%${userId}%`],
    )
    assert.is(told.length, 1)
  } finally {
    await sql.end()
  }
})

test('wrong passwords for an erasure are counted, and of two simultaneous calls one erases', async () => {
  const { accessToken, id, userId } = await person('prudence@hotel.example')
  const client = bearing(MemberService, accessToken)
  for (const status of [400, 400, 400, 429])
    assert.is((await refusal(client.eraseMember({ id, password: 'wrong horse 7' }))).info.status, status)
  assert.ok(await isOn(userId))
  const other = await person('quentin@hotel.example')
  const both = await Promise.allSettled(
    [1, 2].map(() => bearing(MemberService, other.accessToken).eraseMember({ id: other.id, password })),
  )
  assert.ok(both.some(one => one.status === 'fulfilled'))
  assert.not.ok(await isOn(other.userId))
})

test('a deleted person who returned with the same account keeps it when the old record is erased', async () => {
  const { email, id, userId } = await person('return@hotel.example')
  const chiefs = bearing(MemberService, root)
  await chiefs.deleteMember({ id })
  const { invitation } = await bearing(OnboardingService, root).invite({ email, workspaceId, workspaceRole: 'viewer' })
  const { accessToken } = await host.as(SignInService).login({ email, password })
  const token = invitation?.token ?? ''
  await bearing(OnboardingService, accessToken).acceptInvitation({ token })
  await chiefs.eraseMember({ id })
  assert.ok(await isOn(userId))
  await host.as(SignInService).login({ email, password })
})

test('the last administrator of a workspace cannot erase themselves, even with the right password', async () => {
  const { workspace } = await host
    .client(HotelWorkspaceService)
    .createHotelWorkspace({ hotelId: newId(), name: 'La Jetée' })
  const { accessToken, id, userId } = await person('last@hotel.example', workspace?.id, 'admin')
  const erased = bearing(MemberService, accessToken).eraseMember({ id, password })
  assert.is((await refusal(erased)).info.status, 409)
  assert.ok(await isOn(userId))
})

test('an account ends after a kill between the erasure of the record and its own', async () => {
  const { email, id, userId } = await person('kilian@hotel.example')
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
  assert.is(await dying.ended, 'SIGKILL')
  await remote.close()
  await eventually(async () => !(await isOn(userId)))
  assert.is((await refusal(host.as(SignInService).login({ email, password }))).info.status, 401)
})

test.run()
