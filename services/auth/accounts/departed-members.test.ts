import type { RowDataPacket } from 'mysql2/promise'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { HotelWorkspaceService } from '../../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { WorkspaceService } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { assert, eventually, refusal, startTestHost, suite } from '../../../test/kit/kit.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { newId } from '../../kernel/base/ids.ts'
import { service as member } from '../../member/service.ts'
import { service as auth } from '../service.ts'

const test = suite('accounts of deleted members')
const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
const password = 'correct horse 7'
const host = await startTestHost([auth, member], {
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  SIGN_IN_LIMIT: '1000',
})
const sql = testPool(host.databaseUrl('member'))
test.after(async () => {
  await sql.end()
  await host.end()
})

function bearing<S extends Parameters<typeof host.as>[0]>(service: S, accessToken: string) {
  const claims = host.tokens.verify(accessToken)
  return host.as(service, claims?.userId, claims)
}
const signIn = host.as(SignInService)
const users = host.as(UserService)
const first = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: newId(), name: 'Le Phare' })
const workspaceId = first.workspace?.id ?? ''
const chiefs = await eventually(async () => {
  const { accessToken } = await signIn.login(chief)
  await bearing(OnboardingService, accessToken).invite({ email: 'x@hotel.example', workspaceId })
  return accessToken
})

test('the sign-ins of a deleted person end at once', async () => {
  const email = 'deleted@hotel.example'
  const { invitation } = await bearing(OnboardingService, chiefs).invite({ email, workspaceId })
  const { accessToken, refreshToken, user } = await users.signUp({ token: invitation?.token ?? '', password })
  await bearing(MemberService, chiefs).deleteMember({ id: user?.memberId ?? '' })
  assert.is((await refusal(bearing(UserService, accessToken).getMe({}))).info.status, 401)
  assert.is((await refusal(signIn.refreshToken({ refreshToken }))).info.status, 401)
  // The event of the deletion leaves later sign-ins alone.
  const { accessToken: later } = await signIn.login({ email, password })
  await eventually(async () => {
    const [rows] = await sql.query<RowDataPacket[]>(
      "select id from outbox where subject = 'platform.member.departed' and body like ?",
      [`%${user?.id}%`],
    )
    return rows.length === 1
  })
  assert.is((await bearing(UserService, later).getMe({})).user?.memberId, undefined)
})

test('somebody of two hotels whom one deletes loses it at once and goes on in the other', async () => {
  const other = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: newId(), name: 'Le Môle' })
  const email = 'both@hotel.example'
  const invited = async (to: string, workspaceRole: string, address = email) =>
    (await bearing(OnboardingService, chiefs).invite({ email: address, workspaceId: to, workspaceRole })).invitation
      ?.token ?? ''
  const manager = { token: await invited(workspaceId, 'admin', 'here@hotel.example'), password }
  const { accessToken: admin } = await users.signUp(manager)
  const { accessToken, refreshToken, user } = await users.signUp({
    token: await invited(workspaceId, 'viewer'),
    password,
  })
  const token = await invited(other.workspace?.id ?? '', 'viewer')
  await bearing(OnboardingService, accessToken).acceptInvitation({ token })
  assert.is((await bearing(UserService, accessToken).getMe({})).user?.workspaceId, workspaceId)
  await bearing(MemberService, admin).deleteMember({ id: user?.memberId ?? '' })
  assert.is((await bearing(UserService, accessToken).getMe({})).user?.workspaceId, other.workspace?.id)
  const { info } = await refusal(bearing(WorkspaceService, accessToken).getWorkspace({ id: workspaceId }))
  assert.is(info.status, 403)
  const renewed = await signIn.refreshToken({ refreshToken })
  assert.is(host.tokens.verify(renewed.accessToken)?.workspaceId, other.workspace?.id)
})

test.run()
