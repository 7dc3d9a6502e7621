import type { RowDataPacket } from 'mysql2/promise'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { CredentialService } from '../../gen/platform/auth/v1/credentials_pb.ts'
import { InvitationService } from '../../gen/platform/auth/v1/invitations_pb.ts'
import { PasswordService } from '../../gen/platform/auth/v1/passwords_pb.ts'
import { SessionService } from '../../gen/platform/auth/v1/sessions_pb.ts'
import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../gen/platform/auth/v1/users_pb.ts'
import { AccountService as LegacyAccounts } from '../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { SignInService as LegacySignIn } from '../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { PermissionService } from '../../gen/platform/member/v1/permissions_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { SessionService as MemberSessions } from '../../gen/platform/member/v1/sessions_pb.ts'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import { startMailbox } from '../../test/kit/auth/auth.ts'
import { assert, eventually, refusal, startTestHost, suite } from '../../test/kit/kit.ts'
import { acceptFor } from '../../test/kit/member.ts'
import { testPool } from '../../test/kit/sql.ts'
import { toPlatformError } from '../kernel/base/errors.ts'
import { newId } from '../kernel/base/ids.ts'
import { service as member } from '../member/service.ts'
import { service as auth } from './service.ts'

const test = suite('authentication beside the member service')
const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
const password = 'correct horse 7'
const mailbox = await startMailbox()
const host = await startTestHost([auth, member], {
  NOTIFICATION_RPC_URL: mailbox.url,
  BOOTSTRAP_ADMIN_EMAIL: chief.email,
  BOOTSTRAP_ADMIN_PASSWORD: chief.password,
  // All sign-ins here come from one address.
  SIGN_IN_LIMIT: '1000',
})
const authSql = testPool(host.databaseUrl('auth'))
const [[account] = []] = await authSql.query<RowDataPacket[]>('select id from users where email = ?', [chief.email])
const atStart = await host.client(ProfileService).getProfile({ userId: String(account?.['id']) })
const signIn = host.as(SignInService)
const users = host.as(UserService)

/** A client that calls with the token of an earlier response. */
function bearing<S extends Parameters<typeof host.as>[0]>(service: S, accessToken: string) {
  const claims = host.tokens.verify(accessToken)
  return host.as(service, claims?.userId, claims)
}

const hotelId = newId()
const { workspace } = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId, name: 'Le Phare' })
const workspaceId = workspace?.id ?? ''

const sql = testPool(host.databaseUrl('member'))

test.after(async () => {
  await sql.end()
  await authSql.end()
  await host.end()
  await mailbox.end()
})

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    error => toPlatformError(error).info.status,
  )

test('the bootstrap administrator is an administrator in the member service once the process has started', async () => {
  assert.ok(atStart.profile?.isSuperAdmin)
  const { accessToken } = await signIn.login(chief)
  const answer = await bearing(OnboardingService, accessToken).invite({ email: 'first@hotel.example', workspaceId })
  assert.ok(answer.invitation?.token)
})

test('an invitation of the member service leads to an account, a member and a token with the workspace', async () => {
  const { accessToken } = await signIn.login(chief)
  const invite = { email: 'ada@hotel.example', firstName: 'Ada', workspaceId, workspaceRole: 'admin' }
  const { invitation } = await bearing(OnboardingService, accessToken).invite(invite)
  const token = invitation?.token ?? ''
  const answer = await users.signUp({ token, password, lastName: 'Byron' })
  assert.equal([answer.user?.firstName, answer.user?.lastName], ['Ada', 'Byron'])
  const claims = host.tokens.verify((await signIn.login({ email: invite.email, password })).accessToken)
  assert.is(claims?.workspaceId, workspaceId)
  assert.equal(claims?.roles, ['admin'])
  assert.ok(claims?.permissions.includes('invite_members'))
  assert.is(claims?.memberId, answer.user?.memberId)
  assert.is((await refusal(users.signUp({ token, password }))).info.status, 409)
})

test('two simultaneous sign-ups create one account and one member', async () => {
  const { accessToken } = await signIn.login(chief)
  const email = 'twice@hotel.example'
  const { invitation } = await bearing(OnboardingService, accessToken).invite({ email, workspaceId })
  const token = invitation?.token ?? ''
  const both = await Promise.all([users.signUp({ token, password }), users.signUp({ token, password })])
  assert.is(both[0].user?.id, both[1].user?.id)
  assert.is(both[0].user?.memberId, both[1].user?.memberId)
})

