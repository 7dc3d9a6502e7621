import { password } from '../../../cli/tour/world.ts'
import { type Bind, type Bound, own } from './example-own.ts'
import type { ExamplePerson, ExampleWorld } from './example-world.ts'

const ghost =
  (more: (somebody: ExamplePerson, world: ExampleWorld) => Promise<Bound> | Bound): Bind =>
  async world =>
    more(await world.ghost(), world)

/** A person who requested a password reset: code and link are in the mail. */
const reset: Bind = ghost(async ({ email }, world) => {
  await world.ask('legacyauth', 'POST', '/user/sentreset/email', { token: undefined, body: { email } }, 200)
  const mail = await world.mailTo(email, /\b\d{6}\b[\s\S]*token=[\w-]+\.[\w-]+\./)
  const hashedToken = /token=([\w-]+\.[\w-]+\.[\w-]+)/.exec(mail)?.[1]
  return { token: null, with: { email, code: /\b(\d{6})\b/.exec(mail)?.[1], hashedToken } }
})

/** Operations on accounts: each with a separate person. */
export const accountBindings: Record<string, Bind> = {
  'auth.Login': own(({ email }) => ({ token: null, with: { email, password } })),
  'auth.Logout': own(({ refreshToken }) => ({ with: { refreshToken } })),
  'auth.RefreshToken': own(({ refreshToken }) => ({ token: null, with: { refreshToken } })),
  'auth.ForgotPassword': own(({ email }) => ({ token: null, with: { email } })),
  'auth.ChangePassword': own(() => ({ with: { currentPassword: password } })),
  'auth.UpdateMe': own(() => ({})),
  'auth.DeleteMe': own(() => ({ with: { password } })),
  'auth.EndMyOtherSessions': own(() => ({})),
  'auth.EndMySession': own(async ({ email, token }, world) => {
    await world.signedIn(email)
    const { data } = (await world.ask('auth', 'GET', '/users/me/sessions', { token }, 200)) as unknown as {
      data: { id: string; isCurrent: boolean }[]
    }
    return { with: { id: data.find(one => !one.isCurrent)?.id } }
  }),
  'auth.ListSessions': ({ root }) => ({ token: root }),
  'auth.EndSession': own(async ({ userId }, world) => {
    const all = await world.ask('auth', 'GET', `/sessions?userId=${userId}`, { token: world.root }, 200)
    return { token: world.root, with: { id: all['data']?.[0]?.['id'] } }
  }),
  'auth.ListAccounts': ({ root }) => ({ token: root }),
  'auth.UnlockAccount': own(({ userId }, { root }) => ({ token: root, with: { userId } })),
  'auth.EndAccountSessions': own(({ userId }, { root }) => ({ token: root, with: { userId } })),
  'auth.SendAccountConfirmation': async world => {
    const body = { email: world.address(), password }
    const { user } = await world.ask('auth', 'POST', '/auth/register', { token: undefined, body })
    return { token: world.root, with: { userId: (user as { id?: string }).id } }
  },
  'auth.Register': () => ({ token: null }),
  'auth.VerifyEmail': async world => {
    const email = world.address()
    await world.ask('auth', 'POST', '/auth/register', { token: undefined, body: { email, password } })
    const token = /token=([\w.-]+)/.exec(await world.mailTo(email, /token=/))?.[1]
    return { token: null, with: { token, password: 'another horse 8' } }
  },
  'auth.ResetPassword': own(async ({ email }, world) => {
    await world.ask('auth', 'POST', '/password/forgot', { body: { email } }, 200)
    const mail = await world.mailTo(email, /reset-password\?token=/)
    return { token: null, with: { token: /reset-password\?token=([\w.-]+)/.exec(mail)?.[1] } }
  }),
  'auth.SignUp': async world => ({ token: null, with: { ...(await world.invitationToken()) } }),
  'auth.AcceptInvitation': async world => ({ token: null, with: { ...(await world.invitationToken()), password } }),
  'auth.PreviewInvitation': async world => ({ token: null, with: await world.invitationToken() }),
  'auth.RevokeInvitation': async world => ({ with: { id: await world.accountInvitation() } }),
  'auth.RevokeCredential': async world => ({ with: { ecosystemId: await world.credential() } }),
  // The legacy version: people without an account, who are invited to it.
  'legacyauth.Login': ghost(({ email }) => ({ token: null, with: { email, password } })),
  'legacyauth.LoginAsAdmin': ({ administrator }) => ({ token: null, with: administrator }),
  'legacyauth.Refresh': ghost(({ refreshToken }) => ({ token: null, with: { refreshToken } })),
  'legacyauth.GetProfile': ghost(({ token }) => ({ token })),
  'legacyauth.GetProfileAsAdmin': async world => {
    const call = { token: undefined, body: world.administrator }
    const pair = await world.ask('legacyauth', 'POST', '/auth/loginAsAdmin', call, 200)
    return { token: String(pair['accessToken']) }
  },
  'legacyauth.ChangePassword': ghost(({ token }) => ({ token, with: { oldPassword: password } })),
  'legacyauth.InviteAccount': async world => {
    const email = world.address()
    return { token: null, key: world.apiKey, with: { email, memberId: await world.member(email) } }
  },
  'legacyauth.RegisterTemp': ghost(async ({ email }, world) => {
    const mail = await world.mailTo(email, /token=[\w-]+\.[\w-]+\./)
    return { token: null, with: { token: /token=([\w-]+\.[\w-]+\.[\w-]+)/.exec(mail)?.[1] } }
  }),
  'legacyauth.ChangeMail': ghost(({ email }, { root, address }) => ({
    token: root,
    with: { oldEmail: email, newEmail: address() },
  })),
  'legacyauth.DeleteAccount': ghost(({ email }, { root }) => ({ token: root, with: { email } })),
  'legacyauth.ChangePasswordByAdmin': ghost(({ email }, { root }) => ({ token: root, with: { email } })),
  'legacyauth.RevokeTokensByEmail': ghost(({ email }, { root }) => ({ token: root, with: { email } })),
  'legacyauth.RevokeRefreshTokens': ghost(({ userId }, { root }) => ({ token: root, with: { userId } })),
  'legacyauth.DeleteUserTokens': ghost(({ userId }, { root }) => ({ token: root, with: { userId } })),
  'legacyauth.SetLoginData': ghost(({ userId }, { root }) => ({ token: root, with: { userId } })),
  'legacyauth.DeleteEcosystemAccounts': async world => ({
    token: world.root,
    with: { ecosystemId: (await world.hotel())['id'] },
  }),
  'legacyauth.RequestReset': ghost(({ email }) => ({ token: null, with: { email } })),
  'legacyauth.SendResetEmail': ghost(({ email }) => ({ token: null, with: { email } })),
  'legacyauth.CheckResetCode': reset,
  'legacyauth.CheckResetRequest': reset,
  'legacyauth.ResetPassword': reset,
}
