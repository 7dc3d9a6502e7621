import { CredentialService } from '../../gen/platform/auth/v1/credentials_pb.ts'
import { InvitationService } from '../../gen/platform/auth/v1/invitations_pb.ts'
import { authForTest, newPassword, password } from '../../test/kit/auth/auth.ts'
import { statesOf } from '../../test/kit/auth/states.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { newId } from '../kernel/base/ids.ts'
import { digest, newToken } from '../kernel/base/secrets.ts'
import { createHasher } from './hashing/hashing.ts'

/*
 * Everything with states in the modern version: each state meets each trigger. A number is the status of a refusal,
 * which keeps the state; a word is the next state. legacy/states.test.ts has the legacy transitions.
 */
const test = suite('states of the modern version')
const { host, db, anonymous, asService, withToken } = await authForTest(test, {
  SIGN_IN_SUBJECT_LIMIT: '100000',
  PASSWORD_BLOCKLIST: 'true',
})
const hasher = await createHasher()
const password_hash = await hasher.rehash(password)
await hasher.stop()
const signIn = anonymous.signIn
const passwords = anonymous.passwords
const accounts = asService.accounts
const later = new Date(Date.now() + 3_600_000)
const past = new Date(Date.now() - 1_000)
const times = () => ({ created_at: new Date(), updated_at: new Date() })

/** A signed-in user, created without hashing. */
async function person() {
  const [id, sessionId, refreshToken] = [newId(), newId(), newToken()]
  const email = host.newEmail()
  await db
    .insertInto('users')
    .values({ id, email, password_hash, ...times() })
    .execute()
  await db
    .insertInto('sessions')
    .values({ id: sessionId, user_id: id, last_activity: new Date(), expires_at: later, ...times() })
    .execute()
  const token = {
    token_digest: digest(refreshToken),
    session_id: sessionId,
    kind: 'modern' as const,
    expires_at: later,
  }
  await db
    .insertInto('refresh_tokens')
    .values({ id: newId(), ...token, ...times() })
    .execute()
  const claims = { userId: id, email, isAdmin: false, memberId: null, workspaceId: null, roles: [], permissions: [] }
  const accessToken = host.tokens.issue({ ...claims, kind: 'modern', sessionId }, 900)
  return { id, email, sessionId, refreshToken, accessToken }
}
type Person = Awaited<ReturnType<typeof person>>

const table = statesOf(test)

/** Expires a record, given its token. */
const lapse = (from: 'password_resets' | 'refresh_tokens' | 'email_verifications', token: string) =>
  db
    .updateTable(from)
    .set({ expires_at: past } as never)
    .where('token_digest', '=', digest(token))
    .execute()
const disable = ({ id }: Person) => accounts.deactivateUsers({ userIds: [id] })
const remove = ({ accessToken }: Person) => withToken(accessToken).users.deleteMe({ password })
const stay = async () => undefined

table<Person>('an account', {
  make: person,
  states: { active: stay, disabled: disable, deleted: remove },
  async stateOf({ id }) {
    const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return row.deleted_at ? 'deleted' : row.is_active ? 'active' : 'disabled'
  },
  triggers: {
    'sign in': { run: ({ email }) => signIn.login({ email, password }), to: ['active', 401, 401] },
    'use its token': {
      run: ({ accessToken }) => withToken(accessToken).users.getMe({}),
      to: ['active', 401, 401],
    },
    'exchange its refresh token': {
      run: ({ refreshToken }) => signIn.refreshToken({ refreshToken }),
      to: ['active', 401, 401],
    },
    'change its password': {
      run: ({ accessToken }) =>
        withToken(accessToken).passwords.changePassword({ currentPassword: password, newPassword }),
      to: ['active', 401, 401],
    },
    'delete it': { run: remove, to: ['deleted', 401, 401] },
    'disable it': { run: disable, to: ['disabled', 'disabled', 'deleted'] },
    'enable it': { run: ({ id }) => accounts.reactivateUsers({ userIds: [id] }), to: ['active', 'active', 'deleted'] },
    'revoke its tokens': {
      run: ({ id }) => accounts.revokeUserTokens({ userId: id }),
      to: ['active', 'disabled', 404],
    },
  },
})

