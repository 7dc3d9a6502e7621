import { type DescField, type DescService, ScalarType } from '@bufbuild/protobuf'
import bcrypt from 'bcrypt'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { CredentialService } from '../../../gen/platform/auth/v1/credentials_pb.ts'
import { InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { SessionService } from '../../../gen/platform/auth/v1/sessions_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { AccountService as LegacyAccounts } from '../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { PasswordService as LegacyPasswords } from '../../../gen/platform/legacyauth/v1/passwords_pb.ts'
import { SignInService as LegacySignIn } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { legacyForTest } from '../../../test/kit/auth/legacy.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

/*
 * Keyboards write é as one character or as two. Every method that takes a password, each with the password set in one
 * form and typed in the other, and with a common password, which there is no blocklist against [D161].
 */
const test = suite('passwords that are taken')
const { host, db, invited, anonymous, asService, withToken } = await legacyForTest(test, {
  SIGN_IN_LIMIT: '100000',
  SIGN_IN_SUBJECT_LIMIT: '100000',
  ANONYMOUS_LIMIT: '100000',
})
const [composed, decomposed] = ['réception été 7', 'forêt brûlée 19'].map(text => text.normalize('NFC')) as [
  string,
  string,
]
const [common, otherCommon] = ['Test1234', 'password123'] as const
const signIn = anonymous.signIn
const legacy = anonymous.legacySignIn
const accounts = asService.accounts
const mailed = async (to: string, slug: string): Promise<string> => {
  const mail = await eventually(() => host.next.mails.findLast(one => one.to === to && one.slug === slug))
  return mail.variables['token'] ?? ''
}
const enters = (email: string, secret: string) => signIn.login({ email, password: secret })

async function register(secret: string) {
  const email = host.newEmail()
  const { accessToken, user } = await signIn.register({ email, password: secret })
  return { email, accessToken, id: user?.id ?? '' }
}
/** A member who signs in to the legacy version too, with the hash of exactly this text. */
async function memberWith(hashed: string) {
  const { email, userId } = await invited()
  const password_hash = await bcrypt.hash(hashed, 10)
  await db.updateTable('users').set({ password_hash, is_tmp_password: 0 }).where('id', '=', userId).execute()
  return { email, userId }
}
const legacyEnters = (email: string, secret: string) => legacy.login({ type: 'mobile', email, password: secret })

type Case = (set: string, typed: string) => Promise<unknown>
const cases: Record<string, Case> = {
  [nameOf(SignInService, 'Register')]: async (set, typed) => enters((await register(set)).email, typed),
  [nameOf(SignInService, 'Login')]: async (set, typed) => enters((await register(set)).email, typed),
  [nameOf(SignInService, 'VerifyEmail')]: async (set, typed) => {
    const { email } = await register('correct horse 7')
    await signIn.verifyEmail({ token: await mailed(email, 'verify_email'), password: set })
    await enters(email, typed)
  },
  [nameOf(UserService, 'SignUp')]: async (set, typed) => {
    const email = host.newEmail()
    await anonymous.users.signUp({ token: host.invite(email), password: set })
    await enters(email, typed)
  },
  [nameOf(UserService, 'UpdateMe')]: async (set, typed) => {
    const { accessToken } = await register(set)
    const change = { email: host.newEmail(), currentPassword: typed, updateMask: { paths: ['email'] } }
    await withToken(accessToken).users.updateMe(change)
  },
  [nameOf(UserService, 'DeleteMe')]: async (set, typed) =>
    withToken((await register(set)).accessToken).users.deleteMe({ password: typed }),
  [nameOf(InvitationService, 'AcceptInvitation')]: async (set, typed) => {
    const email = host.newEmail()
    await anonymous.invitations.acceptInvitation({ token: host.invite(email), password: set })
    await enters(email, typed)
  },
  [nameOf(PasswordService, 'ResetPassword')]: async (set, typed) => {
    const { email } = await register('correct horse 7')
    await anonymous.passwords.forgotPassword({ email })
    await anonymous.passwords.resetPassword({ token: await mailed(email, 'password_reset'), password: set })
    await enters(email, typed)
  },
  [nameOf(PasswordService, 'ChangePassword')]: async (set, typed) => {
    const { accessToken, email } = await register(set)
    const passwords = withToken(accessToken).passwords
    await passwords.changePassword({ currentPassword: typed, newPassword: other(set) })
    await enters(email, other(typed))
  },
  [nameOf(AccountService, 'EnsureAdministrator')]: async (set, typed) => {
    const email = host.newEmail()
    await accounts.ensureAdministrator({ email, password: set })
    await enters(email, typed)
  },
  [nameOf(AccountService, 'CheckPassword')]: async (set, typed) =>
    accounts.checkPassword({ userId: (await register(set)).id, password: typed }),
  [nameOf(AccountService, 'ChangeUserEmail')]: async (set, typed) => {
    const { id: userId } = await register(set)
    await accounts.changeUserEmail({ userId, email: host.newEmail(), asker: { userId }, currentPassword: typed })
  },
  [nameOf(LegacySignIn, 'Login')]: async (set, typed) =>
    legacyEnters((await memberWith(set.normalize('NFC'))).email, typed),
  [nameOf(LegacySignIn, 'LoginAsAdmin')]: async (set, typed) => {
    const email = host.newEmail()
    await accounts.ensureAdministrator({ email, password: set })
    await legacy.loginAsAdmin({ email, password: typed })
  },
  [nameOf(LegacySignIn, 'RegisterTemp')]: async (set, typed) => {
    const { email } = await invited()
    await legacy.registerTemp({ token: await mailed(email, 'user_invitation'), password: set })
    await enters(email, typed)
  },
  [nameOf(LegacyAccounts, 'InviteAccount')]: async (set, typed) => {
    const [email, id] = [host.newEmail(), newId()]
    host.next.members.push({ id, email, isActive: true })
    await asService.legacyAccounts.inviteAccount({ email, password: set, memberId: id })
    await enters(email, typed)
  },
  [nameOf(LegacyAccounts, 'ChangeMail')]: async (set, typed) => {
    const email = host.newEmail()
    await accounts.ensureAdministrator({ email, password: set })
    const { accessToken } = await legacy.loginAsAdmin({ email, password: set })
    const change = { oldEmail: email, newEmail: host.newEmail(), currentPassword: typed }
    await withToken(accessToken).legacyAccounts.changeMail(change)
  },
  [nameOf(LegacyPasswords, 'ResetPassword')]: async (set, typed) => {
    const { email } = await register('correct horse 7')
    const { generatedcode, tokenFrontRoute } = await asService.legacyPasswords.requestReset({ email })
    const proof = { email, code: generatedcode, hashedToken: tokenFrontRoute }
    await anonymous.legacyPasswords.resetPassword({ ...proof, newPassword: set })
    await enters(email, typed)
  },
  [nameOf(LegacyPasswords, 'ChangePassword')]: async (set, typed) => {
    const { accessToken, email } = await register(set)
    const passwords = withToken(accessToken).legacyPasswords
    await passwords.changePassword({ oldPassword: typed, newPassword: other(set) })
    await enters(email, other(typed))
  },
}

function nameOf(service: DescService, method: string): string {
  return `${service.typeName}.${method}`
}
const isText = (field: DescField): boolean => field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING
/** Another password of the same kind. */
function other(secret: string): string {
  if (secret === common) return otherCommon
  return secret === secret.normalize('NFC') ? decomposed : decomposed.normalize('NFD')
}

test('every method that takes a password is a case here', () => {
  const services = [
    AccountService,
    CredentialService,
    InvitationService,
    PasswordService,
    SessionService,
    SignInService,
  ]
  const all = [...services, UserService, LegacyAccounts, LegacyPasswords, LegacySignIn]
  const takers = all.flatMap(service =>
    service.methods
      .filter(({ input }) => input.fields.some(one => one.name.endsWith('password') && isText(one)))
      .map(method => nameOf(service, method.name)),
  )
  assert.equal(takers.toSorted(), Object.keys(cases).toSorted())
})

for (const [name, run] of Object.entries(cases))
  for (const form of ['NFC', 'NFD'] as const)
    test(`${name} takes a password that was set as ${form} in the other form`, async () => {
      await run(composed.normalize(form), composed.normalize(form === 'NFC' ? 'NFD' : 'NFC'))
    })

for (const [name, run] of Object.entries(cases))
  test(`${name} takes a common password without the blocklist`, () => run(common, common).then(() => undefined))

for (const [version, login] of Object.entries({ modern: enters, legacy: legacyEnters }))
  test(`a sign-in of the ${version} version takes a password hashed as typed, and renews the hash in its normal form`, async () => {
    const typed = composed.normalize('NFD')
    const { email } = await memberWith(typed)
    await login(email, typed)
    await login(email, composed)
    const { password_hash } = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    assert.ok(await bcrypt.compare(composed, password_hash))
  })

test.run()
