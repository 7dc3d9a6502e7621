import { assert, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld, someAddress, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'

const test = suite('ranks in a hotel')
const { host, asUser } = await memberForTest(test)
const world = await openWorld(host)

const only = (...paths: string[]) => ({ updateMask: { paths } })
const people = ({ userId }: TestPerson) => asUser(userId).members
const settings = ({ userId }: TestPerson) => asUser(userId).settings

type Act = (by: TestPerson, target: TestPerson) => Promise<unknown>
/** What applies to a member in the whole hotel. */
const switches: Record<string, Act> = {
  deactivate: (by, { memberId: id }) => people(by).updateMember({ id, isActive: false, ...only('is_active') }),
  'open the dashboard': (by, { memberId: id }) =>
    people(by).updateMember({ id, dashboardAccess: true, ...only('dashboard_access') }),
  'close the app': (by, { memberId: id }) =>
    settings(by).updateMemberSettings({ id, mobileAccess: false, ...only('mobile_access') }),
}
/** What ends a member's access or takes it over. */
const seizures: Record<string, Act> = {
  'take the address': (by, { memberId: id }) => people(by).updateMember({ id, email: someAddress(), ...only('email') }),
  delete: (by, { memberId: id }) => people(by).deleteMember({ id }),
  erase: (by, { memberId: id }) => people(by).eraseMember({ id }),
}

/** A member without an account, whose address changes without the authentication service. */
async function addAwaited(workspaceRole = 'viewer'): Promise<TestPerson> {
  const email = someAddress()
  const fields = { email, firstName: 'Some', lastName: 'Body', workspaceId: world.workspaceId, workspaceRole }
  const { member } = await people({ ...world.admin, userId: world.root }).createMember(fields)
  return { memberId: member?.id ?? '', userId: '', email }
}

type Standing = { role?: 'owner' | 'admin'; permissions?: string[] }
/** Gives a member a role and permissions in the ecosystem. */
async function place(
  target: TestPerson,
  standing: Standing,
  { hotelId: ecosystemId, root } = world,
): Promise<TestPerson> {
  const paths = Object.keys(standing)
  const change = { ecosystemId, memberId: target.memberId, ...standing, updateMask: { paths } }
  await asUser(root).ecosystems.updateEcosystemMember(change)
  host.rights.evict()
  return target
}

async function refusedAll(acts: Record<string, Act>, by: TestPerson, target: TestPerson): Promise<void> {
  for (const [name, act] of Object.entries(acts)) {
    const answer = await act(by, target).then(
      () => 'passed',
      error => `${toRpcError(error).info.status} ${toRpcError(error).rawMessage}`,
    )
    assert.is(answer, '403 Permission denied', name)
  }
}

test('no route changes or removes a member of higher rank in the hotel', async () => {
  const owner = await place(await addPerson(host, world, 'viewer'), { role: 'owner' })
  const chief = await place(await addPerson(host, world, 'admin'), { role: 'admin' })
  const plainChief = await place(await addPerson(host, world, 'viewer'), { role: 'admin' })
  const all = { ...switches, ...seizures }
  await refusedAll(all, world.admin, owner)
  await refusedAll(all, world.admin, plainChief)
  await refusedAll(all, chief, owner)
})

test('a member of equal or lower rank is changed and removed', async () => {
  const chief = await place(await addPerson(host, world, 'admin'), { role: 'admin' })
  for (const standing of [{ role: 'admin' as const }, {}])
    for (const act of [...Object.values(switches), ...Object.values(seizures)])
      await act(chief, await place(await addAwaited(), standing))
})

test('an administrator of another workspace keeps their access to the hotel', async () => {
  const { hotelId: ecosystemId, root } = world
  const { workspace } = await asUser(root).workspaces.createWorkspace({ name: 'Annexe', ecosystemId })
  const workspaceId = workspace?.id ?? ''
  const target = await addPerson(host, world, 'viewer')
  const add = { id: workspaceId, workspaceId, memberId: target.memberId, workspaceRole: 'admin' }
  await asUser(root).memberships.addWorkspaceMember(add)
  await refusedAll(switches, world.admin, target)
  await addPerson(host, { ...world, workspaceId }, 'admin')
  await asUser(root).memberships.addWorkspaceMember({ ...add, memberId: world.admin.memberId })
  host.rights.evict()
  for (const act of Object.values(switches)) await act(world.admin, target)
})

test('a member is activated again only by a caller who holds what they get back in the hotel', async () => {
  const { workspaceId, hotelId: ecosystemId, root } = world
  const memberships = ({ userId }: Pick<TestPerson, 'userId'>) => asUser(userId).memberships
  const clerk = await addPerson(host, world, 'viewer')
  const levers = ['view_members', 'manage_members']
  const grant = { workspaceId, memberId: clerk.memberId, permissions: levers, ...only('permissions') }
  await memberships({ userId: root }).updateWorkspaceMember(grant)
  const { workspace } = await asUser(root).workspaces.createWorkspace({ name: 'Spa', ecosystemId })
  const spaMember = await addPerson(host, world, 'viewer')
  const add = { id: workspace?.id ?? '', memberId: spaMember.memberId, workspaceRole: 'viewer' }
  await memberships({ userId: root }).addWorkspaceMember(add)
  const holder = await place(await addPerson(host, world, 'viewer'), { permissions: ['manage_ecosystem'] })
  const plain = await addPerson(host, world, 'viewer')
  const chief = await place(await addPerson(host, world, 'admin'), { role: 'admin' })
  const ways: Record<string, { close: Act; open: Act }> = {
    activate: {
      close: (by, { memberId: id }) => people(by).updateMember({ id, isActive: false, ...only('is_active') }),
      open: (by, { memberId: id }) => people(by).updateMember({ id, isActive: true, ...only('is_active') }),
    },
    reactivate: {
      close: (by, { memberId }) => memberships(by).suspendWorkspaceMember({ workspaceId, memberId }),
      open: (by, { memberId }) => memberships(by).reactivateWorkspaceMember({ workspaceId, memberId }),
    },
  }
  for (const [name, { close, open }] of Object.entries(ways)) {
    for (const one of [holder, plain]) await close(clerk, one)
    await refusedAll({ [name]: open }, clerk, holder)
    await open(clerk, plain)
    await open(chief, holder)
  }
  const { activate } = ways
  assert.ok(activate)
  await activate.close(clerk, spaMember)
  await refusedAll({ activate: activate.open }, clerk, spaMember)
  await activate.open(chief, spaMember)
})

test('rights in a hotel come back through another workspace only by a caller who holds them', async () => {
  const { workspaceId, hotelId: ecosystemId, root } = world
  const { workspace } = await asUser(root).workspaces.createWorkspace({ name: 'Bar', ecosystemId })
  const bar = workspace?.id ?? ''
  const clerk = await addPerson(host, { root, workspaceId: bar }, 'viewer')
  const levers = { permissions: ['view_members', 'manage_members'], ...only('permissions') }
  await asUser(root).memberships.updateWorkspaceMember({ workspaceId: bar, memberId: clerk.memberId, ...levers })
  const [holder, plain] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  await place(holder, { permissions: ['manage_ecosystem'] })
  for (const { memberId } of [holder, plain])
    await asUser(root).memberships.suspendWorkspaceMember({ workspaceId, memberId })
  const names = { firstName: 'Some', lastName: 'Body' }
  const ways: Record<string, Act> = {
    add: ({ userId }, { memberId }) =>
      asUser(userId).memberships.addWorkspaceMember({ id: bar, memberId, workspaceRole: 'viewer' }),
    create: (by, { email }) => people(by).createMember({ ...names, email, workspaceId: bar, workspaceRole: 'viewer' }),
  }
  await refusedAll(ways, clerk, holder)
  const row = ({ email }: TestPerson) => ({ ...names, email, workspaceRole: 'viewer' })
  const bulk = { workspaceId: bar, members: [row(holder), row(plain)] }
  const { results } = await asUser(clerk.userId).bulk.bulkAddMembers(bulk)
  assert.equal(
    results.map(one => one.error),
    ['ForbiddenError', undefined],
  )
  await ways['add']?.({ ...clerk, userId: root }, holder)
})

test('settings and preferences of an administrator are closed to a manager above them', async () => {
  const boss = await addPerson(host, world, 'manager')
  const below = await addPerson(host, world, 'admin', { superior: boss.memberId })
  await refusedAll(
    {
      language: (by, { memberId: id }) =>
        settings(by).updateMemberSettings({ id, language: 'en', ...only('language') }),
      theme: (by, { memberId: id }) => settings(by).updateMemberPreferences({ id, theme: 'dark', ...only('theme') }),
      ...switches,
    },
    boss,
    below,
  )
})

test('an address is changed only by a caller who holds all that the account opens', async () => {
  const { 'take the address': take } = seizures
  assert.ok(take)
  const { workspaceId, root } = world
  const roles = asUser(root).roles
  await roles.createRole({ workspaceId, name: 'Clerk', permissions: ['view_members', 'manage_members'] })
  await roles.createRole({ workspaceId, name: 'Strong', permissions: ['export_data'] })
  const clerk = await addPerson(host, world, 'clerk')
  const granted = await addPerson(host, world, 'viewer')
  const grant = { workspaceId, memberId: granted.memberId, permissions: ['export_data'], ...only('permissions') }
  await asUser(root).memberships.updateWorkspaceMember(grant)
  for (const target of [await addPerson(host, world, 'strong'), await addAwaited('strong'), granted, world.admin])
    await refusedAll({ take }, clerk, target)
  await take(clerk, await addAwaited())
  const holder = await place(await addAwaited(), { permissions: ['manage_ecosystem'] })
  await refusedAll({ take }, world.admin, holder)
  await place(world.admin, { permissions: ['manage_ecosystem'] })
  await take(world.admin, holder)
})

test.run()