type Reset = { owner: Person; token: string }
const resetRow = ({ token }: Reset) =>
  db.selectFrom('password_resets').selectAll().where('token_digest', '=', digest(token)).executeTakeFirstOrThrow()
const reset = ({ token }: Reset, secret = newPassword) => passwords.resetPassword({ token, password: secret })

table<Reset>('a reset request', {
  async make() {
    const [owner, token] = [await person(), newToken()]
    const request = { kind: 'modern' as const, email: owner.email, user_id: owner.id, token_digest: digest(token) }
    await db
      .insertInto('password_resets')
      .values({ id: newId(), ...request, expires_at: later, ...times() })
      .execute()
    return { owner, token }
  },
  states: {
    open: stay,
    used: one => reset(one),
    voided: ({ token }) =>
      db.updateTable('password_resets').set({ is_used: 1 }).where('token_digest', '=', digest(token)).execute(),
    expired: ({ token }) => lapse('password_resets', token),
  },
  async stateOf(one) {
    const [row, owner] = [
      await resetRow(one),
      await db.selectFrom('users').selectAll().where('id', '=', one.owner.id).executeTakeFirstOrThrow(),
    ]
    if (row.is_used) return owner.password_hash === password_hash ? 'voided' : 'used'
    return row.expires_at <= new Date() ? 'expired' : 'open'
  },
  triggers: {
    'reset with its token': { run: one => reset(one, 'a third horse 9'), to: ['used', 400, 400, 400] },
    'a common password': { run: one => reset(one, 'password123'), to: [400, 400, 400, 400] },
    'another request': {
      run: ({ owner }) => passwords.forgotPassword({ email: owner.email }),
      to: ['open', 'used', 'voided', 'expired'],
    },
    'its owner is disabled, then reset': {
      run: async one => (await disable(one.owner), reset(one)),
      to: [400, 400, 400, 400],
    },
    'its owner is deleted, then reset': {
      run: async one => (
        await db
          .updateTable('users')
          .set({ email: null, is_active: 0, deleted_at: past })
          .where('id', '=', one.owner.id)
          .execute(),
        reset(one)
      ),
      to: [400, 400, 400, 400],
    },
    'its owner moves to another address, then reset': {
      run: async one => (
        await db.updateTable('users').set({ email: host.newEmail() }).where('id', '=', one.owner.id).execute(),
        reset(one)
      ),
      to: [400, 400, 400, 400],
    },
  },
})

test('a reset request: any other change of the password voids the open one', async () => {
  const owner = await person()
  const tokens = [newToken(), newToken()]
  for (const [index, token] of tokens.entries()) {
    const request = { kind: index ? ('legacy' as const) : ('modern' as const), email: owner.email, user_id: owner.id }
    const row = { id: newId(), ...request, token_digest: digest(token), expires_at: later, ...times() }
    await db.insertInto('password_resets').values(row).execute()
  }
  await reset({ owner, token: tokens[0] ?? '' })
  assert.is((await resetRow({ owner, token: tokens[1] ?? '' })).is_used, 1)
})

const exchange = ({ refreshToken }: Person) => signIn.refreshToken({ refreshToken })
const usedAt = ({ refreshToken }: Person, used_at: Date) =>
  db.updateTable('refresh_tokens').set({ used_at }).where('token_digest', '=', digest(refreshToken)).execute()

