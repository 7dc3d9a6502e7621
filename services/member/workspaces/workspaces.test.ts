import type { JsonObject } from '@bufbuild/protobuf'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('workspaces')
const { host, sql, asUser } = await memberForTest(test)
const ownHotel = await openWorld(host)
const otherHotel = await openWorld(host)

const as = (person: { userId: string }) => asUser(person).workspaces
const members = (person: { userId: string }) => asUser(person).memberships
const rows = async (text: string, values: string[]) => (await sql.query(text, values))[0] as Record<string, unknown>[]

test('the creator of a workspace is its administrator and it has the system roles', async () => {
  const world = await openWorld(host)
  const { workspace } = await as({ userId: world.root }).createWorkspace({
    name: 'Spa',
    ecosystemId: world.hotelId,
    settings: { timezone: 'Europe/Paris', language: 'fr' },
  })
  const id = workspace?.id ?? ''
  assert.equal([workspace?.name, workspace?.membersCount, workspace?.isDefault], ['Spa', 1, false])
  const { workspace: detail } = await as({ userId: world.root }).getWorkspace({ id })
  assert.equal(detail?.roles.map(one => one.slug).toSorted(), ['admin', 'manager', 'member', 'viewer'])
  assert.is(detail?.members[0]?.workspaceRole, 'admin')
  const events = await rows('select subject from outbox where body like ?', [`%${id}%`])
  assert.ok(events.some(one => String(one['subject']).endsWith('workspace.created')))
  const namesake = await as({ userId: world.root }).createWorkspace({ name: 'Spa', ecosystemId: world.hotelId })
  assert.is.not(namesake.workspace?.id, id)
})

test('the time zone in the settings is that of a real place, and other settings are free', async () => {
  const world = await openWorld(host)
  const { workspaceId: id, hotelId: ecosystemId } = world
  const root = as({ userId: world.root })
  const create = (settings: JsonObject) => root.createWorkspace({ name: 'Spa', ecosystemId, settings })
  const update = (settings: JsonObject) => root.updateWorkspace({ id, settings, updateMask: { paths: ['settings'] } })
  for (const save of [create, update]) {
    for (const timezone of ['Mars/X', '+02:00', 5, ['Europe/Paris'], { name: 'Europe/Paris' }]) {
      const [violation] = (await refusal(save({ timezone }))).info.violations
      assert.equal(
        [violation?.path, violation?.message, violation?.rule],
        ['settings.timezone', 'is not the name of a time zone', 'timezone'],
        JSON.stringify(timezone),
      )
    }
    for (const settings of [{ timezone: null }, { timezone: '' }, { language: 5, theme: { dark: true } }])
      assert.equal((await save(settings)).workspace?.settings, settings)
    assert.equal((await save({ timezone: 'europe/LISBON', theme: 'dark' })).workspace?.settings, {
      timezone: 'Europe/Lisbon',
      theme: 'dark',
    })
  }
})

test('a time zone that was stored unchecked may stay', async () => {
  const { workspaceId: id, root } = await openWorld(host)
  const settings = { timezone: 'Mars/X', theme: 'light' }
  await rows('update workspaces set settings = ? where id = ?', [JSON.stringify(settings), id])
  const change = { settings: { ...settings, theme: 'dark' }, updateMask: { paths: ['settings'] } }
  const { workspace } = await as({ userId: root }).updateWorkspace({ id, ...change })
  assert.equal(workspace?.settings, change.settings)
})

test('people list the workspaces of their ecosystems, and platform administrators all', async () => {
  const adminList = await as(ownHotel.admin).listWorkspaces({})
  assert.equal(
    adminList.data.map(one => one.id),
    [ownHotel.workspaceId],
  )
  assert.is(adminList.meta?.total, 1)
  const all = await as({ userId: ownHotel.root }).listWorkspaces({})
  assert.ok((all.meta?.total ?? 0) >= 2)
  assert.is((await refusal(as(ownHotel.admin).listWorkspaces({ ecosystemId: otherHotel.hotelId }))).info.status, 403)
})

