import type { RowDataPacket } from 'mysql2/promise'
import { InvitationService as Invitations } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { EcosystemMemberService } from '../../../gen/platform/member/v1/ecosystem_members_pb.ts'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { RoleService } from '../../../gen/platform/member/v1/roles_pb.ts'
import { WorkspaceMemberService } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import { WorkspaceService } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { password, startMailbox } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, refusal, startTestHost, suite } from '../../../test/kit/kit.ts'
import { openWorld, someAddress, type World } from '../../../test/kit/member.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { service as member } from '../../member/service.ts'
import { service as auth } from '../service.ts'

const test = suite('takeover of accounts by address')
const mailbox = await startMailbox()
const host = await startTestHost([auth, member], { NOTIFICATION_RPC_URL: mailbox.url })
const sql = testPool(host.databaseUrl('auth'))

test.after(async () => {
  await sql.end()
  await host.end()
  await mailbox.end()
})

const known = 'An account with this email already exists:'
const signInFirst = `${known} sign in, then accept the invitation again`
const confirmFirst = `${known} open the link mailed to it, or sign in, then accept the invitation again`

test('changing an address takes over neither a stronger colleague’s account nor the hotel owner’s', async () => {
  const { workspaceId, hotelId, root } = await openWorld(host)
  const roles = host.as(RoleService, root)
  await roles.createRole({ workspaceId, name: 'Clerk', permissions: ['view_members', 'manage_members'] })
  await roles.createRole({ workspaceId, name: 'Strong', permissions: ['export_data'] })
  const signUp = async (workspaceRole: string) => {
    const email = someAddress()
    const { invitation } = await host.as(OnboardingService, root).invite({ email, workspaceId, workspaceRole })
    const { user } = await host.as(UserService).signUp({ token: invitation?.token ?? '', password })
    return { email, userId: user?.id ?? '', memberId: user?.memberId ?? '' }
  }
  const [clerk, strong] = [await signUp('clerk'), await signUp('strong')]
  const [leader, owner] = [await signUp('admin'), await signUp('viewer')]
  const own = { ecosystemId: hotelId, memberId: owner.memberId, role: 'owner', updateMask: { paths: ['role'] } }
  await host.as(EcosystemMemberService, root).updateEcosystemMember(own)
  const email = someAddress()
  for (const [by, at] of [
    [clerk, strong],
    [leader, owner],
  ] as const) {
    const change = { id: at.memberId, email, updateMask: { paths: ['email'] } }
    const { info } = await refusal(host.as(MemberService, by.userId).updateMember(change))
    assert.is(info.status, 403)
    await host.as(SignInService).login({ email: at.email, password })
  }
  const [changes] = await sql.query<RowDataPacket[]>('select 1 from email_verifications where email = ?', [email])
  assert.equal(changes, [])
})

test('a token that names a former address accepts no invitation to it', async () => {
  const [home, other] = [await openWorld(host), await openWorld(host)]
  const [email, own] = [someAddress(), someAddress()]
  const place = { workspaceId: other.workspaceId, workspaceRole: 'admin' }
  await host.as(MemberService, other.root).createMember({ firstName: 'V', lastName: 'W', email, ...place })
  const { accessToken } = await host.as(SignInService).register({ email, password })
  const change = { email: own, currentPassword: password, updateMask: { paths: ['email'] } }
  await host.bearing(UserService, accessToken).updateMe(change)
  const mail = await eventually(() => mailbox.mails.findLast(one => one.to === own && one.slug === 'verify_email'))
  await host.bearing(SignInService, accessToken).verifyEmail({ token: mail.variables['token'] ?? '' })
  const { workspaceId } = home
  const { invitation } = await host.as(OnboardingService, home.admin.userId).invite({ email, workspaceId })
  const accepted = host.bearing(OnboardingService, accessToken).acceptInvitation({ token: invitation?.token ?? '' })
  const { info, rawMessage } = await refusal(accepted)
  assert.equal([info.status, rawMessage], [403, 'The invitation is for another e-mail address'])
})

test('a hotel doesn’t accept its own invitation for somebody with an account in another hotel', async () => {
  const [home, other] = [await openWorld(host), await openWorld(host)]
  const email = someAddress()
  const invite = async ({ admin, workspaceId }: World) =>
    (await host.as(OnboardingService, admin.userId).invite({ email, workspaceId })).invitation?.token ?? ''
  const { accessToken } = await host.as(UserService).signUp({ token: await invite(home), password })
  const token = await invite(other)
  const { info, rawMessage } = await refusal(host.as(OnboardingService).acceptInvitation({ token }))
  assert.equal([info.status, rawMessage], [401, signInFirst])
  assert.is((await host.bearing(OnboardingService, accessToken).acceptInvitation({ token })).status, 'accepted')
})