test('a session recorded for a member belongs to their account: it is listed, in use, and ended with the hotel', async () => {
  const { accessToken: chiefs } = await signIn.login(chief)
  const own = { hotelId: newId(), email: 'recorded@hotel.example' }
  const made = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: own.hotelId, name: 'Le Cap' })
  const invite = { email: own.email, firstName: 'Ida', workspaceId: made.workspace?.id ?? '' }
  const { invitation } = await bearing(OnboardingService, chiefs).invite(invite)
  const { user, accessToken } = await users.signUp({ token: invitation?.token ?? '', password })
  const memberId = user?.memberId ?? ''
  const { session } = await bearing(MemberSessions, accessToken).createSession({
    memberId,
    userAgent: 'HotelApp/3.1 (iPhone)',
    appType: 'mobile',
  })
  const id = session?.id ?? ''
  const mine = async () => (await bearing(SessionService, accessToken).listMySessions({})).data.map(one => one.id)
  assert.ok((await mine()).includes(id))
  const enter = (userAgent: string) =>
    host
      .as(LegacySignIn)
      .login({ type: 'mobile', email: own.email, password }, { headers: { 'user-agent': userAgent } })
  assert.is((await refusal(enter('OtherApp/1.0 (Android)'))).info.msg, 'MSG_624')
  await bearing(SessionService, accessToken).endMySession({ id })
  assert.not.ok((await mine()).includes(id))
  await enter('OtherApp/1.0 (Android)')
  await bearing(MemberSessions, accessToken).createSession({ memberId, appType: 'dashboard' })
  await host.client(LegacyAccounts).deleteEcosystemAccounts({ ecosystemId: own.hotelId })
  const left = await authSql.query('select count(*) as kept from sessions where member_id = ?', [memberId])
  assert.equal(left[0], [{ kept: 0 }])
})

test('a hotel’s administrator invites a colleague here, who accepts and signs in to both versions', async () => {
  const { member: added } = await host.client(HotelMemberService).addHotelMember({
    hotelId,
    email: 'grace@hotel.example',
    firstName: 'Grace',
    lastName: 'Hopper',
    isAdmin: true,
    dashboardAccess: true,
  })
  assert.ok(added)
  const { accessToken: chiefs } = await signIn.login(chief)
  // A second invitation renews the hotel's own, which reveals its token to the test.
  const again = { email: 'grace@hotel.example', workspaceId, workspaceRole: 'admin' }
  const renewed = await bearing(OnboardingService, chiefs).invite(again)
  const grace = await users.signUp({ token: renewed.invitation?.token ?? '', password })
  const mine = bearing(InvitationService, grace.accessToken)
  const { invitation } = await mine.sendInvitation({ email: 'alan@hotel.example', role: 'member', workspaceId })
  assert.is(invitation?.status, 'pending')
  const unknownRole = mine.sendInvitation({ email: 'x@hotel.example', role: 'nothing', workspaceId })
  assert.equal((await refusal(unknownRole)).info.violations[0]?.path, 'role')
  await mine.revokeInvitation({ id: invitation?.id ?? '' })
  assert.is((await mine.listInvitations({ status: 'revoked' })).meta?.total, 1)
  const legacy = await host.as(LegacySignIn).login({ type: 'dashboard', email: 'grace@hotel.example', password })
  const claims = host.tokens.verify(legacy.accessToken)
  assert.equal([claims?.['hotelId'], claims?.workspaceId], [hotelId, workspaceId])
})

test('a new name reaches the member, a former member is refused at once, and a deleted account is unknown', async () => {
  const { accessToken: chiefs } = await signIn.login(chief)
  const email = 'leaving@hotel.example'
  const { invitation } = await bearing(OnboardingService, chiefs).invite({ email, workspaceId })
  const { accessToken, user } = await users.signUp({ token: invitation?.token ?? '', password, firstName: 'Old' })
  const me = bearing(UserService, accessToken)
  const changed = await me.updateMe({ updateMask: { paths: ['first_name'] }, firstName: 'New' })
  assert.is(changed.user?.firstName, 'New')
  const { profile } = await host.client(ProfileService).getProfile({ userId: user?.id ?? '' })
  assert.is(profile?.firstname, 'New')
  const seen = () => statusOf(bearing(WorkspaceService, accessToken).getWorkspace({ id: workspaceId }))
  assert.is(await seen(), 200)
  await bearing(WorkspaceMemberService, accessToken).leaveWorkspace({ id: workspaceId })
  assert.is(await seen(), 403)
  await me.deleteMe({ password })
  assert.is((await refusal(signIn.login({ email, password }))).info.status, 401)
})