test('a workspace shows members with effective rights', async () => {
  const viewer = await addPerson(host, ownHotel, 'viewer')
  const { workspace } = await as(viewer).getWorkspace({ id: ownHotel.workspaceId })
  const ownMembership = workspace?.members.find(one => one.memberId === viewer.memberId)
  assert.equal(ownMembership?.permissions, ['view_members'])
  const ownWorkspaces = await as(viewer).listMyWorkspaces({})
  assert.equal([ownWorkspaces.data[0]?.id, ownWorkspaces.data[0]?.workspaceRole], [ownHotel.workspaceId, 'viewer'])
})

test('a change of the rights in a workspace, or of a role there, concerns its members alone', async () => {
  const world = await openWorld(host)
  const root = as({ userId: world.root })
  const { workspace } = await root.createWorkspace({ name: 'Golf', ecosystemId: world.hotelId })
  const id = workspace?.id ?? ''
  const caddie = await addPerson(host, { ...world, workspaceId: id }, 'viewer')
  const { members: all = [] } = (await root.getWorkspace({ id })).workspace ?? {}
  const everybody = all.map(({ memberId }) => memberId).toSorted()
  assert.ok(everybody.length === 2 && everybody.includes(caddie.memberId))
  const concerned = async () => {
    const eventRows = await rows(
      "select body from outbox where subject = 'platform.member.access_changed' and json_value(body, '$.payload.id') = ?",
      [id],
    )
    const events = eventRows.map(({ body }) => JSON.parse(String(body)) as { payload: { memberIds: string[] } })
    return events.map(({ payload }) => payload.memberIds.toSorted())
  }
  assert.equal(await concerned(), [])
  const roles = asUser(world.root).roles
  await roles.createRole({ workspaceId: id, name: 'Greenkeeper', permissions: ['view_members'] })
  const { data } = await roles.listRoles({ workspaceId: id })
  const role = data.find(({ name }) => name === 'Greenkeeper')?.id ?? ''
  const permissions = { permissions: ['view_reports'], updateMask: { paths: ['permissions'] } }
  const before = (await concerned()).length
  await roles.updateRole({ id: role, ...permissions })
  await root.updateWorkspace({ id, name: 'Links', updateMask: { paths: ['name'] } })
  await root.deleteWorkspace({ id })
  assert.equal((await concerned()).slice(before), [everybody, everybody, everybody])
})

test('a deleted workspace is gone for all callers, and the default one cannot be deleted', async () => {
  const world = await openWorld(host)
  const root = as({ userId: world.root })
  const { workspace } = await root.createWorkspace({ name: 'Beach', ecosystemId: world.hotelId })
  const id = workspace?.id ?? ''
  const swimmer = await addPerson(host, { ...world, workspaceId: id }, 'viewer')
  assert.is((await as(swimmer).listWorkspaces({})).meta?.total, 2)
  await root.deleteWorkspace({ id })
  await eventually(async () => (await refusal(root.getWorkspace({ id }))).info.status === 404)
  assert.is((await refusal(as(world.admin).deleteWorkspace({ id: world.workspaceId }))).info.status, 409)
  assert.is((await as(swimmer).listWorkspaces({})).meta?.total, 0)
  assert.is((await as(world.admin).listWorkspaces({})).meta?.total, 1)
  const manager = await addPerson(host, world, 'manager')
  assert.is((await refusal(as(manager).deleteWorkspace({ id: world.workspaceId }))).info.status, 403)
})

test('adding a member who left restores the membership, with an exact count', async () => {
  const world = await openWorld(host)
  const viewer = await addPerson(host, world, 'viewer')
  const target = { workspaceId: world.workspaceId, memberId: viewer.memberId }
  const before = (await as(world.admin).getWorkspace({ id: world.workspaceId })).workspace?.membersCount ?? 0
  await members(world.admin).removeWorkspaceMember(target)
  const answer = await as(world.admin).getWorkspace({ id: world.workspaceId })
  assert.equal([answer.workspace?.membersCount, answer.workspace?.members.length], [before - 1, before - 1])
  await eventually(async () => (await refusal(as(viewer).getWorkspace({ id: world.workspaceId }))).info.status === 403)
  assert.is((await refusal(members(world.admin).removeWorkspaceMember(target))).info.status, 404)
  const add = {
    id: world.workspaceId,
    memberId: viewer.memberId,
    workspaceRole: 'member',
    permissions: ['view_reports'],
  }
  const { membership } = await members(world.admin).addWorkspaceMember(add)
  assert.equal([membership?.status, membership?.workspaceRole, membership?.leftAt], ['active', 'member', undefined])
  assert.equal(membership?.permissions.toSorted(), ['access_chat', 'view_members', 'view_reports'])
  assert.is((await refusal(members(world.admin).addWorkspaceMember(add))).info.status, 409)
  const leaveEvents = await rows("select count(*) as n from outbox where subject like '%member_left' and body like ?", [
    `%${world.workspaceId}%`,
  ])
  assert.is(leaveEvents[0]?.['n'], 1)
})

