import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, refusal, statusOf, suite } from '../../../test/kit/kit.ts'
import { someAddress } from '../../../test/kit/member.ts'

const test = suite('askers for addresses')
const {
  root,
  workspaceId,
  openHotel,
  invite,
  person: invitePerson,
  mailTo,
  tokenTo,
  anonymous,
  asService,
  withToken,
} = await authWithMember(test, {
  ANONYMOUS_LIMIT: '1000',
})
const open = async (address: string) => anonymous.signIn.verifyEmail({ token: await tokenTo(address) })
const entersWith = (email: string) => statusOf(anonymous.signIn.login({ email, password }))

/** Somebody with a confirmed address and this role in the hotel. */
async function person(workspaceRole: string, permissions: string[] = []) {
  const invitee = await invitePerson(undefined, { workspaceRole, permissions })
  await withToken(invitee.accessToken).signIn.verifyEmail({ token: await tokenTo(invitee.email) })
  return invitee
}

const setAddress = (token: string, id: string, email: string, currentPassword?: string) =>
  withToken(token).members.updateMember({
    id,
    email,
    currentPassword,
    updateMask: { paths: ['email', ...(currentPassword === undefined ? [] : ['current_password'])] },
  })
const inWorkspace = () => withToken(root).memberships

type Someone = Awaited<ReturnType<typeof person>>
/** What ends the right to set another's address between the request and the click. */
const endings: Record<string, (asker: Someone, target: Someone) => Promise<unknown>> = {
  'the target becomes an administrator': (_asker, { id }) =>
    inWorkspace().updateWorkspaceMember({
      workspaceId,
      memberId: id,
      workspaceRole: 'admin',
      updateMask: { paths: ['workspace_role'] },
    }),
  'the target joins another hotel': async (_asker, { email, accessToken }) => {
    const { workspaceId } = await openHotel()
    const token = await invite(email, { workspaceId, workspaceRole: 'admin' })
    await withToken(accessToken).onboarding.acceptInvitation({ token })
  },
  'the asker loses manage_members': ({ id }) =>
    inWorkspace().updateWorkspaceMember({
      workspaceId,
      memberId: id,
      permissions: [],
      updateMask: { paths: ['permissions'] },
    }),
  'the asker leaves': ({ id }) => inWorkspace().removeWorkspaceMember({ workspaceId, memberId: id }),
  'the asker’s account ends': ({ userId }) => asService.accounts.eraseUsers({ userIds: [userId] }),
  'the member is deleted': (_asker, { id }) => withToken(root).members.deleteMember({ id }),
}
for (const [ending, end] of Object.entries(endings))
  test(`an address set by somebody else is a 410 and changes nothing once ${ending}`, async () => {
    const [asker, target] = [await person('viewer', ['manage_members']), await person('viewer')]
    const next = someAddress()
    await setAddress(asker.accessToken, target.id, next)
    const token = await tokenTo(next)
    await end(asker, target)
    assert.is((await refusal(anonymous.signIn.verifyEmail({ token }))).info.status, 410)
    assert.equal([await entersWith(next), await entersWith(target.email)], [401, 200])
    assert.is((await asService.profiles.getProfile({ email: next })).profile, undefined)
  })

test('an address set by somebody who still may set it takes effect once its link is opened', async () => {
  const [asker, target] = [await person('viewer', ['manage_members']), await person('viewer')]
  const next = someAddress()
  await setAddress(asker.accessToken, target.id, next)
  await open(next)
  assert.equal([await entersWith(next), await entersWith(target.email)], [200, 401])
})

test('until it is confirmed, the new address is shown as pending only to those who could set it', async () => {
  const [asker, target, colleague] = [
    await person('viewer', ['manage_members']),
    await person('viewer'),
    await person('viewer'),
  ]
  const next = someAddress()
  const readEmails = async (token: string) => {
    const { member: detail } = await withToken(token).members.getMember({ id: target.id })
    return [detail?.email, detail?.pendingEmail]
  }
  const { member: changedMember } = await setAddress(asker.accessToken, target.id, next)
  assert.equal([changedMember?.email, changedMember?.pendingEmail], [target.email, next])
  assert.equal(await readEmails(asker.accessToken), [target.email, next])
  assert.equal(await readEmails(root), [target.email, next])
  for (const { accessToken } of [colleague, target])
    assert.equal(await readEmails(accessToken), [target.email, undefined])
  const profiles = asService.profiles
  assert.is((await profiles.getProfile({ email: next })).profile, undefined)
  assert.is((await profiles.getProfile({ memberId: target.id })).profile?.email, target.email)
  await open(next)
  assert.equal(await readEmails(asker.accessToken), [next, undefined])
})

