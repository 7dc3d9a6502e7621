import type { RowDataPacket } from 'mysql2/promise'
import { SessionService as MemberSessions } from '../../gen/platform/member/v1/sessions_pb.ts'
import { password } from '../../test/kit/auth/auth.ts'
import { authWithMember } from '../../test/kit/auth/with-member.ts'
import { assert, eventually, isRefused, refusal, statusOf, suite } from '../../test/kit/kit.ts'
import { acceptFor, someAddress } from '../../test/kit/member.ts'
import { testPool } from '../../test/kit/sql.ts'
import { newId } from '../kernel/base/ids.ts'

const test = suite('authentication beside the member service')
const { host, mailbox, root, hotelId, workspaceId, openHotel, invite, person, anonymous, asService, withToken } =
  await authWithMember(test)
const sql = testPool(host.databaseUrl('member'))
const authSql = testPool(host.databaseUrl('auth'))
const signIn = anonymous.signIn
const users = anonymous.users

test.after(async () => {
  await sql.end()
  await authSql.end()
})

test('the bootstrap administrator is an administrator in the member service once the process has started', async () => {
  const { profile } = await asService.profiles.getProfile({ userId: host.tokens.verify(root)?.userId ?? '' })
  assert.ok(profile?.isSuperAdmin)
  assert.ok(await invite('first@hotel.example'))
})

test('the bootstrap administrator opens the platform again after they deleted their account', async () => {
  const credentials = { email: someAddress(), password }
  await asService.accounts.ensureAdministrator(credentials)
  const before = await signIn.login(credentials)
  await withToken(before.accessToken).users.deleteMe({ password })
  const memberOf = async () => (await asService.profiles.getProfile({ email: credentials.email })).profile
  await eventually(async () => (await memberOf())?.isActive === false)
  await asService.accounts.ensureAdministrator(credentials)
  const { accessToken } = await signIn.login(credentials)
  assert.is((await memberOf())?.isActive, true)
  await withToken(accessToken).members.listMembers({})
})

test('an invitation of the member service leads to an account, a member and a token with the workspace', async () => {
  const email = 'ada@hotel.example'
  const request = { email, firstName: 'Ada', workspaceId, workspaceRole: 'admin' }
  const { invitation } = await withToken(root).onboarding.invite(request)
  const token = invitation?.token ?? ''
  const answer = await users.signUp({ token, password, lastName: 'Byron' })
  assert.equal([answer.user?.firstName, answer.user?.lastName], ['Ada', 'Byron'])
  const claims = host.tokens.verify((await signIn.login({ email, password })).accessToken)
  assert.is(claims?.workspaceId, workspaceId)
  assert.equal(claims?.roles, ['admin'])
  assert.ok(claims?.permissions.includes('invite_members'))
  assert.is(claims?.memberId, answer.user?.memberId)
  await isRefused(users.signUp({ token, password }), 409)
})

test('who accepts with an own account keeps its names, whichever way they accept', async () => {
  const accept = {
    'the member service': (token: string, bearer: string) => withToken(bearer).onboarding.acceptInvitation({ token }),
    'the authentication service': (token: string, bearer: string) =>
      withToken(bearer).invitations.acceptInvitation({ token }),
  }
  for (const [way, acceptOver] of Object.entries(accept)) {
    const email = someAddress()
    await signIn.register({ email, password, firstName: 'Grace', lastName: 'Hopper' })
    const { accessToken } = await signIn.login({ email, password })
    await acceptOver(await invite(email), accessToken)
    const { user } = await withToken(accessToken).users.getMe({})
    assert.equal([user?.firstName, user?.lastName], ['Grace', 'Hopper'], way)
  }
})

test('a person switched off by the platform accepts an invitation, also twice, and stays without a workspace', async () => {
  const { email, accessToken, id } = await person()
  await withToken(root).members.updateMember({ id, isActive: false, updateMask: { paths: ['is_active'] } })
  const token = await invite(email, await openHotel('La Passe'))
  for (const call of [1, 2]) {
    const answer = await withToken(accessToken).invitations.acceptInvitation({ token })
    assert.equal([answer.user?.email, answer.user?.workspaceId], [email, undefined], `call ${call}`)
    assert.is(await statusOf(withToken(answer.accessToken).users.getMe({})), 200)
  }
})

