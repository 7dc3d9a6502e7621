import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { acceptFor, callDuringTransaction, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('onboarding')
const { host, sql, asUser, asService } = await memberForTest(test, { FRONT_BASE_URL: 'https://front.example/app/#/' })

const address = someAddress

/** A hotel that has just been opened, with an administrator who hasn't signed up yet. */
async function hotel() {
  const hotelId = newId()
  const { workspace } = await asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name: 'Le Phare' })
  const workspaceId = workspace?.id ?? ''
  const email = address()
  const person = { email, firstName: 'Ada', lastName: 'Chef', dashboardAccess: true, isAdmin: true }
  const { member } = await asService.hotelMembers.addHotelMember({ hotelId, ...person })
  const creationEvent = { type: 'hotel.created', payload: { id: hotelId, hotelId, name: 'Le Phare' } }
  await host.bus.publish('platform.notification.hotel.created', JSON.stringify(creationEvent), { id: newId() })
  await eventually(async () => {
    const [rows] = await sql.query('select id from onboardings where workspace_id = ?', [workspaceId])
    return (rows as unknown[])[0]
  })
  return { hotelId, workspaceId, email, memberId: member?.id ?? '' }
}

test('a hotel gets one workspace with its system roles, however often it is requested', async () => {
  const { hotelId, workspaceId } = await hotel()
  const secondAnswer = await asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name: 'Le Phare' })
  assert.is(secondAnswer.workspace?.id, workspaceId)
  const [roles] = await sql.query('select slug from workspace_roles where workspace_id = ? order by slug', [
    workspaceId,
  ])
  assert.equal(
    (roles as { slug: string }[]).map(one => one.slug),
    ['admin', 'manager', 'member', 'viewer'],
  )
})

test('an unfinished hotel emits no event, and undoing its set-up leaves no trace', async () => {
  const hotelId = newId()
  const { workspace } = await asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name: 'Le Phare' })
  const email = address()
  const request = { hotelId, email, firstName: 'Ada', lastName: 'Chef', dashboardAccess: true, isAdmin: true }
  await asService.hotelMembers.addHotelMember(request)
  const count = async (query: string, value: string) => {
    const [rows] = await sql.query(query, [value])
    return Number((rows as { n: number }[])[0]?.n)
  }
  assert.is(await count('select count(*) as n from outbox where body like ?', `%${workspace?.id}%`), 0)
  await asService.hotelMembers.removeHotelMember({ hotelId, email })
  await asService.hotelWorkspaces.removeHotelWorkspace({ hotelId })
  assert.is(await count('select count(*) as n from members where live_email = ?', email), 0)
  for (const table of [
    'workspaces where id',
    'workspace_roles where workspace_id',
    'workspace_members where workspace_id',
  ])
    assert.is(await count(`select count(*) as n from ${table} = ?`, workspace?.id ?? ''), 0, table)
})

test('a person added while the hotel opens is admitted too', async () => {
  const hotelId = newId()
  const { workspace } = await asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name: 'Le Phare' })
  const open = 'update workspaces set announced_at = now(3) where id = ?'
  const person = { hotelId, email: address(), firstName: 'A', lastName: 'B' }
  const addMember = () => asService.hotelMembers.addHotelMember(person)
  assert.is((await callDuringTransaction(sql, [[open, [workspace?.id]]], addMember))?.status, 'fulfilled')
  const [invitations] = await sql.query('select 1 from onboardings where email = ?', [person.email])
  assert.is((invitations as unknown[]).length, 1)
})

test('the hotel administrator is a pending member with an open invitation and no rights', async () => {
  const { workspaceId, memberId } = await hotel()
  const access = await asService.access.getAccess({ memberId })
  assert.equal(access.workspaces.length, 0)
  const [rows] = await sql.query('select status, token_digest from onboardings where workspace_id = ?', [workspaceId])
  assert.is((rows as { status: string }[])[0]?.status, 'pending')
})