test('the only administrator of a workspace cannot delete their account before there is another', async () => {
  const { workspace } = await host
    .client(HotelWorkspaceService)
    .createHotelWorkspace({ hotelId: newId(), name: 'Le Sémaphore' })
  const { accessToken: chiefs } = await signIn.login(chief)
  const invited = async (email: string) => {
    const request = { email, workspaceId: workspace?.id ?? '', workspaceRole: 'admin' }
    const { invitation } = await bearing(OnboardingService, chiefs).invite(request)
    const { accessToken } = await users.signUp({ token: invitation?.token ?? '', password })
    return bearing(UserService, accessToken)
  }
  const first = await invited('first.admin@hotel.example')
  const { info, rawMessage } = await refusal(first.deleteMe({ password }))
  assert.equal([info.status, rawMessage], [409, 'Appoint another administrator first: Le Sémaphore'])
  assert.is((await first.getMe({})).user?.email, 'first.admin@hotel.example')
  const second = await invited('second.admin@hotel.example')
  const gone = await Promise.allSettled([first.deleteMe({ password }), second.deleteMe({ password })])
  assert.equal(gone.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const left = gone[0]?.status === 'rejected' ? first : second
  // The member service learns of the deletion by an event, but refuses to let the other administrator go at once.
  assert.is((await refusal(left.deleteMe({ password }))).info.status, 409)
  const { user } = await left.getMe({})
  assert.is(user?.isActive, true)
  const third = await invited('third.admin@hotel.example')
  await left.deleteMe({ password })
  assert.is((await refusal(third.deleteMe({ password }))).info.status, 409)
})

test('a person whose hotel was deleted signs up for another one with the same address, once invited', async () => {
  const { accessToken: chiefs } = await signIn.login(chief)
  const former = newId()
  const { workspace: closing } = await host
    .client(HotelWorkspaceService)
    .createHotelWorkspace({ hotelId: former, name: 'Le Bouchon' })
  const email = 'hired@hotel.example'
  const invited = async (to: string) => {
    const { invitation } = await bearing(OnboardingService, chiefs).invite({ email, workspaceId: to })
    return invitation?.token ?? ''
  }
  const before = await users.signUp({ token: await invited(closing?.id ?? ''), password })
  const { userIds } = await host.client(HotelMemberService).deactivateHotelMembers({ hotelId: former })
  assert.equal(userIds, [before.user?.id])
  await host.client(AccountService).deactivateUsers({ userIds })
  const token = await invited(workspaceId)
  const own = 'hired horse 91'
  // The sender of the invitation has its token too, so the password is set with a link mailed to the address.
  assert.is(await statusOf(users.signUp({ token, password: own })), 409)
  assert.is(await statusOf(signIn.login({ email, password: own })), 401)
  const mail = await eventually(() => mailbox.mails.find(one => one.to === email && one.slug === 'account_claim'))
  await host.as(PasswordService).resetPassword({ token: mail.variables['token'] ?? '', password: own })
  assert.is(await statusOf(signIn.login({ email, password })), 401)
  const back = await signIn.login({ email, password: own })
  const { user } = await bearing(InvitationService, back.accessToken).acceptInvitation({ token })
  assert.equal([user?.id, user?.memberId, user?.workspaceId], [before.user?.id, before.user?.memberId, workspaceId])
  const { accessToken } = await signIn.login({ email, password: own })
  const seen = (id: string) => statusOf(bearing(WorkspaceService, accessToken).getWorkspace({ id }))
  assert.equal([await seen(workspaceId), await seen(closing?.id ?? '')], [200, 403])
  // Credentials can't be created there any more either.
  const asked = bearing(CredentialService, chiefs).createCredential({ ecosystemId: former, permissions: [] })
  assert.is(await statusOf(asked), 409)
})

/** Invites the owner of an existing account, who accepts. */
async function comeInto(chiefs: string, workspaceId: string, person: { email: string; userId: string }): Promise<void> {
  const { invitation } = await bearing(OnboardingService, chiefs).invite({ email: person.email, workspaceId })
  await acceptFor(host, invitation?.token, person)
}

test('a person no longer inactive with a deleted hotel gets their account back, in every way and once', async () => {
  const { accessToken: chiefs } = await signIn.login(chief)
  const [hotels, accounts] = [host.client(HotelMemberService), host.client(AccountService)]
  const openHotel = async (name: string) => {
    const opened = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: newId(), name })
    return { hotelId: opened.workspace?.ecosystemId ?? '', workspaceId: opened.workspace?.id ?? '' }
  }
  const [former, next, also] = [await openHotel('Le Musoir'), await openHotel('La Jetée'), await openHotel('Le Môle')]
  const signUp = async (email: string) => {
    const invite = { email, workspaceId: former.workspaceId }
    const { invitation } = await bearing(OnboardingService, chiefs).invite(invite)
    const { user } = await users.signUp({ token: invitation?.token ?? '', password })
    return { email, userId: user?.id ?? '', id: user?.memberId ?? '' }
  }
  const created = await signUp('created@musoir.example')
  const added = await signUp('added@musoir.example')
  const started = await signUp('started@musoir.example')
  const stopped = await signUp('stopped@musoir.example')
  const people = [created, added, started, stopped]
  const isOn = async ({ userId }: { userId: string }) => (await accounts.getAccountState({ userId })).isActive
  const closeDown = async ({ hotelId }: { hotelId: string }) => {
    const { userIds } = await hotels.deactivateHotelMembers({ hotelId })
    await accounts.deactivateUsers({ userIds })
  }
  await closeDown(former)
  assert.equal(await Promise.all(people.map(isOn)), [false, false, false, false])
  const letIn = bearing(MemberService, chiefs)
  const { email } = created
  // One member accepts the invitations of two hotels at once; another accepts one of these.
  await Promise.all([next, also].map(({ workspaceId }) => comeInto(chiefs, workspaceId, created)))
  await comeInto(chiefs, next.workspaceId, added)
  const set = ({ id }: { id: string }, isActive: boolean) =>
    letIn.updateMember({ id, isActive, updateMask: { paths: ['is_active'] } })
  await set(started, true)
  await set(stopped, false)
  for (const person of people) await eventually(() => isOn(person))
  // With its former password.
  assert.is((await signIn.login({ email, password })).user?.memberId, created.id)
  const ended = async () => {
    const [rows] = await sql.query<RowDataPacket[]>(
      "select id, body from outbox where subject = 'platform.member.rest_ended'",
    )
    return people.map(({ id }) => rows.filter(row => String(row['body']).includes(id)))
  }
  const told = await ended()
  assert.equal(
    told.map(({ length }) => length),
    [1, 1, 1, 1],
  )
  // The event of the first rest arrives again while they rest once more: they stay locked out.
  await closeDown(next)
  await closeDown(also)
  assert.is(await isOn(created), false)
  await accounts.reactivateUsers({ userIds: [created.userId] })
  await host.bus.publish('platform.member.rest_ended', String(told[0]?.[0]?.['body']), { id: newId() })
  await eventually(async () => !(await isOn(created)))
  // Activating by hand enables the account even when no rest is recorded.
  await accounts.deactivateUsers({ userIds: [stopped.userId] })
  await set(stopped, true)
  await eventually(() => isOn(stopped))
})

