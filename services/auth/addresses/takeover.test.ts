import type { RowDataPacket } from 'mysql2/promise'
import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { type HotelWorld, openWorld, someAddress } from '../../../test/kit/member.ts'
import { testPool } from '../../../test/kit/sql.ts'

const test = suite('takeover of accounts by address')
const { host, mailbox, anonymous, asUser, withToken } = await authWithMember(test)
const sql = testPool(host.databaseUrl('auth'))

test.after(() => sql.end())

const messagePrefix = 'An account with this email already exists:'
const signInFirst = `${messagePrefix} sign in, then accept the invitation again`
const confirmFirst = `${messagePrefix} open the link mailed to it, or sign in, then accept the invitation again`

test('changing an address takes over neither a stronger colleague’s account nor the hotel owner’s', async () => {
  const { workspaceId, hotelId, root } = await openWorld(host)
  const roles = asUser(root).roles
  await roles.createRole({ workspaceId, name: 'Clerk', permissions: ['view_members', 'manage_members'] })
  await roles.createRole({ workspaceId, name: 'Strong', permissions: ['export_data'] })
  const signUp = async (workspaceRole: string) => {
    const email = someAddress()
    const { invitation } = await asUser(root).onboarding.invite({ email, workspaceId, workspaceRole })
    const { user } = await anonymous.users.signUp({ token: invitation?.token ?? '', password })
    return { email, userId: user?.id ?? '', memberId: user?.memberId ?? '' }
  }
  const [clerk, strong] = [await signUp('clerk'), await signUp('strong')]
  const [leader, owner] = [await signUp('admin'), await signUp('viewer')]
  const ownerChange = { ecosystemId: hotelId, memberId: owner.memberId, role: 'owner', updateMask: { paths: ['role'] } }
  await asUser(root).ecosystems.updateEcosystemMember(ownerChange)
  const email = someAddress()
  for (const [caller, target] of [
    [clerk, strong],
    [leader, owner],
  ] as const) {
    const change = { id: target.memberId, email, updateMask: { paths: ['email'] } }
    const { info } = await refusal(asUser(caller).members.updateMember(change))
    assert.is(info.status, 403)
    await anonymous.signIn.login({ email: target.email, password })
  }
  const [changes] = await sql.query<RowDataPacket[]>('select 1 from email_verifications where email = ?', [email])
  assert.equal(changes, [])
})

test('a token that names a former address accepts no invitation to it', async () => {
  const [home, other] = [await openWorld(host), await openWorld(host)]
  const [email, newEmail] = [someAddress(), someAddress()]
  const place = { workspaceId: other.workspaceId, workspaceRole: 'admin' }
  await asUser(other.root).members.createMember({ firstName: 'V', lastName: 'W', email, ...place })
  const { accessToken } = await anonymous.signIn.register({ email, password })
  const change = { email: newEmail, currentPassword: password, updateMask: { paths: ['email'] } }
  await withToken(accessToken).users.updateMe(change)
  const mail = await eventually(() => mailbox.mails.findLast(one => one.to === newEmail && one.slug === 'verify_email'))
  await withToken(accessToken).signIn.verifyEmail({ token: mail.variables['token'] ?? '' })
  const { workspaceId } = home
  const { invitation } = await asUser(home.admin).onboarding.invite({ email, workspaceId })
  const acceptance = withToken(accessToken).onboarding.acceptInvitation({ token: invitation?.token ?? '' })
  const { info, rawMessage } = await refusal(acceptance)
  assert.equal([info.status, rawMessage], [403, 'The invitation is for another e-mail address'])
})

test('a hotel doesn’t accept its own invitation for somebody with an account in another hotel', async () => {
  const [home, other] = [await openWorld(host), await openWorld(host)]
  const email = someAddress()
  const invite = async ({ admin, workspaceId }: HotelWorld) =>
    (await asUser(admin).onboarding.invite({ email, workspaceId })).invitation?.token ?? ''
  const { accessToken } = await anonymous.users.signUp({ token: await invite(home), password })
  const token = await invite(other)
  const { info, rawMessage } = await refusal(anonymous.onboarding.acceptInvitation({ token }))
  assert.equal([info.status, rawMessage], [401, signInFirst])
  assert.is((await withToken(accessToken).onboarding.acceptInvitation({ token })).status, 'accepted')
})

