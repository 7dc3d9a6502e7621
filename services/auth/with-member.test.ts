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
  const who = { email: someAddress(), password }
  await asService.accounts.ensureAdministrator(who)
  const before = await signIn.login(who)
  await withToken(before.accessToken).users.deleteMe({ password })
  const memberOf = async () => (await asService.profiles.getProfile({ email: who.email })).profile
  await eventually(async () => (await memberOf())?.isActive === false)
  await asService.accounts.ensureAdministrator(who)
  const { accessToken } = await signIn.login(who)
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
  const mine = async () => (await withToken(accessToken).sessions.listMySessions({})).data.map(one => one.id)
  assert.ok((await mine()).includes(id))
  const enter = (userAgent: string) =>
    anonymous.legacySignIn.login({ type: 'mobile', email, password }, { headers: { 'user-agent': userAgent } })
  await isRefused(enter('OtherApp/1.0 (Android)'), 409, 'MSG_624')
  await withToken(accessToken).sessions.endMySession({ id })
  assert.not.ok((await mine()).includes(id))
  await enter('OtherApp/1.0 (Android)')
  await host.bearing(MemberSessions, accessToken).createSession({ memberId, appType: 'dashboard' })
  await asService.legacyAccounts.deleteEcosystemAccounts({ ecosystemId: hotel.hotelId })
  const left = await authSql.query('select count(*) as kept from sessions where member_id = ?', [memberId])
  assert.equal(left[0], [{ kept: 0 }])
})

test('a hotel’s administrator invites a colleague here, who accepts and signs in to both versions', async () => {
  const { member: added } = await asService.hotelMembers.addHotelMember({
    hotelId,
    email: 'grace@hotel.example',
    firstName: 'Grace',
    lastName: 'Hopper',
    isAdmin: true,
    dashboardAccess: true,
  })
  assert.ok(added)
  // A second invitation renews the hotel's own, which reveals its token to the test.
  const grace = await person('grace@hotel.example', { workspaceRole: 'admin' })
  const mine = withToken(grace.accessToken).invitations
  const { invitation } = await mine.sendInvitation({ email: 'alan@hotel.example', role: 'member', workspaceId })
  assert.is(invitation?.status, 'pending')
  const unknownRole = mine.sendInvitation({ email: 'x@hotel.example', role: 'nothing', workspaceId })
  assert.equal((await refusal(unknownRole)).info.violations[0]?.path, 'role')
  await mine.revokeInvitation({ id: invitation?.id ?? '' })
  assert.is((await mine.listInvitations({ status: 'revoked' })).meta?.total, 1)
  const legacy = await anonymous.legacySignIn.login({ type: 'dashboard', email: 'grace@hotel.example', password })
  const claims = host.tokens.verify(legacy.accessToken)
  assert.equal([claims?.['hotelId'], claims?.workspaceId], [hotelId, workspaceId])
})

test('a new name reaches the member, a former member is refused at once, and a deleted account is unknown', async () => {
  const { email, accessToken, userId } = await person(undefined, {}, 'Old')
  const me = withToken(accessToken).users
  const changed = await me.updateMe({ updateMask: { paths: ['first_name'] }, firstName: 'New' })
  assert.is(changed.user?.firstName, 'New')
  const { profile } = await asService.profiles.getProfile({ userId })
  assert.is(profile?.firstname, 'New')
  const seen = () => statusOf(withToken(accessToken).workspaces.getWorkspace({ id: workspaceId }))
  assert.is(await seen(), 200)
  await withToken(accessToken).memberships.leaveWorkspace({ id: workspaceId })
  assert.is(await seen(), 403)
  await me.deleteMe({ password })
  await isRefused(signIn.login({ email, password }), 401)
})