test('adding is refused for strangers and unknown slugs', async () => {
  const viewer = await addPerson(host, ownHotel, 'viewer')
  const id = ownHotel.workspaceId
  const stranger = await refusal(
    members(ownHotel.admin).addWorkspaceMember({ id, memberId: otherHotel.admin.memberId }),
  )
  const nobody = await refusal(members(ownHotel.admin).addWorkspaceMember({ id, memberId: newId() }))
  assert.equal([stranger.info.status, stranger.rawMessage], [nobody.info.status, nobody.rawMessage])
  assert.is(stranger.info.status, 404)
  const membershipKey = { workspaceId: id, memberId: viewer.memberId }
  await members(ownHotel.admin).removeWorkspaceMember(membershipKey)
  const memberId = viewer.memberId
  const slug = await refusal(members(ownHotel.admin).addWorkspaceMember({ id, memberId, permissions: ['fly'] }))
  assert.equal([slug.info.status, slug.info.violations[0]?.path], [400, 'permissions[0]'])
  const ecosystem = { id, memberId, permissions: ['manage_ecosystem'] }
  assert.is((await refusal(members(ownHotel.admin).addWorkspaceMember(ecosystem))).info.status, 400)
})

test('a suspended member has no rights until reactivated', async () => {
  const world = await openWorld(host)
  const viewer = await addPerson(host, world, 'viewer')
  const target = { workspaceId: world.workspaceId, memberId: viewer.memberId }
  await as(viewer).getWorkspace({ id: world.workspaceId })
  const { membership } = await members(world.admin).suspendWorkspaceMember(target)
  assert.equal([membership?.status, membership?.permissions], ['suspended', []])
  await eventually(async () => (await refusal(as(viewer).getWorkspace({ id: world.workspaceId }))).info.status === 403)
  await members(world.admin).reactivateWorkspaceMember(target)
  await eventually(() => as(viewer).getWorkspace({ id: world.workspaceId }))
})

test('a change of a membership to what it is already publishes nothing', async () => {
  const world = await openWorld(host)
  const { memberId } = await addPerson(host, world, 'viewer')
  const target = { workspaceId: world.workspaceId, memberId }
  const countEvents = async () => (await rows('select 1 from outbox where body like ?', [`%${memberId}%`])).length
  const before = await countEvents()
  const paths = ['workspace_role', 'is_admin', 'permissions']
  for (const updateMask of [{ paths: [] }, { paths }]) {
    const same = { workspaceRole: 'viewer', isAdmin: false, permissions: [] }
    const { membership } = await members(world.admin).updateWorkspaceMember({ ...target, ...same, updateMask })
    assert.is(membership?.workspaceRole, 'viewer')
  }
  await members(world.admin).reactivateWorkspaceMember(target)
  assert.is(await countEvents(), before)
  await members(world.admin).suspendWorkspaceMember(target)
  const afterSuspension = await countEvents()
  await members(world.admin).suspendWorkspaceMember(target)
  assert.ok(afterSuspension > before)
  assert.is(await countEvents(), afterSuspension)
})

test('the activity of a workspace is changed by its administrators, and sent unchanged by others', async () => {
  const { workspaceId, admin } = ownHotel
  const editor = await addPerson(host, ownHotel, 'viewer')
  const grant = { workspaceId, memberId: editor.memberId, permissions: ['manage_settings'] }
  await members(admin).updateWorkspaceMember({ ...grant, updateMask: { paths: ['permissions'] } })
  host.rights.evict()
  const change = { id: workspaceId, name: 'Renamed', updateMask: { paths: ['name', 'is_active'] } }
  assert.is((await refusal(as(editor).updateWorkspace({ ...change, isActive: false }))).info.status, 403)
  const { workspace } = await as(editor).updateWorkspace({ ...change, isActive: true })
  assert.equal([workspace?.name, workspace?.isActive], ['Renamed', true])
})

test.run()