test('accepting grants the stored role, administrator flag and ecosystem ownership', async () => {
  const { email, workspaceId, hotelId } = await hotel()
  const [userId, { root }] = [newId(), await openWorld(host)]
  // The renewed invitation reveals its token.
  const { invitation } = await asUser(root).onboarding.invite({ email, workspaceId, workspaceRole: 'admin' })
  await acceptFor(host, invitation?.token, { email, userId })
  const access = await asService.access.getAccess({ userId })
  assert.equal(
    access.workspaces.map(one => [one.workspaceId, one.role, one.isAdmin]),
    [[workspaceId, 'admin', true]],
  )
  assert.ok(access.workspaces[0]?.permissions.includes('manage_members'))
  assert.equal(
    access.ecosystems.map(one => [one.ecosystemId, one.role, one.isOwner]),
    [[hotelId, 'owner', true]],
  )
})

test('an invitation returns id, email, token, status, expiresAt and a link with the token', async () => {
  const { workspaceId, hotelId, admin } = await openWorld(host)
  const email = address()
  const request = { email, firstName: 'Bo', lastName: 'Bell', workspaceId, ecosystemId: hotelId }
  const { invitation } = await asUser(admin).onboarding.invite({
    ...request,
    workspaceRole: 'member',
    permissions: ['create_content'],
  })
  assert.equal([invitation?.email, invitation?.status], [email, 'pending'])
  assert.is(invitation?.invitationLink, `https://front.example/app/#/invitation?token=${invitation?.token}`)
  const days = (Number(invitation?.expiresAt?.seconds ?? 0n) - Date.now() / 1000) / 86400
  assert.ok(days > 6.9 && days < 7.1)
  const userId = newId()
  const acceptance = await asService.invitations.acceptInvitationForUser({
    token: invitation?.token ?? '',
    userId,
    email: email.toUpperCase(),
  })
  assert.is(acceptance.profile?.firstname, 'Bo')
  const access = await asService.access.getAccess({ userId })
  assert.ok(access.workspaces[0]?.permissions.includes('create_content'))
})

test('of simultaneous invitations of one person one wins and is mailed, and so it is with renewals', async () => {
  const { workspaceId, admin } = await openWorld(host)
  const email = address()
  const user = asService.invitations
  const ways = [
    () => asUser(admin).onboarding.invite({ email, workspaceId }),
    () => user.inviteForUser({ userId: admin.userId, email, workspaceId, workspaceRole: 'member' }),
  ]
  const mails = async () => {
    const [rows] = await sql.query(
      "select 1 from outbox where subject = 'platform.notification.member.onboarding' and body like ?",
      [`%${email}%`],
    )
    return (rows as unknown[]).length
  }
  const waitingCalls = async () => {
    const [rows] = await sql.query(
      `select 1 from information_schema.processlist
       where db = database() and id <> connection_id() and (info like '%lock in share mode' or info like '%for update')`,
    )
    return (rows as unknown[]).length
  }
  let token = ''
  const race = async (calls: (() => Promise<{ invitation?: { token: string } | undefined }>)[]) => {
    // Each invitation locks its role, so all of them wait here, after they have read the former one.
    const roles = await sql.getConnection()
    await roles.beginTransaction()
    await roles.query('select id from workspace_roles where workspace_id = ? for update', [workspaceId])
    const pendingCalls = Promise.allSettled(calls.map(call => call()))
    await eventually(async () => (await waitingCalls()) === calls.length)
    await roles.commit()
    roles.release()
    const outcomes = await pendingCalls
    const tokens = outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value.invitation?.token ?? ''] : []))
    const errorTexts = outcomes.flatMap(one => (one.status === 'rejected' ? [toRpcError(one.reason).rawMessage] : []))
    assert.equal(
      [tokens.length, new Set(errorTexts)],
      [1, new Set(['This person is being invited by another request'])],
    )
    token = tokens[0] ?? ''
  }
  await race([...ways, ...ways])
  assert.is(await mails(), 1)
  await race([...ways, ...ways])
  assert.is(await mails(), 2)
  const { data } = await asUser(admin).onboarding.listInvitations({ search: email })
  const resend = () => asUser(admin).onboarding.resendInvitation({ id: data[0]?.id ?? '' })
  await race([resend, resend, resend, resend])
  assert.is(await mails(), 3)
  const acceptance = await user.acceptInvitationForUser({ token, userId: newId(), email })
  assert.is(acceptance.invitation?.status, 'accepted')
})