test('an invitation whose sender was deleted leaves no account behind, and the next one is accepted', async () => {
  const sender = await person(undefined, { workspaceRole: 'admin' })
  const email = someAddress()
  const { invitation } = await withToken(sender.accessToken).onboarding.invite({ email, workspaceId })
  await withToken(root).members.deleteMember({ id: sender.id })
  const token = invitation?.token ?? ''
  await isRefused(users.signUp({ token, password }), 410)
  await isRefused(signIn.login({ email, password }), 401)
  const { user } = await users.signUp({ token: await invite(email), password })
  assert.is(user?.email, email)
})

test('two simultaneous sign-ups create one account and one member', async () => {
  const token = await invite(someAddress())
  const both = await Promise.all([users.signUp({ token, password }), users.signUp({ token, password })])
  assert.is(both[0].user?.id, both[1].user?.id)
  assert.is(both[0].user?.memberId, both[1].user?.memberId)
})

test('a session recorded for a member belongs to their account: it is listed, in use, and ended with the hotel', async () => {
  const hotel = await openHotel('Le Cap')
  const { email, accessToken, id: memberId } = await person(undefined, { workspaceId: hotel.workspaceId })
  const { session } = await host.bearing(MemberSessions, accessToken).createSession({
    memberId,
    userAgent: 'HotelApp/3.1 (iPhone)',
    appType: 'mobile',
  })
  const id = session?.id ?? ''
  const listOwnSessions = async () => (await withToken(accessToken).sessions.listMySessions({})).data.map(one => one.id)
  assert.ok((await listOwnSessions()).includes(id))
  const enter = (userAgent: string) =>
    anonymous.legacySignIn.login({ type: 'mobile', email, password }, { headers: { 'user-agent': userAgent } })
  await isRefused(enter('OtherApp/1.0 (Android)'), 409, 'MSG_624')
  await withToken(accessToken).sessions.endMySession({ id })
  assert.not.ok((await listOwnSessions()).includes(id))
  await enter('OtherApp/1.0 (Android)')
  await host.bearing(MemberSessions, accessToken).createSession({ memberId, appType: 'dashboard' })
  await asService.legacyAccounts.deleteEcosystemAccounts({ ecosystemId: hotel.hotelId })
  const remainingSessions = await authSql.query('select count(*) as kept from sessions where member_id = ?', [memberId])
  assert.equal(remainingSessions[0], [{ kept: 0 }])
})

test('a hundred sessions of a member are recorded in an hour', async () => {
  const { accessToken, id: memberId } = await person()
  const record = () => host.bearing(MemberSessions, accessToken).createSession({ memberId, appType: 'mobile' })
  for (let n = 0; n < 100; n++) await record()
  await isRefused(record(), 429)
})

test('a hotel’s administrator invites a colleague here, who accepts and signs in to both versions', async () => {
  const { member: newMember } = await asService.hotelMembers.addHotelMember({
    hotelId,
    email: 'grace@hotel.example',
    firstName: 'Grace',
    lastName: 'Hopper',
    isAdmin: true,
    dashboardAccess: true,
  })
  assert.ok(newMember)
  // A second invitation renews the hotel's own, which reveals its token to the test.
  const grace = await person('grace@hotel.example', { workspaceRole: 'admin' })
  const ownInvitations = withToken(grace.accessToken).invitations
  const { invitation } = await ownInvitations.sendInvitation({
    email: 'alan@hotel.example',
    role: 'member',
    workspaceId,
  })
  assert.is(invitation?.status, 'pending')
  const unknownRole = ownInvitations.sendInvitation({ email: 'x@hotel.example', role: 'nothing', workspaceId })
  assert.equal((await refusal(unknownRole)).info.violations[0]?.path, 'role')
  await ownInvitations.revokeInvitation({ id: invitation?.id ?? '' })
  assert.is((await ownInvitations.listInvitations({ status: 'revoked' })).meta?.total, 1)
  const legacy = await anonymous.legacySignIn.login({ type: 'dashboard', email: 'grace@hotel.example', password })
  const claims = host.tokens.verify(legacy.accessToken)
  assert.equal([claims?.['hotelId'], claims?.workspaceId], [hotelId, workspaceId])
})

