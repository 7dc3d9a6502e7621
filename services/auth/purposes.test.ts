import { bootstrap, chief, newPassword, password } from '../../test/kit/auth/auth.ts'
import { legacyForTest } from '../../test/kit/auth/legacy.ts'
import { assert, eventually, refusal, suite } from '../../test/kit/kit.ts'
import { cipher } from '../kernel/base/secrets.ts'

/*
 * Offers every token, code and ciphertext of the platform to every place that accepts one: only its own place accepts
 * it. Text sealed for another purpose contains, once opened, valid access token claims.
 */
const test = suite('kinds of tokens')
const { host, db, invited, enter, anonymous, asService, withToken } = await legacyForTest(test, {
  ...bootstrap,
  SIGN_IN_SUBJECT_LIMIT: '1000',
})
const signIn = anonymous.signIn
const legacy = anonymous.legacySignIn
const accounts = asService.accounts
const passwords = anonymous.passwords
const trusted = asService.legacyPasswords

/** The token in the last mail of a kind to an address. */
const mailed = async (to: string, slug: string): Promise<string> => {
  const mail = await eventually(() => host.next.mails.findLast(one => one.to === to && one.slug === slug))
  return new URL(mail.variables['link'] ?? '').searchParams.get('token') ?? ''
}

const { email, hotelId = '', userId } = await invited()
// Another account's, since a new password of this account voids its tokens.
const create = await mailed((await invited()).email, 'user_invitation')
const old = await enter(email)
const modern = await signIn.login({ email, password })
const administrator = await eventually(() => legacy.loginAsAdmin(chief))
await passwords.forgotPassword({ email })
const requested = await trusted.requestReset({ email })
const registeredEmail = host.newEmail()
await signIn.register({ email: registeredEmail, password })
const member = host.next.members.find(one => one.userId === userId)
const owned = { ecosystemId: hotelId, role: 'owner', isOwner: true, permissions: [] }
Object.assign(member ?? {}, { access: { ecosystems: [owned] } })
const credential = await withToken(modern.accessToken).credentials.createCredential({ ecosystemId: hotelId })

const { JWT_ACCESS_SECRET = '', JWT_REFRESH_SECRET = '', PASSWORD_ENCRYPTION_KEY = '', SERVICE_API_KEY = '' } = host.env
const claims = JSON.stringify(host.tokens.verify(modern.accessToken))
const sealClaims = (purpose: string, secret: string) => cipher(purpose, [secret]).seal(claims)

const kinds = {
  'modern access token': modern.accessToken,
  'legacy access token': old.accessToken,
  'administrator’s access token': administrator.accessToken,
  'modern refresh token': modern.refreshToken,
  'legacy refresh token': old.refreshToken,
  'administrator’s refresh token': administrator.refreshToken,
  'modern reset token': await mailed(email, 'password_reset'),
  'legacy reset token': requested.tokenFrontRoute ?? '',
  'legacy reset code': requested.generatedcode ?? '',
  'create-password token': create,
  'verification token': await mailed(registeredEmail, 'verify_email'),
  'invitation token': host.invite(host.newEmail()),
  'key of a credential': credential.apiKey,
  'secret of a credential': credential.apiSecret,
  'service key': SERVICE_API_KEY,
  'stored secret': sealClaims('stored-secret', PASSWORD_ENCRYPTION_KEY),
  'queued mail': sealClaims('queued-mail', PASSWORD_ENCRYPTION_KEY),
  'unsubscribe link': sealClaims('unsubscribe', PASSWORD_ENCRYPTION_KEY),
  'sealed link of an invitation': sealClaims('invitation-link', PASSWORD_ENCRYPTION_KEY),
  'access token under the storage key': sealClaims('access-token', PASSWORD_ENCRYPTION_KEY),
  'access token under the refresh secret': sealClaims('access-token', JWT_REFRESH_SECRET),
  'kept answer': sealClaims('kept-answer', JWT_ACCESS_SECRET),
  'refresh token’s purpose under the access secret': sealClaims('legacy-refresh-token', JWT_ACCESS_SECRET),
  'a digest of itself': (await db.selectFrom('refresh_tokens').select('token_digest').executeTakeFirstOrThrow())
    .token_digest,
}
type Kind = keyof typeof kinds