test('two simultaneous acceptances create one member, and repeating one gives the same answer', async () => {
  const { workspaceId, admin } = await openWorld(host)
  const email = address()
  const { invitation } = await asUser(admin).onboarding.invite({ email, workspaceId })
  const userId = newId()
  const accept = () => asService.invitations.acceptInvitationForUser({ token: invitation?.token ?? '', userId, email })
  const answers = await Promise.all(Array.from({ length: 8 }, accept))
  assert.is(new Set(answers.map(one => one.profile?.id)).size, 1)
  const [rows] = await sql.query('select count(*) as n from members where live_email = ?', [email])
  assert.is(Number((rows as { n: number }[])[0]?.n), 1)
  const [events] = await sql.query(
    "select count(*) as n from outbox where subject = 'platform.notification.member.registered' and body like ?",
    [`%${email}%`],
  )
  assert.is(Number((events as { n: number }[])[0]?.n), 1)
  const stranger = acceptFor(host, invitation?.token, { email, userId: newId() })
  assert.is((await refusal(stranger)).info.status, 409)
})

test('an invitation is bound to its address', async () => {
  const { workspaceId, admin } = await openWorld(host)
  const { invitation } = await asUser(admin).onboarding.invite({ email: address(), workspaceId })
  const acceptance = acceptFor(host, invitation?.token, { email: address(), userId: newId() })
  assert.is((await refusal(acceptance)).info.status, 403)
})

test('the list contains invitations of the caller’s workspaces, newest first, and never a token', async () => {
  const one = await openWorld(host)
  const other = await openWorld(host)
  await asUser(other.admin).onboarding.invite({ email: address(), workspaceId: other.workspaceId })
  const { invitation } = await asUser(one.admin).onboarding.invite({ email: address(), workspaceId: one.workspaceId })
  const { data, meta } = await asUser(one.admin).onboarding.listInvitations({ status: 'pending' })
  assert.equal(
    data.map(row => row.email),
    [invitation?.email, one.admin.email],
  )
  assert.equal([meta?.total, meta?.totalPages], [2, 1])
  assert.not.ok(JSON.stringify(data.map(row => row.email)).includes(invitation?.token ?? 'x'))
  for (const search of [invitation?.email.toUpperCase(), invitation?.email.slice(1, 9), '%', '_%'])
    assert.is(
      (await asUser(one.admin).onboarding.listInvitations({ search })).meta?.total,
      search?.includes('%') ? 0 : 1,
      search,
    )
  assert.is(
    (await refusal(asUser(one.admin).onboarding.listInvitations({ workspaceId: other.workspaceId }))).info.status,
    403,
  )
})

test('two hotels set up at once for one new administrator find the same person', async () => {
  const email = address()
  const person = { email, firstName: 'Ada', lastName: 'Chef', dashboardAccess: true, isAdmin: true }
  const hotelIds = Array.from({ length: 6 }, () => newId())
  for (const hotelId of hotelIds) await asService.hotelWorkspaces.createHotelWorkspace({ hotelId, name: 'Le Phare' })
  const answers = await Promise.all(
    hotelIds.map(hotelId => asService.hotelMembers.addHotelMember({ ...person, hotelId })),
  )
  assert.is(new Set(answers.map(({ member }) => member?.id)).size, 1)
})

test('processes that start at once create one platform administrator', async () => {
  const request = { email: address(), firstName: 'P', lastName: 'A', userId: newId() }
  const ensured = await Promise.all(
    Array.from({ length: 6 }, () => asService.profiles.ensurePlatformAdministrator(request)),
  )
  assert.is(new Set(ensured.map(({ memberId }) => memberId)).size, 1)
  assert.is(ensured.filter(({ created }) => created).length, 1)
})

test.run()
