import { password } from '../../../cli/tour/world.ts'
import { type Bind, type ExampleInput, withNewPerson } from './example-input.ts'
import type { ExamplePerson, ExampleWorld } from './example-world.ts'

const ghost =
  (inputFor: (somebody: ExamplePerson, world: ExampleWorld) => Promise<ExampleInput> | ExampleInput): Bind =>
  async world =>
    inputFor(await world.ghost(), world)

/** A person who requested a password reset: code and link are in the mail. */
const reset: Bind = ghost(async ({ email }, world) => {
  await world.ask('legacyauth', 'POST', '/user/sentreset/email', { token: undefined, body: { email } }, 200)
  const mail = await world.mailTo(email, /\b\d{6}\b[\s\S]*token=[\w-]+\.[\w-]+\./)
  const hashedToken = /token=([\w-]+\.[\w-]+\.[\w-]+)/.exec(mail)?.[1]
  return { token: null, values: { email, code: /\b(\d{6})\b/.exec(mail)?.[1], hashedToken } }
})

/** Operations on accounts: each with a separate person. */
export const accountBindings: Record<string, Bind> = {
  'auth.Login': withNewPerson(({ email }) => ({ token: null, values: { email, password } })),
  'auth.Logout': withNewPerson(({ refreshToken }) => ({ values: { refreshToken } })),
  'auth.RefreshToken': withNewPerson(({ refreshToken }) => ({ token: null, values: { refreshToken } })),
  'auth.ForgotPassword': withNewPerson(({ email }) => ({ token: null, values: { email } })),
  'auth.ChangePassword': withNewPerson(() => ({ values: { currentPassword: password } })),
  'auth.UpdateMe': withNewPerson(() => ({})),
  'auth.DeleteMe': withNewPerson(() => ({ values: { password } })),
  'auth.EndMyOtherSessions': withNewPerson(() => ({})),
  'auth.EndMySession': withNewPerson(async ({ email, token }, world) => {
    await world.signIn(email)
    const { data } = (await world.ask('auth', 'GET', '/users/me/sessions', { token }, 200)) as unknown as {
      data: { id: string; isCurrent: boolean }[]
    }
    return { values: { id: data.find(one => !one.isCurrent)?.id } }
  }),
  'auth.ListSessions': ({ root }) => ({ token: root }),
  'auth.EndSession': withNewPerson(async ({ userId }, world) => {
    const { data } = await world.ask('auth', 'GET', `/sessions?userId=${userId}`, { token: world.root }, 200)
    return { token: world.root, values: { id: data?.[0]?.['id'] } }
  }),
  'auth.ListAccounts': ({ root }) => ({ token: root }),
  'auth.UnlockAccount': withNewPerson(({ userId }, { root }) => ({ token: root, values: { userId } })),
  'auth.EndAccountSessions': withNewPerson(({ userId }, { root }) => ({ token: root, values: { userId } })),
  'auth.SendAccountConfirmation': async world => {
    const body = { email: world.address(), password }
    const { user } = await world.ask('auth', 'POST', '/auth/register', { token: undefined, body })
    return { token: world.root, values: { userId: (user as { id?: string }).id } }
  },
  'auth.Register': () => ({ token: null }),
  'auth.VerifyEmail': async world => {
    const email = world.address()
    await world.ask('auth', 'POST', '/auth/register', { token: undefined, body: { email, password } })
    const token = /token=([\w.-]+)/.exec(await world.mailTo(email, /token=/))?.[1]
    return { token: null, values: { token, password: 'another horse 8' } }
  },
  'auth.ResetPassword': withNewPerson(async ({ email }, world) => {
    await world.ask('auth', 'POST', '/password/forgot', { body: { email } }, 200)
    const mail = await world.mailTo(email, /reset-password\?token=/)
    return { token: null, values: { token: /reset-password\?token=([\w.-]+)/.exec(mail)?.[1] } }
  }),
  'auth.SignUp': async world => ({ token: null, values: { ...(await world.invitationToken()) } }),
  'auth.AcceptInvitation': async world => ({ token: null, values: { ...(await world.invitationToken()), password } }),
  'auth.PreviewInvitation': async world => ({ token: null, values: await world.invitationToken() }),
  'auth.RevokeInvitation': async world => ({ values: { id: await world.accountInvitation() } }),
  'auth.RevokeCredential': async world => ({ values: { ecosystemId: await world.credential() } }),
  // The legacy version: people without an account, who are invited to it.
  'legacyauth.Login': ghost(({ email }) => ({ token: null, values: { email, password } })),
  'legacyauth.LoginAsAdmin': ({ administrator }) => ({ token: null, values: administrator }),
  'legacyauth.Refresh': ghost(({ refreshToken }) => ({ token: null, values: { refreshToken } })),
  'legacyauth.GetProfile': ghost(({ token }) => ({ token })),
  'legacyauth.GetProfileAsAdmin': async world => {
    const call = { token: undefined, body: world.administrator }
    const pair = await world.ask('legacyauth', 'POST', '/auth/loginAsAdmin', call, 200)
    return { token: String(pair['accessToken']) }
  },
  'legacyauth.ChangePassword': ghost(({ token }) => ({ token, values: { oldPassword: password } })),
  'legacyauth.InviteAccount': async world => {
    const email = world.address()
    return { token: null, key: world.apiKey, values: { email, memberId: await world.member(email) } }
  },
  'legacyauth.RegisterTemp': ghost(async ({ email }, world) => {
    const mail = await world.mailTo(email, /token=[\w-]+\.[\w-]+\./)
    return { token: null, values: { token: /token=([\w-]+\.[\w-]+\.[\w-]+)/.exec(mail)?.[1] } }
  }),
  'legacyauth.ChangeMail': ghost(({ email }, { root, address }) => ({
    token: root,
    values: { oldEmail: email, newEmail: address() },
  })),
  'legacyauth.DeleteAccount': ghost(({ email }, { root }) => ({ token: root, values: { email } })),
  'legacyauth.ChangePasswordByAdmin': ghost(({ email }, { root }) => ({ token: root, values: { email } })),
  'legacyauth.RevokeTokensByEmail': ghost(({ email }, { root }) => ({ token: root, values: { email } })),
  'legacyauth.RevokeRefreshTokens': ghost(({ userId }, { root }) => ({ token: root, values: { userId } })),
  'legacyauth.DeleteUserTokens': ghost(({ userId }, { root }) => ({ token: root, values: { userId } })),
  'legacyauth.SetLoginData': ghost(({ userId }, { root }) => ({ token: root, values: { userId } })),
  'legacyauth.DeleteEcosystemAccounts': async world => ({
    token: world.root,
    values: { ecosystemId: (await world.hotel())['id'] },
  }),
  'legacyauth.RequestReset': ghost(({ email }) => ({ token: null, values: { email } })),
  'legacyauth.SendResetEmail': ghost(({ email }) => ({ token: null, values: { email } })),
  'legacyauth.CheckResetCode': reset,
  'legacyauth.CheckResetRequest': reset,
  'legacyauth.ResetPassword': reset,
}