const withKey = (key: string) => ({ headers: { 'x-api-key': key } })
/** Where a value is offered, and which kinds belong there. Places that consume a value come last. */
const places: Record<string, { offer(value: string): Promise<unknown>; ownKinds: Kind[] }> = {
  'the bearer of a modern route': {
    offer: value => withToken(value).users.getMe({}),
    ownKinds: ['modern access token', 'legacy access token'],
  },
  'the bearer of a legacy route': {
    offer: value => withToken(value).legacyProfiles.getProfile({}),
    ownKinds: ['modern access token', 'legacy access token'],
  },
  'the bearer of an administrator': {
    offer: value => withToken(value).legacyProfiles.getProfileAsAdmin({}),
    ownKinds: ['administrator’s access token'],
  },
  'a service’s X-API-Key': {
    offer: value => anonymous.accounts.getAccountState({ userId }, withKey(value)),
    ownKinds: ['service key'],
  },
  'the key of a credential': {
    offer: value => accounts.verifyCredential({ apiKey: value, apiSecret: credential.apiSecret }),
    ownKinds: ['key of a credential'],
  },
  'the secret of a credential': {
    offer: value => accounts.verifyCredential({ apiKey: credential.apiKey, apiSecret: value }),
    ownKinds: ['secret of a credential'],
  },
  'the check of a legacy reset code': {
    offer: value => trusted.checkResetCode({ email, code: value }),
    ownKinds: ['legacy reset code'],
  },
  'the check of a legacy reset token': {
    offer: value => trusted.checkResetRequest({ email, token: value }),
    ownKinds: ['legacy reset token'],
  },
  'a verification': {
    offer: token => signIn.verifyEmail({ token, password: newPassword }),
    ownKinds: ['verification token'],
  },
  'a sign-up': {
    offer: token => anonymous.users.signUp({ token, password }),
    ownKinds: ['invitation token'],
  },
  'the acceptance of an invitation': {
    offer: token => anonymous.invitations.acceptInvitation({ token, password }),
    // The sign-up has consumed it.
    ownKinds: [],
  },
  'the modern exchange': {
    offer: refreshToken => signIn.refreshToken({ refreshToken }),
    ownKinds: ['modern refresh token'],
  },
  'the legacy exchange': {
    offer: refreshToken => legacy.refresh({ refreshToken }),
    ownKinds: ['legacy refresh token', 'administrator’s refresh token'],
  },
  registerTemp: {
    offer: token => legacy.registerTemp({ token, password: newPassword }),
    ownKinds: ['create-password token'],
  },
  'the modern reset': {
    offer: token => passwords.resetPassword({ token, password: newPassword }),
    ownKinds: ['modern reset token'],
  },
}

for (const [place, { offer, ownKinds }] of Object.entries(places))
  test(`${place} accepts ${ownKinds.join(' and ') || 'none of them'} and nothing else`, async () => {
    for (const [kind, value] of Object.entries(kinds) as [Kind, string][]) {
      assert.ok(value, kind)
      if (ownKinds.includes(kind)) continue
      // Resets the guess counters, which would refuse values for another reason.
      await db.deleteFrom('rate_counters').execute()
      const { status } = (await refusal(offer(value).then(() => assert.unreachable(kind)))).info
      assert.ok([400, 401, 403, 404, 409].includes(status), `${kind}: ${status}`)
    }
    await db.deleteFrom('rate_counters').execute()
    for (const kind of ownKinds) await offer(kinds[kind])
  })

test.run()
