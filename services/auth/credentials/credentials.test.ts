import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { CredentialService } from '../../../gen/platform/auth/v1/credentials_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { password, startAuthHost } from '../../../test/kit/auth/auth.ts'
import { assert, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('credentials')
const host = await startAuthHost()
const { db } = host
const signIn = host.as(SignInService)
const accounts = host.client(AccountService)

async function account(access: object) {
  const email = host.newEmail()
  const answer = await signIn.register({ email, password })
  const id = answer.user?.id ?? ''
  host.next.members.push({ id: newId(), userId: id, email, isActive: true, access } as never)
  return { email, ...answer, id }
}

test.after(() => host.end())

const ecosystemId = newId()
const ownerOf = (id: string) => ({ ecosystems: [{ ecosystemId: id, role: 'owner', isOwner: true, permissions: [] }] })

test('credentials show their secret once, can be verified, and end when revoked', async () => {
  const owner = await account(ownerOf(ecosystemId))
  const mine = host.bearing(CredentialService, owner.accessToken)
  const made = await mine.createCredential({ ecosystemId, permissions: ['view_members'] })
  const pair = { apiKey: made.apiKey, apiSecret: made.apiSecret }
  const listed = (await mine.listCredentials({ ecosystemId })).data[0]
  assert.is(listed?.apiKey, made.apiKey)
  assert.not.ok(Object.values(listed ?? {}).includes(made.apiSecret))
  const verified = await accounts.verifyCredential(pair)
  assert.is(verified.ecosystemId, ecosystemId)
  assert.equal(verified.permissions, ['view_members'])
  await isRefused(accounts.verifyCredential({ ...pair, apiSecret: 'wrong' }), 401)
  for (const apiKey of ['é', '😀', 'a\0b']) {
    const { status, violations } = (await refusal(accounts.verifyCredential({ ...pair, apiKey }))).info
    assert.equal([status, violations[0]?.path], [400, 'apiKey'], apiKey)
  }
  const { api_secret } = await db
    .selectFrom('ecosystem_credentials')
    .select('api_secret')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  assert.match(api_secret, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  const isLive = async (credentialId: string) => (await accounts.checkCredential({ credentialId })).isLive
  assert.equal([await isLive(made.id), await isLive(newId())], [true, false])
  await mine.revokeCredential({ id: made.id })
  await mine.revokeCredential({ id: made.id })
  assert.is(await isLive(made.id), false)
  await isRefused(accounts.verifyCredential(pair), 401)
})

test('another ecosystem’s credentials are not found, and its routes are closed', async () => {
  const owner = await account(ownerOf(ecosystemId))
  const stranger = await account(ownerOf(newId()))
  const made = await host.bearing(CredentialService, owner.accessToken).createCredential({ ecosystemId })
  const theirs = host.bearing(CredentialService, stranger.accessToken)
  await isRefused(theirs.revokeCredential({ id: made.id }), 404)
  await isRefused(theirs.revokeCredential({ id: newId() }), 404)
  await isRefused(theirs.listCredentials({ ecosystemId }), 403)
  await isRefused(theirs.createCredential({ ecosystemId }), 403)
})

test('credentials have only permissions of their creator, and only an expiry time in the future', async () => {
  const manager = { ecosystemId, role: 'member', isOwner: false, permissions: ['manage_ecosystem', 'view_members'] }
  const { accessToken } = await account({ ecosystems: [manager] })
  const mine = host.bearing(CredentialService, accessToken)
  await mine.createCredential({ ecosystemId, permissions: ['view_members'] })
  await isRefused(mine.createCredential({ ecosystemId, permissions: ['manage_members'] }), 403)
  await isRefused(mine.createCredential({ ecosystemId, permissions: ['unknown', 'manage_members'] }), 403)
  const made = await mine.createCredential({ ecosystemId, permissions: ['unknown', 'view_members', 'unknown:é'] })
  assert.equal(made.permissions, ['unknown', 'view_members', 'unknown:é'])
  const granted = await accounts.verifyCredential({ apiKey: made.apiKey, apiSecret: made.apiSecret })
  assert.equal(granted.permissions, ['view_members'])
  const expiresAt = timestampFromDate(new Date(Date.now() - 1000))
  await isRefused(mine.createCredential({ ecosystemId, expiresAt }), 400)
  const plain = await account({ ecosystems: [{ ...manager, permissions: [] }] })
  await isRefused(host.bearing(CredentialService, plain.accessToken).createCredential({ ecosystemId }), 403)
})

test.run()