test('a member of the hotel accepts an invitation to another of its workspaces with the token alone', async () => {
  const { root, hotelId, workspaceId } = await openWorld(host)
  const { workspace } = await host.as(WorkspaceService, root).createWorkspace({ ecosystemId: hotelId, name: 'Annexe' })
  const email = someAddress()
  const invite = async (to: string) =>
    (await host.as(OnboardingService, root).invite({ email, workspaceId: to })).invitation?.token ?? ''
  await host.as(UserService).signUp({ token: await invite(workspaceId), password })
  const { status } = await host.as(OnboardingService).acceptInvitation({ token: await invite(workspace?.id ?? '') })
  assert.is(status, 'accepted')
})

const register = async (email: string) => (await host.as(SignInService).register({ email, password })).accessToken
const confirm = async (email: string) => {
  const mail = await eventually(() => mailbox.mails.findLast(one => one.to === email && one.slug === 'verify_email'))
  await host.as(SignInService).verifyEmail({ token: mail.variables['token'] ?? '', password })
}

/** What an invitation's token alone answers to these people of the invited address. */
const withoutBearer: [who: string, prepare: (email: string) => Promise<unknown>, expected: string][] = [
  ['somebody without an account', async () => undefined, 'Sign up first: no account exists for this address'],
  [
    'a verified account of no hotel',
    async email => {
      await register(email)
      await confirm(email)
    },
    'accepted',
  ],
  ['an unverified account', register, confirmFirst],
  [
    'a verified account whose record belongs to another hotel',
    async email => {
      const { root, workspaceId } = await openWorld(host)
      const person = { firstName: 'V', lastName: 'W', email, workspaceId, workspaceRole: 'viewer' }
      await host.as(MemberService, root).createMember(person)
      await register(email)
      await confirm(email)
    },
    signInFirst,
  ],
  [
    'an unverified account that left its hotel',
    async email => {
      const { root, workspaceId } = await openWorld(host)
      const { invitation } = await host.as(OnboardingService, root).invite({ email, workspaceId })
      const { user } = await host.as(UserService).signUp({ token: invitation?.token ?? '', password })
      await host.as(WorkspaceMemberService, user?.id).leaveWorkspace({ id: workspaceId })
    },
    confirmFirst,
  ],
]
for (const [who, prepare, expected] of withoutBearer)
  test(`the token alone, for ${who}: ${expected}`, async () => {
    const [{ root, workspaceId }, email] = [await openWorld(host), someAddress()]
    await prepare(email)
    const { invitation } = await host.as(OnboardingService, root).invite({ email, workspaceId })
    const accepting = host.as(OnboardingService).acceptInvitation({ token: invitation?.token ?? '' })
    if (expected === 'accepted') {
      const { memberId } = await accepting
      const { accessToken } = await host.as(SignInService).login({ email, password })
      assert.is(host.tokens.verify(accessToken)?.memberId, memberId)
      return
    }
    const { info, rawMessage } = await refusal(accepting)
    assert.equal([info.status, rawMessage], [expected.startsWith('Sign up') ? 409 : 401, expected])
  })

test('a deleted person who is invited again gets one answer on every route, and what it says works', async () => {
  const { root, workspaceId } = await openWorld(host)
  const email = someAddress()
  const invite = async () =>
    (await host.as(OnboardingService, root).invite({ email, workspaceId })).invitation?.token ?? ''
  const { user } = await host.as(UserService).signUp({ token: await invite(), password })
  await host.as(MemberService, root).deleteMember({ id: user?.memberId ?? '' })
  const token = await invite()
  const ways = [
    () => host.as(UserService).signUp({ token, password }),
    () => host.as(Invitations).acceptInvitation({ token, password }),
    () => host.as(OnboardingService).acceptInvitation({ token }),
  ]
  const claims = () => mailbox.mails.filter(one => one.to === email && one.slug === 'account_claim')
  for (const [at, way] of ways.entries()) {
    assert.is((await refusal(way())).rawMessage, confirmFirst)
    await eventually(() => claims().length === at + 1)
  }
  const { accessToken } = await host.as(SignInService).login({ email, password })
  const accepted = await host.bearing(OnboardingService, accessToken).acceptInvitation({ token })
  await host.as(MemberService, root).deleteMember({ id: accepted.memberId })
  const again = await invite()
  const link = claims().at(-1)?.variables['token'] ?? ''
  await host.as(PasswordService).resetPassword({ token: link, password })
  assert.is((await host.as(OnboardingService).acceptInvitation({ token: again })).status, 'accepted')
})

test.run()