/** Every route that changes an address, called for the caller's own. */
const ownRoutes: Record<
  string,
  (token: string, caller: { id: string; email: string }, next: string, secret?: string) => Promise<unknown>
> = {
  'PATCH /users/me': (token, _who, email, currentPassword) =>
    withToken(token).users.updateMe({ email, currentPassword, updateMask: { paths: ['email'] } }),
  'PATCH /members/update/{self}': (token, { id }, email, secret) => setAddress(token, id, email, secret),
  'PUT /auth/change_mail': (token, { email: oldEmail }, newEmail, currentPassword) =>
    withToken(token).legacyAccounts.changeMail({ oldEmail, newEmail, currentPassword }),
}
const administrator = async () => {
  const credentials = { email: someAddress(), password }
  const { userId } = await asService.accounts.ensureAdministrator(credentials)
  const { profile } = await asService.profiles.getProfile({ userId })
  return { email: credentials.email, id: profile?.id ?? '' }
}
/** Callers who change addresses, with the routes that they may call. */
const callers = {
  'a platform administrator': async () => {
    const admin = await administrator()
    const { accessToken } = await anonymous.signIn.login({ email: admin.email, password })
    return { ...admin, accessToken, routes: Object.keys(ownRoutes) }
  },
  'the legacy Administrator of an account': async () => {
    const admin = await administrator()
    const { accessToken } = await anonymous.legacySignIn.loginAsAdmin({ email: admin.email, password })
    return { ...admin, accessToken, routes: ['PATCH /members/update/{self}', 'PUT /auth/change_mail'] }
  },
  'a hotel administrator': async () => {
    const admin = await person('admin')
    return { ...admin, routes: ['PATCH /users/me', 'PATCH /members/update/{self}'] }
  },
  'a hotel administrator of the legacy version': async () => {
    const admin = await person('admin')
    await inWorkspace().updateWorkspaceMember({
      workspaceId,
      memberId: admin.id,
      isAdmin: true,
      updateMask: { paths: ['is_admin'] },
    })
    const { accessToken } = await anonymous.legacySignIn.login({ type: 'mobile', email: admin.email, password })
    return { ...admin, accessToken, routes: ['PATCH /users/me', 'PATCH /members/update/{self}'] }
  },
}
for (const [kind, make] of Object.entries(callers))
  test(`${kind} changes their own address only with their password, on every route, which notifies the former one`, async () => {
    for (const route of (await make()).routes) {
      const caller = await make()
      const call = ownRoutes[route]
      assert.ok(call, route)
      const next = someAddress()
      for (const secret of [undefined, 'wrong horse 7']) {
        const { info } = await refusal(call(caller.accessToken, caller, next, secret))
        assert.equal([info.status, info.violations.map(one => one.path)], [400, ['currentPassword']], route)
      }
      assert.is(await entersWith(caller.email), 200)
      await call(caller.accessToken, caller, next, password)
      const { variables } = await mailTo(caller.email, 'email_changing')
      assert.equal([variables['oldEmail'], variables['email']], [caller.email, next], route)
      assert.ok(await tokenTo(next), route)
    }
  })

test('nobody deletes or erases their own account without its password', async () => {
  const calls = [
    ({ accessToken }: Someone, secret?: string) => withToken(accessToken).users.deleteMe({ password: secret }),
    ({ accessToken, id }: Someone, secret?: string) =>
      withToken(accessToken).members.eraseMember({ id, password: secret }),
  ]
  for (const call of calls) {
    const viewer = await person('viewer')
    for (const secret of [undefined, 'wrong horse 7']) {
      const { info } = await refusal(call(viewer, secret))
      assert.equal([info.status, info.violations.map(one => one.path)], [400, ['password']])
    }
    assert.is(await entersWith(viewer.email), 200)
    await call(viewer, password)
    assert.is(await entersWith(viewer.email), 401)
  }
})

test.run()