test('the only administrator of a workspace cannot delete their account before there is another', async () => {
  const { workspaceId: alone } = await openHotel('Le Sémaphore')
  const invited = async (email: string) => {
    const { accessToken } = await person(email, { workspaceId: alone, workspaceRole: 'admin' })
    return withToken(accessToken).users
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
  await isRefused(left.deleteMe({ password }), 409)
  const { user } = await left.getMe({})
  assert.is(user?.isActive, true)
  const third = await invited('third.admin@hotel.example')
  await left.deleteMe({ password })
  await isRefused(third.deleteMe({ password }), 409)
})

test('a person whose hotel was deleted signs up for another one with the same address, once invited', async () => {
  const closing = await openHotel('Le Bouchon')
  const { email, userId, id: memberId } = await person(undefined, { workspaceId: closing.workspaceId })
  const { userIds } = await asService.hotelMembers.deactivateHotelMembers({ hotelId: closing.hotelId, isDeleted: true })
  assert.equal(userIds, [userId])
  await asService.accounts.deactivateUsers({ userIds })
  const token = await invite(email)
  const own = 'hired horse 91'
  // The sender of the invitation has its token too, so the password is set with a link mailed to the address.
  assert.is(await statusOf(users.signUp({ token, password: own })), 409)
  assert.is(await statusOf(signIn.login({ email, password: own })), 401)
  const mail = await eventually(() => mailbox.mails.find(one => one.to === email && one.slug === 'account_claim'))
  await anonymous.passwords.resetPassword({ token: mail.variables['token'] ?? '', password: own })
  assert.is(await statusOf(signIn.login({ email, password })), 401)
  const back = await signIn.login({ email, password: own })
  const { user } = await withToken(back.accessToken).invitations.acceptInvitation({ token })
  assert.equal([user?.id, user?.memberId, user?.workspaceId], [userId, memberId, workspaceId])
  const { accessToken } = await signIn.login({ email, password: own })
  const seen = (id: string) => statusOf(withToken(accessToken).workspaces.getWorkspace({ id }))
  assert.equal([await seen(workspaceId), await seen(closing.workspaceId)], [200, 403])
  // Credentials can't be created there any more either.
  const asked = withToken(root).credentials.createCredential({ ecosystemId: closing.hotelId, permissions: [] })
  assert.is(await statusOf(asked), 409)
})

/** Invites the owner of an existing account, who accepts. */
const join = async (workspaceId: string, owner: { email: string; userId: string }) =>
  acceptFor(host, await invite(owner.email, { workspaceId }), owner)

test('a person no longer inactive with a deleted hotel gets their account back, in every way and once', async () => {
  const [hotels, accounts] = [asService.hotelMembers, asService.accounts]
  const [former, next, also] = [await openHotel('Le Musoir'), await openHotel('La Jetée'), await openHotel('Le Môle')]
  const signUp = () => person(undefined, { workspaceId: former.workspaceId })
  const [created, added, started, stopped] = [await signUp(), await signUp(), await signUp(), await signUp()]
  const people = [created, added, started, stopped]
  const isOn = async ({ userId }: { userId: string }) => (await accounts.getAccountState({ userId })).isActive
  const closeDown = async ({ hotelId }: { hotelId: string }) => {
    const { userIds } = await hotels.deactivateHotelMembers({ hotelId, isDeleted: true })
    await accounts.deactivateUsers({ userIds })
  }
  await closeDown(former)
  assert.equal(await Promise.all(people.map(isOn)), [false, false, false, false])
  const letIn = withToken(root).members
  const { email } = created
  // One member accepts the invitations of two hotels at once; another accepts one of these.
  await Promise.all([next, also].map(({ workspaceId }) => join(workspaceId, created)))
  await join(next.workspaceId, added)
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
  const closing = await openHotel('Le Récif')
  const signUp = () => person(undefined, { workspaceId: closing.workspaceId })
  const [here, both] = [await signUp(), await signUp()]
  await join(workspaceId, both)
  const counts = await asService.legacyAccounts.deleteEcosystemAccounts({ ecosystemId: closing.hotelId })
  assert.equal([counts.deletedUsers, counts.keptUsers], [1, 1])
  const states = [here, both].map(({ userId }) => asService.accounts.getAccountState({ userId }))
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
  const made = await eventually(() =>
    credentials.createCredential({ ecosystemId: hotelId, permissions: ['view_members'] }).catch(() => undefined),
  )
  const headers = { 'x-api-key': made.apiKey, 'x-api-secret': made.apiSecret }
  const wide = await credentials.createCredential({ ecosystemId: hotelId, permissions: ['manage_ecosystem'] })
  const all = { 'x-api-key': wide.apiKey, 'x-api-secret': wide.apiSecret }
  const workspaces = anonymous.workspaces
  const shown = await workspaces.getWorkspace({ id: workspaceId }, { headers })
  assert.is(shown.workspace?.id, workspaceId)
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
    (await asService.accounts.verifyCredential({ apiKey, apiSecret })).permissions
  const early = await create()
  assert.equal(early.permissions, misnamed)
  const permission = { slug: 'later', name: 'Later', category: 'content', resource: 'page', action: 'read' }
  await withToken(root).permissions.createPermission(permission)
  assert.equal(await granted(early), ['view_members', 'manage_ecosystem'])
  assert.equal(await granted(await create()), ['view_members', 'manage_ecosystem', 'later'])
  const { data } = await chiefs.listCredentials({ ecosystemId: hotelId })
  assert.equal(data.find(one => one.id === early.id)?.permissions, misnamed)
  const wrong = { ...headers, 'x-api-secret': `${made.apiSecret}x` }
  await isRefused(workspaces.getWorkspace({ id: workspaceId }, { headers: wrong }), 401)
  await credentials.revokeCredential({ id: made.id })
  await eventually(async () => {
    return (await statusOf(workspaces.getWorkspace({ id: workspaceId }, { headers }))) === 401
  })
})

test.run()
