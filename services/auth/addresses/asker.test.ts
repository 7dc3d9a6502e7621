import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { AccountService as LegacyAccounts } from '../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { SignInService as LegacySignIn } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { MemberService } from '../../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { ProfileService } from '../../../gen/platform/member/v1/profiles_pb.ts'
import { WorkspaceMemberService } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, refusal, statusOf, suite } from '../../../test/kit/kit.ts'
import { someAddress } from '../../../test/kit/member.ts'

const test = suite('askers for addresses')
const {
  host,
  root,
  workspaceId,
  openHotel,
  invite,
  person: invited,
  tokenTo,
  end,
} = await authWithMember({
  ANONYMOUS_LIMIT: '1000',
})
test.after(() => end())

const open = async (address: string) => host.as(SignInService).verifyEmail({ token: await tokenTo(address) })
const entersWith = (email: string) => statusOf(host.as(SignInService).login({ email, password }))

/** Somebody with a confirmed address and this role in the hotel. */
async function person(workspaceRole: string, permissions: string[] = []) {
  const who = await invited(undefined, { workspaceRole, permissions })
  await host.bearing(SignInService, who.accessToken).verifyEmail({ token: await tokenTo(who.email) })
  return who
}

const setAddress = (token: string, id: string, email: string, currentPassword?: string) =>
  host.bearing(MemberService, token).updateMember({
    id,
    email,
    currentPassword,
    updateMask: { paths: ['email', ...(currentPassword === undefined ? [] : ['current_password'])] },
  })
const inWorkspace = () => host.bearing(WorkspaceMemberService, root)

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
    await host.bearing(OnboardingService, accessToken).acceptInvitation({ token })
  },
  'the asker loses manage_members': ({ id }) =>
    inWorkspace().updateWorkspaceMember({
      workspaceId,
      memberId: id,
      permissions: [],
      updateMask: { paths: ['permissions'] },
    }),
  'the asker leaves': ({ id }) => inWorkspace().removeWorkspaceMember({ workspaceId, memberId: id }),
  'the asker’s account ends': ({ userId }) => host.client(AccountService).eraseUsers({ userIds: [userId] }),
  'the member is deleted': (_asker, { id }) => host.bearing(MemberService, root).deleteMember({ id }),
}
for (const [ending, end] of Object.entries(endings))
  test(`an address set by somebody else is a 410 and changes nothing once ${ending}`, async () => {
    const [asker, target] = [await person('viewer', ['manage_members']), await person('viewer')]
    const next = someAddress()
    await setAddress(asker.accessToken, target.id, next)
    const token = await tokenTo(next)
    await end(asker, target)
    assert.is((await refusal(host.as(SignInService).verifyEmail({ token }))).info.status, 410)
    assert.equal([await entersWith(next), await entersWith(target.email)], [401, 200])
    assert.is((await host.client(ProfileService).getProfile({ email: next })).profile, undefined)
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
  const shown = async (token: string) => {
    const { member: detail } = await host.bearing(MemberService, token).getMember({ id: target.id })
    return [detail?.email, detail?.pendingEmail]
  }
  const { member: changed } = await setAddress(asker.accessToken, target.id, next)
  assert.equal([changed?.email, changed?.pendingEmail], [target.email, next])
  assert.equal(await shown(asker.accessToken), [target.email, next])
  assert.equal(await shown(root), [target.email, next])
  for (const { accessToken } of [colleague, target]) assert.equal(await shown(accessToken), [target.email, undefined])
  const profiles = host.client(ProfileService)
  assert.is((await profiles.getProfile({ email: next })).profile, undefined)
  assert.is((await profiles.getProfile({ memberId: target.id })).profile?.email, target.email)
  await open(next)
  assert.equal(await shown(asker.accessToken), [next, undefined])
})

/** Every route that changes an address, called for the caller's own. */
const ownRoutes: Record<
  string,
  (token: string, who: { id: string; email: string }, next: string, secret?: string) => Promise<unknown>
> = {
  'PATCH /users/me': (token, _who, email, currentPassword) =>
    host.bearing(UserService, token).updateMe({ email, currentPassword, updateMask: { paths: ['email'] } }),
  'PATCH /members/update/{self}': (token, { id }, email, secret) => setAddress(token, id, email, secret),
  'PUT /auth/change_mail': (token, { email: oldEmail }, newEmail, currentPassword) =>
    host.bearing(LegacyAccounts, token).changeMail({ oldEmail, newEmail, currentPassword }),
}
const administrator = async () => {
  const who = { email: someAddress(), password }
  const { userId } = await host.client(AccountService).ensureAdministrator(who)
  const { profile } = await host.client(ProfileService).getProfile({ userId })
  return { email: who.email, id: profile?.id ?? '' }
}
/** Callers who change addresses, with the routes that they may call. */
const callers = {
  'a platform administrator': async () => {
    const who = await administrator()
    const { accessToken } = await host.as(SignInService).login({ email: who.email, password })
    return { ...who, accessToken, routes: Object.keys(ownRoutes) }
  },
  'the legacy Administrator of an account': async () => {
    const who = await administrator()
    const { accessToken } = await host.as(LegacySignIn).loginAsAdmin({ email: who.email, password })
    return { ...who, accessToken, routes: ['PATCH /members/update/{self}', 'PUT /auth/change_mail'] }
  },
  'a hotel administrator': async () => {
    const who = await person('admin')
    return { ...who, routes: ['PATCH /users/me', 'PATCH /members/update/{self}'] }
  },
  'a hotel administrator of the legacy version': async () => {
    const who = await person('admin')
    await inWorkspace().updateWorkspaceMember({
      workspaceId,
      memberId: who.id,
      isAdmin: true,
      updateMask: { paths: ['is_admin'] },
    })
    const { accessToken } = await host.as(LegacySignIn).login({ type: 'mobile', email: who.email, password })
    return { ...who, accessToken, routes: ['PATCH /users/me', 'PATCH /members/update/{self}'] }
  },
}
for (const [kind, make] of Object.entries(callers))
  test(`${kind} changes their own address only with their password, on every route`, async () => {
    for (const route of (await make()).routes) {
      const who = await make()
      const call = ownRoutes[route]
      assert.ok(call, route)
      const next = someAddress()
      for (const secret of [undefined, 'wrong horse 7']) {
        const { info } = await refusal(call(who.accessToken, who, next, secret))
        assert.equal([info.status, info.violations.map(one => one.path)], [400, ['currentPassword']], route)
      }
      assert.is(await entersWith(who.email), 200)
      await call(who.accessToken, who, next, password)
    }
  })

test('nobody deletes or erases their own account without its password', async () => {
  const calls = [
    ({ accessToken }: Someone, secret?: string) =>
      host.bearing(UserService, accessToken).deleteMe({ password: secret }),
    ({ accessToken, id }: Someone, secret?: string) =>
      host.bearing(MemberService, accessToken).eraseMember({ id, password: secret }),
  ]
  for (const call of calls) {
    const who = await person('viewer')
    for (const secret of [undefined, 'wrong horse 7']) {
      const { info } = await refusal(call(who, secret))
      assert.equal([info.status, info.violations.map(one => one.path)], [400, ['password']])
    }
    assert.is(await entersWith(who.email), 200)
    await call(who, password)
    assert.is(await entersWith(who.email), 401)
  }
})

test.run()