test('a member of the hotel accepts an invitation to another of its workspaces with the token alone', async () => {
  const { root, hotelId, workspaceId } = await openWorld(host)
  const { workspace } = await asUser(root).workspaces.createWorkspace({ ecosystemId: hotelId, name: 'Annexe' })
  const email = someAddress()
  const invite = async (to: string) =>
    (await asUser(root).onboarding.invite({ email, workspaceId: to })).invitation?.token ?? ''
  await anonymous.users.signUp({ token: await invite(workspaceId), password })
  const { status } = await anonymous.onboarding.acceptInvitation({ token: await invite(workspace?.id ?? '') })
  assert.is(status, 'accepted')
})

const register = async (email: string) => (await anonymous.signIn.register({ email, password })).accessToken
const confirm = async (email: string) => {
  const mail = await eventually(() => mailbox.mails.findLast(one => one.to === email && one.slug === 'verify_email'))
  await anonymous.signIn.verifyEmail({ token: mail.variables['token'] ?? '', password })
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
      await asUser(root).members.createMember(person)
      await register(email)
      await confirm(email)
    },
    signInFirst,
  ],
  [
    'an unverified account that left its hotel',
    async email => {
      const { root, workspaceId } = await openWorld(host)
      const { invitation } = await asUser(root).onboarding.invite({ email, workspaceId })
      const { user } = await anonymous.users.signUp({ token: invitation?.token ?? '', password })
      await asUser(user?.id).memberships.leaveWorkspace({ id: workspaceId })
    },
    confirmFirst,
  ],
]
for (const [subject, prepare, expected] of withoutBearer)
  test(`the token alone, for ${subject}: ${expected}`, async () => {
    const [{ root, workspaceId }, email] = [await openWorld(host), someAddress()]
    await prepare(email)
    const { invitation } = await asUser(root).onboarding.invite({ email, workspaceId })
    const accepting = anonymous.onboarding.acceptInvitation({ token: invitation?.token ?? '' })
    if (expected === 'accepted') {
      const { memberId } = await accepting
      const { accessToken } = await anonymous.signIn.login({ email, password })
      assert.is(host.tokens.verify(accessToken)?.memberId, memberId)
      return
    }
    const { info, rawMessage } = await refusal(accepting)
    assert.equal([info.status, rawMessage], [expected.startsWith('Sign up') ? 409 : 401, expected])
  })

test('a deleted person who is invited again gets one answer on every route, and what it says works', async () => {
  const { root, workspaceId } = await openWorld(host)
  const email = someAddress()
  const invite = async () => (await asUser(root).onboarding.invite({ email, workspaceId })).invitation?.token ?? ''
  const { user } = await anonymous.users.signUp({ token: await invite(), password })
  await asUser(root).members.deleteMember({ id: user?.memberId ?? '' })
  const token = await invite()
  const ways = [
    () => anonymous.users.signUp({ token, password }),
    () => anonymous.invitations.acceptInvitation({ token, password }),
    () => anonymous.onboarding.acceptInvitation({ token }),
  ]
  const claims = () => mailbox.mails.filter(one => one.to === email && one.slug === 'account_claim')
  for (const [index, way] of ways.entries()) {
    assert.is((await refusal(way())).rawMessage, confirmFirst)
    await eventually(() => claims().length === index + 1)
  }
  const { accessToken } = await anonymous.signIn.login({ email, password })
  const acceptance = await withToken(accessToken).onboarding.acceptInvitation({ token })
  await asUser(root).members.deleteMember({ id: acceptance.memberId })
  const secondToken = await invite()
  const link = claims().at(-1)?.variables['token'] ?? ''
  await anonymous.passwords.resetPassword({ token: link, password })
  assert.is((await anonymous.onboarding.acceptInvitation({ token: secondToken })).status, 'accepted')
})

test.run()
