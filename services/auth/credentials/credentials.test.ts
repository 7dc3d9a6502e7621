import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { authForTest } from '../../../test/kit/auth/auth.ts'
import { assert, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('credentials')
const { host, db, account, asService, withToken } = await authForTest(test)
const accounts = asService.accounts

async function accountWith(access: object) {
  const owner = await account()
  host.next.members.push({ id: newId(), userId: owner.id, email: owner.email, isActive: true, access } as never)
  return owner
}

const ecosystemId = newId()
const ownerOf = (id: string) => ({ ecosystems: [{ ecosystemId: id, role: 'owner', isOwner: true, permissions: [] }] })

test('credentials show their secret once, can be verified, and end when revoked', async () => {
  const owner = await accountWith(ownerOf(ecosystemId))
  const credentials = withToken(owner.accessToken).credentials
  const credential = await credentials.createCredential({ ecosystemId, permissions: ['view_members'] })
  const pair = { apiKey: credential.apiKey, apiSecret: credential.apiSecret }
  const listedCredential = (await credentials.listCredentials({ ecosystemId })).data[0]
  assert.is(listedCredential?.apiKey, credential.apiKey)
  assert.not.ok(Object.values(listedCredential ?? {}).includes(credential.apiSecret))
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
    .where('id', '=', credential.id)
    .executeTakeFirstOrThrow()
  assert.match(api_secret, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  const isLive = async (credentialId: string) => (await accounts.checkCredential({ credentialId })).isLive
  assert.equal([await isLive(credential.id), await isLive(newId())], [true, false])
  await credentials.revokeCredential({ id: credential.id })
  await credentials.revokeCredential({ id: credential.id })
  assert.is(await isLive(credential.id), false)
  await isRefused(accounts.verifyCredential(pair), 401)
})

test('credentials have only permissions of their creator, and only an expiry time in the future', async () => {
  const manager = { ecosystemId, role: 'member', isOwner: false, permissions: ['manage_ecosystem', 'view_members'] }
  const { accessToken } = await accountWith({ ecosystems: [manager] })
  const credentials = withToken(accessToken).credentials
  await credentials.createCredential({ ecosystemId, permissions: ['view_members'] })
  await isRefused(credentials.createCredential({ ecosystemId, permissions: ['manage_members'] }), 403)
  await isRefused(credentials.createCredential({ ecosystemId, permissions: ['unknown', 'manage_members'] }), 403)
  const credential = await credentials.createCredential({
    ecosystemId,
    permissions: ['unknown', 'view_members', 'unknown:é', 'unknown'],
  })
  assert.equal(credential.permissions, ['unknown', 'view_members', 'unknown:é'])
  const granted = await accounts.verifyCredential({ apiKey: credential.apiKey, apiSecret: credential.apiSecret })
  assert.equal(granted.permissions, ['view_members'])
  const expiresAt = timestampFromDate(new Date(Date.now() - 1000))
  await isRefused(credentials.createCredential({ ecosystemId, expiresAt }), 400)
  const plain = await accountWith({ ecosystems: [{ ...manager, permissions: [] }] })
  await isRefused(withToken(plain.accessToken).credentials.createCredential({ ecosystemId }), 403)
})

test.run()
