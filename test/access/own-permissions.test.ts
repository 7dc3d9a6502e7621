import { expect } from '../../cli/tour/world.ts'
import { EcosystemMemberService } from '../../gen/platform/member/v1/ecosystem_members_pb.ts'
import { PermissionService } from '../../gen/platform/member/v1/permissions_pb.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'
import { onEachSurface, type SurfaceCall } from '../kit/requests/surfaces.ts'

/** Permissions of oneself and as records [R85]. */
const test = suite('permissions, one’s own and as records')
const platform = await sharedPlatform()
let hotels: Houses
let home: House
let other: House
/** Their role has no permission at all. */
let nia: SharedPerson
let max: SharedPerson

test.before(async () => {
  hotels = await houses(platform)
  home = await hotels.house('Le Phare', 'ada')
  other = await hotels.house('Autre', 'eve')
  const role = { workspaceId: home.workspace, name: 'Nothing', slug: 'nothing', permissions: [] }
  await expect(hotels.world, 201, 'member', 'POST', '/roles', { token: home.token, body: role })
  nia = await hotels.settle(home, 'nia', ['Nia', 'None'], home.workspace, 'nothing')
  max = await hotels.settle(home, 'max', ['Max', 'More'], home.workspace, 'viewer')
})

const inWorkspace: SurfaceCall = {
  verb: 'GET',
  path: ({ memberId, workspaceId }) => `/permissions/member/${memberId}/workspace/${workspaceId}`,
  method: PermissionService.method.getMemberPermissions,
}
const inHotel: SurfaceCall = {
  verb: 'GET',
  path: ({ memberId, ecosystemId }) => `/permissions/member/${memberId}/ecosystem/${ecosystemId}`,
  method: EcosystemMemberService.method.getEcosystemMember,
}

test('everybody reads their own, with a role that grants nothing, and nobody else’s', async () => {
  const [workspaceId, ecosystemId] = [home.workspace, home.ecosystem]
  const cases = [
    { call: inWorkspace, own: { workspaceId }, foreign: { workspaceId: other.workspace }, tenant: 'Workspace' },
    { call: inHotel, own: { ecosystemId }, foreign: { ecosystemId: other.ecosystem }, tenant: 'Ecosystem' },
  ]
  for (const { call, own, foreign, tenant } of cases)
    for (const { surface, ask } of onEachSurface(platform, 'member', call)) {
      const ownAnswer = await ask(nia.token, { memberId: nia.id, ...own })
      assert.is(ownAnswer.status, 200, `${surface}: ${ownAnswer.text}`)
      assert.is((JSON.parse(ownAnswer.text).membership ?? JSON.parse(ownAnswer.text)).memberId, nia.id, surface)
      const otherAnswer = await ask(nia.token, { memberId: max.id, ...own })
      assert.equal([otherAnswer.status, otherAnswer.text], [403, 'Permission denied'], surface)
      const foreignAnswer = await ask(nia.token, { memberId: nia.id, ...foreign })
      assert.equal([foreignAnswer.status, foreignAnswer.text], [403, `${tenant} access denied`], surface)
    }
  const credential = { ecosystemId, permissions: ['manage_members'] }
  const createdCredential = await expect(hotels.world, 201, 'auth', 'POST', '/ecosystem/credentials', {
    token: home.token,
    body: credential,
  })
  const headers = {
    'x-api-key': String(createdCredential['apiKey']),
    'x-api-secret': String(createdCredential['apiSecret']),
  }
  const { memberId } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token: home.token })
  const ofOwner = `/permissions/member/${String(memberId)}/workspace/${workspaceId}`
  await expect(hotels.world, 403, 'member', 'GET', ofOwner, { headers })
})

test('a permission carries its times, once created and in the list', async () => {
  const creating: SurfaceCall = {
    verb: 'POST',
    path: () => '/permissions',
    method: PermissionService.method.createPermission,
  }
  for (const [index, { surface, ask }] of onEachSurface(platform, 'member', creating).entries()) {
    const slug = `ring_${index}_${hotels.world.run}`
    const fields = { slug, name: 'Ring', category: 'bells', resource: 'bell', action: 'manage' }
    const { status, text } = await ask(hotels.root, fields)
    assert.ok(status < 300, `${surface}: ${text}`)
    const permission = JSON.parse(text).permission ?? JSON.parse(text)
    assert.ok(
      Date.parse(permission.createdAt) > Date.now() - 60_000 && permission.updatedAt === permission.createdAt,
      text,
    )
    const { data } = await expect(hotels.world, 200, 'member', 'GET', '/permissions/all', { token: nia.token })
    const listedPermission = (data as (typeof permission)[] | undefined)?.find(one => one.slug === slug)
    assert.equal(
      [listedPermission.createdAt, listedPermission.updatedAt],
      [permission.createdAt, permission.updatedAt],
      surface,
    )
    assert.is((await ask(home.token, { ...fields, slug: `${slug}-2` })).status, 403, surface)
  }
})

test.run()