test('a new name reaches the member, a former member is refused at once, and a deleted account is unknown', async () => {
  const { email, accessToken, userId } = await person(undefined, {}, 'Old')
  const me = withToken(accessToken).users
  const answer = await me.updateMe({ updateMask: { paths: ['first_name'] }, firstName: 'New' })
  assert.is(answer.user?.firstName, 'New')
  const { profile } = await asService.profiles.getProfile({ userId })
  assert.is(profile?.firstname, 'New')
  const readWorkspace = () => statusOf(withToken(accessToken).workspaces.getWorkspace({ id: workspaceId }))
  assert.is(await readWorkspace(), 200)
  await withToken(accessToken).memberships.leaveWorkspace({ id: workspaceId })
  assert.is(await readWorkspace(), 403)
  await me.deleteMe({ password })
  await isRefused(signIn.login({ email, password }), 401)
})

test('the only administrator of a workspace cannot delete their account before there is another', async () => {
  const { workspaceId: soleWorkspaceId } = await openHotel('Le Sémaphore')
  const inviteAdmin = async (email: string) => {
    const { accessToken } = await person(email, { workspaceId: soleWorkspaceId, workspaceRole: 'admin' })
    return withToken(accessToken).users
  }
  const first = await inviteAdmin('first.admin@hotel.example')
  const { info, rawMessage } = await refusal(first.deleteMe({ password }))
  assert.equal([info.status, rawMessage], [409, 'Appoint another administrator first: Le Sémaphore'])
  assert.is((await first.getMe({})).user?.email, 'first.admin@hotel.example')
  const second = await inviteAdmin('second.admin@hotel.example')
  const deletions = await Promise.allSettled([first.deleteMe({ password }), second.deleteMe({ password })])
  assert.equal(deletions.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const remainingAdmin = deletions[0]?.status === 'rejected' ? first : second
  // The member service learns of the deletion by an event, but refuses to let the other administrator go at once.
  await isRefused(remainingAdmin.deleteMe({ password }), 409)
  const { user } = await remainingAdmin.getMe({})
  assert.is(user?.isActive, true)
  const third = await inviteAdmin('third.admin@hotel.example')
  await remainingAdmin.deleteMe({ password })
  await isRefused(third.deleteMe({ password }), 409)
})

test('a person whose hotel was deleted signs up for another one with the same address, once invited', async () => {
  const closing = await openHotel('Le Bouchon')
  const { email, userId, id: memberId } = await person(undefined, { workspaceId: closing.workspaceId })
  const { userIds } = await asService.hotelMembers.deactivateHotelMembers({ hotelId: closing.hotelId, isDeleted: true })
  assert.equal(userIds, [userId])
  await asService.accounts.deactivateUsers({ userIds })
  const token = await invite(email)
  const chosenPassword = 'hired horse 91'
  // The sender of the invitation has its token too, so the password is set with a link mailed to the address.
  assert.is(await statusOf(users.signUp({ token, password: chosenPassword })), 409)
  assert.is(await statusOf(signIn.login({ email, password: chosenPassword })), 401)
  const mail = await eventually(() => mailbox.mails.find(one => one.to === email && one.slug === 'account_claim'))
  await anonymous.passwords.resetPassword({ token: mail.variables['token'] ?? '', password: chosenPassword })
  assert.is(await statusOf(signIn.login({ email, password })), 401)
  const session = await signIn.login({ email, password: chosenPassword })
  const { user } = await withToken(session.accessToken).invitations.acceptInvitation({ token })
  assert.equal([user?.id, user?.memberId, user?.workspaceId], [userId, memberId, workspaceId])
  const { accessToken } = await signIn.login({ email, password: chosenPassword })
  const readWorkspace = (id: string) => statusOf(withToken(accessToken).workspaces.getWorkspace({ id }))
  assert.equal([await readWorkspace(workspaceId), await readWorkspace(closing.workspaceId)], [200, 403])
  // Credentials can't be created there any more either.
  const creation = withToken(root).credentials.createCredential({ ecosystemId: closing.hotelId, permissions: [] })
  assert.is(await statusOf(creation), 409)
})

/** Invites the owner of an existing account, who accepts. */
const join = async (workspaceId: string, owner: { email: string; userId: string }) =>
  acceptFor(host, await invite(owner.email, { workspaceId }), owner)

test('a person no longer inactive with a deleted hotel gets their account back, in every way and once', async () => {
  const [hotels, accounts] = [asService.hotelMembers, asService.accounts]
  const [former, next, also] = [await openHotel('Le Musoir'), await openHotel('La Jetée'), await openHotel('Le Môle')]
  const signUp = () => person(undefined, { workspaceId: former.workspaceId })
  const [twoHotelMember, oneHotelMember, activatedMember, deactivatedMember] = [
    await signUp(),
    await signUp(),
    await signUp(),
    await signUp(),
  ]
  const people = [twoHotelMember, oneHotelMember, activatedMember, deactivatedMember]
  const isOn = async ({ userId }: { userId: string }) => (await accounts.getAccountState({ userId })).isActive
  const closeDown = async ({ hotelId }: { hotelId: string }) => {
    const { userIds } = await hotels.deactivateHotelMembers({ hotelId, isDeleted: true })
    await accounts.deactivateUsers({ userIds })
  }
  await closeDown(former)
  assert.equal(await Promise.all(people.map(isOn)), [false, false, false, false])
  const letIn = withToken(root).members
  const { email } = twoHotelMember
  // One member accepts the invitations of two hotels at once; another accepts one of these.
  await Promise.all([next, also].map(({ workspaceId }) => join(workspaceId, twoHotelMember)))
  await join(next.workspaceId, oneHotelMember)
  const set = ({ id }: { id: string }, isActive: boolean) =>
    letIn.updateMember({ id, isActive, updateMask: { paths: ['is_active'] } })
  await set(activatedMember, true)
  await set(deactivatedMember, false)
  for (const person of people) await eventually(() => isOn(person))
  // With its former password.
  assert.is((await signIn.login({ email, password })).user?.memberId, twoHotelMember.id)
  const loadEvents = async () => {
    const [rows] = await sql.query<RowDataPacket[]>(
      "select id, body from outbox where subject = 'platform.member.rest_ended'",
    )
    return people.map(({ id }) => rows.filter(row => String(row['body']).includes(id)))
  }
  const events = await loadEvents()
  assert.equal(
    events.map(({ length }) => length),
    [1, 1, 1, 1],
  )
  // The event of the first rest arrives again while they rest once more: they stay locked out.
  await closeDown(next)
  await closeDown(also)
  assert.is(await isOn(twoHotelMember), false)
  await accounts.reactivateUsers({ userIds: [twoHotelMember.userId] })
  await host.bus.publish('platform.member.rest_ended', String(events[0]?.[0]?.['body']), { id: newId() })
  await eventually(async () => !(await isOn(twoHotelMember)))
  // Activating by hand enables the account even when no rest is recorded.
  await accounts.deactivateUsers({ userIds: [deactivatedMember.userId] })
  await set(deactivatedMember, true)
  await eventually(() => isOn(deactivatedMember))
})

test('deleting an ecosystem deletes the accounts of its people, except those who work elsewhere', async () => {
  const closing = await openHotel('Le Récif')
  const signUp = () => person(undefined, { workspaceId: closing.workspaceId })
  const [formerMember, sharedMember] = [await signUp(), await signUp()]
  await join(workspaceId, sharedMember)
  const counts = await asService.legacyAccounts.deleteEcosystemAccounts({ ecosystemId: closing.hotelId })
  assert.equal([counts.deletedUsers, counts.keptUsers], [1, 1])
  const states = [formerMember, sharedMember].map(({ userId }) => asService.accounts.getAccountState({ userId }))
  assert.equal(
    (await Promise.all(states)).map(({ isActive }) => isActive),
    [false, true],
  )
})

test('an ecosystem credential can do what it carries of its owner’s rights, in its ecosystem only', async () => {
  const { accessToken } = await signIn.login({ email: 'ada@hotel.example', password })
  const names = { email: 'ada@hotel.example', firstName: 'Ada', lastName: 'Byron' }
  await asService.hotelMembers.addHotelMember({ hotelId, ...names, isAdmin: true })
  const credentials = withToken(accessToken).credentials
  const credential = await eventually(() =>
    credentials.createCredential({ ecosystemId: hotelId, permissions: ['view_members'] }).catch(() => undefined),
  )
  const headers = { 'x-api-key': credential.apiKey, 'x-api-secret': credential.apiSecret }
  const wide = await credentials.createCredential({ ecosystemId: hotelId, permissions: ['manage_ecosystem'] })
  const all = { 'x-api-key': wide.apiKey, 'x-api-secret': wide.apiSecret }
  const workspaces = anonymous.workspaces
  const answer = await workspaces.getWorkspace({ id: workspaceId }, { headers })
  assert.is(answer.workspace?.id, workspaceId)
  const invitation = anonymous.onboarding.invite({ email: 'x@hotel.example', workspaceId }, { headers })
  assert.equal((await refusal(invitation)).rawMessage, 'Permission denied')
  for (const call of [
    users.getMe({}, { headers }),
    anonymous.credentials.listCredentials({ ecosystemId: hotelId }, { headers: all }),
  ])
    await isRefused(call, 403)
  const other = await openHotel('Autre')
  const foreign = await refusal(workspaces.getWorkspace({ id: other.workspaceId }, { headers }))
  assert.equal([foreign.info.status, foreign.rawMessage], [403, 'Workspace access denied'])
  const chiefs = withToken(root).credentials
  const lent = await chiefs.createCredential({ ecosystemId: hotelId, permissions: ['view_members'] })
  const lentHeaders = { 'x-api-key': lent.apiKey, 'x-api-secret': lent.apiSecret }
  const statuses = await Promise.all([
    statusOf(workspaces.getWorkspace({ id: workspaceId }, { headers: lentHeaders })),
    statusOf(workspaces.getWorkspace({ id: other.workspaceId }, { headers: lentHeaders })),
    statusOf(anonymous.onboarding.invite({ email: 'x@hotel.example', workspaceId }, { headers: lentHeaders })),
    statusOf(users.getMe({}, { headers: lentHeaders })),
  ])
  assert.equal(statuses, [200, 403, 403, 403])
  const failCreation = (id: string, permissions: string[]) =>
    refusal(chiefs.createCredential({ ecosystemId: id, permissions })).then(({ info }) => [
      info.status,
      ...info.violations.map(({ path }) => path),
    ])
  assert.equal(await failCreation(newId(), ['x']), [400, 'ecosystemId'])
  // A word that is no permission grants nothing, also when a permission of that name is created later.
  const misnamed = ['view_members', 'read:é', 'manage_ecosystem', 'later']
  const create = () => chiefs.createCredential({ ecosystemId: hotelId, permissions: misnamed })
  const granted = async ({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) =>
    (await asService.accounts.verifyCredential({ apiKey, apiSecret })).permissions
  const earlyCredential = await create()
  assert.equal(earlyCredential.permissions, misnamed)
  const permission = { slug: 'later', name: 'Later', category: 'content', resource: 'page', action: 'read' }
  await withToken(root).permissions.createPermission(permission)
  assert.equal(await granted(earlyCredential), ['view_members', 'manage_ecosystem'])
  assert.equal(await granted(await create()), ['view_members', 'manage_ecosystem', 'later'])
  const { data } = await chiefs.listCredentials({ ecosystemId: hotelId })
  assert.equal(data.find(one => one.id === earlyCredential.id)?.permissions, misnamed)
  const wrong = { ...headers, 'x-api-secret': `${credential.apiSecret}x` }
  await isRefused(workspaces.getWorkspace({ id: workspaceId }, { headers: wrong }), 401)
  await credentials.revokeCredential({ id: credential.id })
  await eventually(async () => {
    return (await statusOf(workspaces.getWorkspace({ id: workspaceId }, { headers }))) === 401
  })
})

test.run()