table<Person>('a refresh token', {
  make: person,
  states: {
    active: stay,
    // Keeps the exchanges within the race window of ten seconds on a busy machine.
    exchanged: async one => (await exchange(one), usedAt(one, later)),
    'exchanged long ago': async one => (await exchange(one), usedAt(one, new Date(Date.now() - 11_000))),
    revoked: ({ id }) => accounts.revokeUserTokens({ userId: id }),
    expired: ({ refreshToken }) => lapse('refresh_tokens', refreshToken),
  },
  async stateOf({ refreshToken }) {
    const row = await db
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('token_digest', '=', digest(refreshToken))
      .executeTakeFirstOrThrow()
    if (row.is_revoked) return 'revoked'
    if (row.used_at) return Date.now() - row.used_at.getTime() > 10_000 ? 'exchanged long ago' : 'exchanged'
    return row.expires_at <= new Date() ? 'expired' : 'active'
  },
  triggers: {
    'exchange, a lost race included': {
      run: one => exchange(one).catch(error => (assert.is(error.code, 16), undefined)),
      to: ['exchanged', 'exchanged', 'revoked', 'revoked', 'expired'],
    },
    'sign out with it': {
      run: ({ accessToken, refreshToken }) => withToken(accessToken).signIn.logout({ refreshToken }),
      to: ['revoked', 'revoked', 'revoked', 'revoked', 'revoked'],
    },
    'revoke all of the user': {
      run: ({ id }) => accounts.revokeUserTokens({ userId: id }),
      to: ['revoked', 'revoked', 'revoked', 'revoked', 'revoked'],
    },
    'disable its user': {
      run: disable,
      to: ['revoked', 'revoked', 'revoked', 'revoked', 'revoked'],
    },
  },
})

type Session = Person & { other: string }
const sessions = ({ accessToken }: Person) => withToken(accessToken).sessions

table<Session>('a session', {
  async make() {
    const [one, other] = [await person(), newId()]
    await db
      .insertInto('sessions')
      .values({ id: other, user_id: one.id, last_activity: new Date(), expires_at: later, ...times() })
      .execute()
    return { ...one, other }
  },
  states: {
    active: stay,
    ended: one => sessions(one).endMySession({ id: one.other }),
    expired: ({ other }) => db.updateTable('sessions').set({ expires_at: past }).where('id', '=', other).execute(),
  },
  async stateOf({ other }) {
    const row = await db.selectFrom('sessions').selectAll().where('id', '=', other).executeTakeFirstOrThrow()
    if (!row.is_active) return 'ended'
    return row.expires_at && row.expires_at <= new Date() ? 'expired' : 'active'
  },
  triggers: {
    'end it': {
      run: one => sessions(one).endMySession({ id: one.other }),
      to: ['ended', 404, 'ended'],
    },
    'end it as a stranger': {
      run: async one => withToken((await person()).accessToken).sessions.endMySession({ id: one.other }),
      to: [404, 404, 404],
    },
    'end all others': {
      run: one => sessions(one).endMyOtherSessions({}),
      to: ['ended', 'ended', 'ended'],
    },
    'change the password elsewhere': {
      run: ({ accessToken }) =>
        withToken(accessToken).passwords.changePassword({ currentPassword: password, newPassword }),
      to: ['ended', 'ended', 'ended'],
    },
    'delete the account': { run: remove, to: ['ended', 'ended', 'ended'] },
  },
})

type Invited = {
  client: ReturnType<typeof host.bearing<typeof InvitationService>>
  id: string
  token: string
  email: string
  workspaceId: string
}
const pendingOf = ({ email }: { email: string }) => host.next.invitations.find(one => one.email === email)
const accept = ({ token }: Invited) => anonymous.invitations.acceptInvitation({ token, password })
const expire = async (one: Invited) => {
  Object.assign(pendingOf(one) ?? {}, { status: 'expired' })
}