test('deleting an ecosystem deletes the accounts of its people, except those who work elsewhere', async () => {
  const { accessToken: chiefs } = await signIn.login(chief)
  const { workspace: closing } = await host
    .client(HotelWorkspaceService)
    .createHotelWorkspace({ hotelId: newId(), name: 'Le Récif' })
  const signUp = async (email: string, ...others: string[]) => {
    const request = { email, workspaceId: closing?.id ?? '' }
    const { invitation } = await bearing(OnboardingService, chiefs).invite(request)
    const { user } = await users.signUp({ token: invitation?.token ?? '', password })
    const userId = user?.id ?? ''
    for (const to of others) await comeInto(chiefs, to, { email, userId })
    return userId
  }
  const here = await signUp('here@recif.example')
  const both = await signUp('both@recif.example', workspaceId)
  const ecosystemId = closing?.ecosystemId ?? ''
  const counts = await host.client(LegacyAccounts).deleteEcosystemAccounts({ ecosystemId })
  assert.equal([counts.deletedUsers, counts.keptUsers], [1, 1])
  const states = [here, both].map(userId => host.client(AccountService).getAccountState({ userId }))
  assert.equal(
    (await Promise.all(states)).map(({ isActive }) => isActive),
    [false, true],
  )
})

test('an ecosystem credential can do what it carries of its owner’s rights, in its ecosystem only', async () => {
  const { accessToken, user } = await signIn.login({ email: 'ada@hotel.example', password })
  const names = { email: 'ada@hotel.example', firstName: 'Ada', lastName: 'Byron' }
  await host.client(HotelMemberService).addHotelMember({ hotelId, ...names, isAdmin: true })
  const credentials = bearing(CredentialService, accessToken)
  const made = await eventually(() =>
    credentials.createCredential({ ecosystemId: hotelId, permissions: ['view_members'] }).catch(() => undefined),
  )
  const headers = { 'x-api-key': made.apiKey, 'x-api-secret': made.apiSecret }
  const wide = await credentials.createCredential({ ecosystemId: hotelId, permissions: ['manage_ecosystem'] })
  const all = { 'x-api-key': wide.apiKey, 'x-api-secret': wide.apiSecret }
  const workspaces = host.as(WorkspaceService)
  const shown = await workspaces.getWorkspace({ id: workspaceId }, { headers })
  assert.is(shown.workspace?.id, workspaceId)
  const invite = host.as(OnboardingService).invite({ email: 'x@hotel.example', workspaceId }, { headers })
  assert.equal((await refusal(invite)).rawMessage, 'Permission denied')
  for (const call of [
    users.getMe({}, { headers }),
    host.as(CredentialService).listCredentials({ ecosystemId: hotelId }, { headers: all }),
  ])
    assert.is((await refusal(call)).info.status, 403)
  const other = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId: newId(), name: 'Autre' })
  const foreign = await refusal(workspaces.getWorkspace({ id: other.workspace?.id ?? '' }, { headers }))
  assert.equal([foreign.info.status, foreign.rawMessage], [403, 'Workspace access denied'])
  const chiefs = bearing(CredentialService, (await signIn.login(chief)).accessToken)
  const lent = await chiefs.createCredential({ ecosystemId: hotelId, permissions: ['view_members'] })
  const lentHeaders = { 'x-api-key': lent.apiKey, 'x-api-secret': lent.apiSecret }
  const statuses = await Promise.all([
    statusOf(workspaces.getWorkspace({ id: workspaceId }, { headers: lentHeaders })),
    statusOf(workspaces.getWorkspace({ id: other.workspace?.id ?? '' }, { headers: lentHeaders })),
    statusOf(host.as(OnboardingService).invite({ email: 'x@hotel.example', workspaceId }, { headers: lentHeaders })),
    statusOf(users.getMe({}, { headers: lentHeaders })),
  ])
  assert.equal(statuses, [200, 403, 403, 403])
  const asked = (id: string, permissions: string[]) =>
    refusal(chiefs.createCredential({ ecosystemId: id, permissions })).then(({ info }) => [
      info.status,
      ...info.violations.map(({ path }) => path),
    ])
  assert.equal(await asked(newId(), ['x']), [400, 'ecosystemId'])
  // A word that is no permission grants nothing, also when a permission of that name is created later.
  const misnamed = ['view_members', 'read:é', 'manage_ecosystem', 'later']
  const create = () => chiefs.createCredential({ ecosystemId: hotelId, permissions: misnamed })
  const granted = async ({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) =>
    (await host.client(AccountService).verifyCredential({ apiKey, apiSecret })).permissions
  const early = await create()
  assert.equal(early.permissions, misnamed)
  const { accessToken: chiefToken } = await signIn.login(chief)
  const permission = { slug: 'later', name: 'Later', category: 'content', resource: 'page', action: 'read' }
  await bearing(PermissionService, chiefToken).createPermission(permission)
  assert.equal(await granted(early), ['view_members', 'manage_ecosystem'])
  assert.equal(await granted(await create()), ['view_members', 'manage_ecosystem', 'later'])
  const { data } = await chiefs.listCredentials({ ecosystemId: hotelId })
  assert.equal(data.find(one => one.id === early.id)?.permissions, misnamed)
  const wrong = { ...headers, 'x-api-secret': `${made.apiSecret}x` }
  assert.is((await refusal(workspaces.getWorkspace({ id: workspaceId }, { headers: wrong }))).info.status, 401)
  await credentials.revokeCredential({ id: made.id })
  await eventually(async () => {
    return (await statusOf(workspaces.getWorkspace({ id: workspaceId }, { headers }))) === 401
  })
  assert.ok(user)
})

test.run()
