import { assert, eventually, refusal, suite, type TestHost } from '../../../test/kit/kit.ts'
import { addPerson, openWorld, someAddress, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { startHost } from '../../kernel/rpc/host.ts'
import { service as member } from '../service.ts'

const test = suite('effective rights')
const { host, asUser, asService } = await memberForTest(test)
const world = await openWorld(host)

const manage = ({ userId }: TestPerson) => asUser(userId).memberships
const people = ({ userId }: TestPerson) => asUser(userId).members
const roles = ({ userId }: TestPerson) => asUser(userId).roles
const only = (...paths: string[]) => ({ updateMask: { paths } })

test('suspended and removed members lose their rights in every process within a second', async () => {
  // A second process of the platform: the same databases and broker, separate caches.
  const other = await startHost([member], host.env, silentLog)
  let staleAfterASecond = false
  try {
    for (const act of ['suspendWorkspaceMember', 'removeWorkspaceMember'] as const) {
      const clerk = await addPerson(host, world, 'viewer')
      const slugsOn = async ({ rights }: Pick<TestHost, 'rights'>) =>
        (await rights.ofUser(clerk.userId))?.workspaces.flatMap(one => one.permissions)
      assert.equal(await Promise.all([host, other].map(slugsOn)), [['view_members'], ['view_members']])
      await manage(world.admin)[act]({ workspaceId: world.workspaceId, memberId: clerk.memberId })
      const answeredAt = performance.now()
      assert.equal(await slugsOn(host), [])
      await eventually(async () => {
        // Measured before the call, however long it takes: a second after the change it must not return the old rights.
        const isLate = performance.now() - answeredAt >= 1_000
        const isOver = (await slugsOn(other))?.length === 0
        staleAfterASecond ||= isLate && !isOver
        return isOver
      })
      assert.not(staleAfterASecond, act)
      const list = people(clerk).listMembers({ workspaceId: world.workspaceId })
      assert.is((await refusal(list)).rawMessage, 'Workspace access denied')
    }
    const viewer = await addPerson(host, world, 'viewer')
    const slugs = async () => (await other.rights.ofUser(viewer.userId))?.workspaces[0]?.permissions ?? []
    assert.equal(await slugs(), ['view_members'])
    const role = { workspaceId: world.workspaceId, memberId: viewer.memberId, workspaceRole: 'manager' }
    await manage(world.admin).updateWorkspaceMember({ ...role, ...only('workspace_role') })
    await eventually(async () => (await slugs()).includes('manage_members'))
  } finally {
    await other.stop()
  }
})

test('a caller whose account is linked to a member gets the member’s rights at once', async () => {
  const { workspaceId, root } = world
  const [email, userId] = [someAddress(), newId()]
  await asUser(root).members.createMember({ firstName: 'A', lastName: 'B', email, workspaceId })
  assert.is(await host.rights.ofUser(userId), undefined)
  await asService.profiles.linkUser({ userId, email })
  assert.is((await host.rights.ofUser(userId))?.workspaces[0]?.workspaceId, workspaceId)
})

test('a manager changes members below them at any depth, and is refused every change of others', async () => {
  const { workspaceId } = world
  const boss = await addPerson(host, world, 'manager')
  const { memberId } = await addPerson(host, world, 'viewer')
  const target = { workspaceId, memberId }
  const calls = [
    () => people(boss).deleteMember({ id: memberId }),
    () => people(boss).updateMember({ id: memberId, lastName: 'X', ...only('last_name') }),
    () => manage(boss).removeWorkspaceMember(target),
    () => manage(boss).suspendWorkspaceMember(target),
    () => manage(boss).reactivateWorkspaceMember(target),
    () => manage(boss).updateWorkspaceMember({ ...target, workspaceRole: 'member', ...only('workspace_role') }),
  ]
  for (const call of calls) {
    const { info, rawMessage } = await refusal(call())
    assert.equal([info.status, rawMessage], [403, 'Cannot manage this member'])
  }
  assert.is((await people(world.admin).getMember({ id: memberId })).member?.workspaces[0]?.workspaceRole, 'viewer')
  const middle = await addPerson(host, world, 'manager', { superior: boss.memberId })
  const below = await addPerson(host, world, 'viewer', { superior: middle.memberId })
  const renamed = await people(boss).updateMember({ id: below.memberId, lastName: 'X', ...only('last_name') })
  assert.is(renamed.member?.lastName, 'X')
})

test('a platform administrator’s credential has an administrator’s rights in the open workspaces of its hotel', async () => {
  const { root, hotelId, workspaceId } = await openWorld(host)
  const workspaceClient = asUser(root).workspaces
  const add = async (name: string) =>
    (await workspaceClient.createWorkspace({ name, ecosystemId: hotelId })).workspace?.id ?? ''
  const [restingId, deletedId] = [await add('Winter'), await add('Annexe')]
  await workspaceClient.updateWorkspace({ id: restingId, isActive: false, ...only('is_active') })
  await workspaceClient.deleteWorkspace({ id: deletedId })
  const rights = () => asService.access.getAccess({ userId: root, ecosystemId: hotelId })
  const { workspaces, ecosystems } = await rights()
  assert.equal(
    workspaces.map(one => [one.workspaceId, one.role, one.isAtRest, one.permissions.includes('create_content')]),
    [
      [workspaceId, 'admin', false, true],
      [restingId, 'admin', true, false],
    ],
  )
  assert.equal(
    ecosystems.map(one => [one.ecosystemId, one.role]),
    [[hotelId, 'admin']],
  )
  await asService.hotelMembers.deactivateHotelMembers({ hotelId, isDeleted: true })
  const closedAccess = await rights()
  assert.equal([closedAccess.workspaces, closedAccess.ecosystems], [[], []])
  const clerk = await asService.access.getAccess({ userId: world.admin.userId, ecosystemId: hotelId })
  assert.not.ok(clerk.workspaces.some(one => one.ecosystemId === hotelId))
})

test('no role can shadow a system role, by name, slug or update', async () => {
  const { admin } = world
  const { role } = await roles(admin).createRole({ name: 'Night porter', permissions: ['view_members'] })
  const id = role?.id ?? ''
  for (const slug of ['admin', 'manager', 'member', 'viewer']) {
    assert.is((await roles(admin).createRole({ name: slug.toUpperCase() })).role?.slug, `${slug}-2`)
    assert.is((await refusal(roles(admin).createRole({ name: 'Other', slug }))).info.status, 409)
    assert.is((await refusal(roles(admin).updateRole({ id, slug, ...only('slug') }))).info.status, 409)
  }
  const { data } = await roles(admin).listRoles({ workspaceId: world.workspaceId })
  assert.equal(
    data
      .filter(one => !one.isSystem)
      .map(one => one.slug)
      .sort(),
    ['admin-2', 'manager-2', 'member-2', 'night-porter', 'viewer-2'],
  )
})

test('a system role gains and loses no permission and cannot be renamed, not even by a platform administrator', async () => {
  const { data } = await roles(world.admin).listRoles({ workspaceId: world.workspaceId })
  for (const { id, permissions } of data.filter(one => one.isSystem)) {
    const slug = permissions[0]?.slug ?? 'view_members'
    for (const userId of [world.admin.userId, world.root]) {
      const roleClient = asUser(userId).roles
      for (const call of [
        () => roleClient.removeRolePermission({ id, permissionSlug: slug }),
        () => roleClient.addRolePermission({ id, permissionSlug: slug }),
        () => roleClient.updateRole({ id, permissions: [], ...only('permissions') }),
        () => roleClient.updateRole({ id, slug: 'renamed', ...only('slug') }),
        () => roleClient.deleteRole({ id }),
      ])
        assert.is((await refusal(call())).info.status, 403)
    }
  }
  const after = await roles(world.admin).listRoles({ workspaceId: world.workspaceId })
  assert.equal(after.data, data)
})

test.run()