table<Invited>('an invitation', {
  async make() {
    const [inviter, email, workspaceId] = [await person(), host.newEmail(), newId()]
    const membership = { workspaceId, workspaceName: 'Hotel', ecosystemId: newId(), role: 'admin', isAdmin: true }
    const access = { workspaces: [{ ...membership, permissions: ['invite_members'] }] }
    host.next.members.push({ id: newId(), userId: inviter.id, email: inviter.email, isActive: true, access } as never)
    const client = withToken(inviter.accessToken).invitations
    const { invitation } = await client.sendInvitation({ email, role: 'member' })
    return { client, id: invitation?.id ?? '', token: pendingOf({ email })?.token ?? '', email, workspaceId }
  },
  states: {
    pending: stay,
    accepted: accept,
    revoked: ({ client, id }) => client.revokeInvitation({ id }),
    expired: expire,
  },
  stateOf: async ({ client, id }) =>
    (await client.listInvitations({})).data.find(one => one.id === id)?.status ?? 'none',
  triggers: {
    'accept it': { run: accept, to: ['accepted', 409, 409, 410] },
    'revoke it': { run: ({ client, id }) => client.revokeInvitation({ id }), to: ['revoked', 409, 409, 410] },
    'invite again': {
      run: ({ client, email }) => client.sendInvitation({ email, role: 'viewer' }),
      to: ['pending', 'pending', 'pending', 'pending'],
    },
  },
})

type Credential = {
  owner: Person
  id: string
  apiKey: string
  apiSecret: string
  client: ReturnType<typeof host.bearing<typeof CredentialService>>
}
const verify = ({ apiKey, apiSecret }: Credential) => accounts.verifyCredential({ apiKey, apiSecret })

table<Credential>('an ecosystem credential', {
  async make() {
    const [owner, ecosystemId] = [await person(), newId()]
    const access = { ecosystems: [{ ecosystemId, role: 'owner', isOwner: true, permissions: [] }] }
    host.next.members.push({ id: newId(), userId: owner.id, email: owner.email, isActive: true, access } as never)
    const client = withToken(owner.accessToken).credentials
    const { id, apiKey, apiSecret } = await client.createCredential({ ecosystemId })
    return { owner, id, apiKey, apiSecret, client }
  },
  states: {
    active: stay,
    revoked: ({ client, id }) => client.revokeCredential({ id }),
    expired: ({ id }) =>
      db
        .updateTable('ecosystem_credentials')
        .set({ expires_at: past } as never)
        .where('id', '=', id)
        .execute(),
  },
  async stateOf({ id }) {
    const row = await db.selectFrom('ecosystem_credentials').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (!row.is_active) return 'revoked'
    return row.expires_at && row.expires_at <= new Date() ? 'expired' : 'active'
  },
  triggers: {
    'use it': { run: verify, to: ['active', 401, 401] },
    'revoke it': { run: ({ client, id }) => client.revokeCredential({ id }), to: ['revoked', 'revoked', 'revoked'] },
    'its owner is disabled, then use it': {
      run: async one => (await disable(one.owner), verify(one)),
      to: [401, 401, 401],
    },
    'its owner is deleted': { run: ({ owner }) => remove(owner), to: ['revoked', 'revoked', 'revoked'] },
  },
})

type Verification = { owner: Person; token: string }
const confirm = ({ owner, token }: Verification) => withToken(owner.accessToken).signIn.verifyEmail({ token })

table<Verification>('a verification of an address', {
  async make() {
    const [owner, token] = [await person(), newToken()]
    const row = { user_id: owner.id, email: owner.email, token_digest: digest(token), expires_at: later }
    await db
      .insertInto('email_verifications')
      .values({ id: newId(), ...row, created_at: new Date() })
      .execute()
    return { owner, token }
  },
  states: {
    open: stay,
    used: confirm,
    expired: ({ token }) => lapse('email_verifications', token),
  },
  async stateOf({ token }) {
    const row = await db
      .selectFrom('email_verifications')
      .selectAll()
      .where('token_digest', '=', digest(token))
      .executeTakeFirstOrThrow()
    if (row.is_used) return 'used'
    return row.expires_at <= new Date() ? 'expired' : 'open'
  },
  triggers: {
    'open its link': { run: confirm, to: ['used', 400, 400] },
    'its owner moves to another address, then open its link': {
      run: async one => (
        await db.updateTable('users').set({ email: host.newEmail() }).where('id', '=', one.owner.id).execute(),
        confirm(one)
      ),
      to: [400, 400, 400],
    },
  },
})

test.run()
