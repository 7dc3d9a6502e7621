import { type UpdateEcosystemMemberRequest } from '../../../gen/platform/member/v1/ecosystem_members_pb.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import {
  acceptFor,
  addPerson,
  comeInto,
  type HotelWorld,
  openWorld,
  someAddress,
  type TestPerson,
} from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('rights in an ecosystem')
const { host, asUser, asService } = await memberForTest(test)
const ownHotel = await openWorld(host)
const otherHotel = await openWorld(host)

type Change = Partial<Pick<UpdateEcosystemMemberRequest, 'role' | 'permissions'>>
const change = (by: string, { memberId }: Pick<TestPerson, 'memberId'>, set: Change, ecosystemId = ownHotel.hotelId) =>
  asUser(by).ecosystems.updateEcosystemMember({
    ecosystemId,
    memberId,
    ...set,
    updateMask: { paths: Object.keys(set) },
  })
const getMembership = (by: string, { memberId }: Pick<TestPerson, 'memberId'>, ecosystemId = ownHotel.hotelId) =>
  asUser(by).ecosystems.getEcosystemMember({ ecosystemId, memberId })
const status = async (call: Promise<unknown>) => (await refusal(call)).info.status

/** An owner of the hotel with an account. */
async function addOwner({ hotelId, root, workspaceId }: HotelWorld): Promise<TestPerson> {
  const [email, userId] = [someAddress(), newId()]
  const person = { hotelId, email, firstName: 'Olga', lastName: 'Owner', isAdmin: true }
  const { member } = await asService.hotelMembers.addHotelMember(person)
  const { invitation } = await asUser(root).onboarding.invite({ email, workspaceId, workspaceRole: 'admin' })
  await acceptFor(host, invitation?.token, { email, userId })
  return { memberId: member?.id ?? '', userId, email }
}

test('permissions are granted and revoked as a whole, take effect at once and are shown', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const { membership } = await change(ownHotel.root, clerk, {
    permissions: ['access_live_chat', 'screenshot_permission'],
  })
  assert.equal(
    [membership?.role, membership?.isOwner, membership?.ecosystemType, membership?.permissions],
    ['member', false, 'hotel', ['access_live_chat', 'screenshot_permission']],
  )
  const loadPermissions = async () => (await host.rights.ofUser(clerk.userId))?.ecosystems[0]?.permissions ?? []
  await eventually(async () => (await loadPermissions()).includes('access_live_chat'))
  assert.equal((await getMembership(ownHotel.root, clerk)).membership?.permissions, membership?.permissions)
  await change(ownHotel.root, clerk, { permissions: [] })
  await eventually(async () => (await loadPermissions()).length === 0)
})

test('unknown slugs, those of a workspace and unknown members are refused', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  for (const slug of ['fly', 'manage_members']) {
    const { info } = await refusal(change(ownHotel.root, clerk, { permissions: ['access_live_chat', slug] }))
    assert.equal([info.status, info.violations[0]?.path], [400, 'permissions[1]'])
  }
  assert.is(await status(change(ownHotel.root, clerk, { role: undefined })), 400)
  const nobody = { memberId: newId() }
  for (const one of [nobody, otherHotel.admin]) {
    assert.is(await status(change(ownHotel.root, one, { permissions: [] })), 404)
    assert.is(await status(getMembership(ownHotel.root, one)), 404)
  }
  assert.equal((await getMembership(ownHotel.root, clerk)).membership?.permissions, [])
})

test('a caller cannot grant what they do not hold, promote themselves or change a member above them', async () => {
  const [holder, clerk, chief] = [
    await addPerson(host, ownHotel, 'viewer'),
    await addPerson(host, ownHotel, 'viewer'),
    await addPerson(host, ownHotel, 'viewer'),
  ]
  const owner = await addOwner(ownHotel)
  await change(ownHotel.root, holder, { permissions: ['manage_ecosystem', 'access_live_chat'] })
  await change(owner.userId, chief, { role: 'admin' })
  await change(holder.userId, clerk, { permissions: ['access_live_chat'] })
  const forbiddenCalls = [
    () => change(holder.userId, clerk, { permissions: ['access_live_chat', 'screenshot_permission'] }),
    () => change(holder.userId, holder, { permissions: ['manage_ecosystem', 'screenshot_permission'] }),
    () => change(holder.userId, holder, { role: 'admin' }),
    () => change(holder.userId, clerk, { role: 'admin' }),
    () => change(holder.userId, chief, { permissions: ['access_live_chat'] }),
    () => change(holder.userId, owner, { role: 'member' }),
    () => change(chief.userId, clerk, { role: 'owner' }),
    () => change(chief.userId, chief, { role: 'owner' }),
    () => change(chief.userId, owner, { role: 'member' }),
    () => change(clerk.userId, clerk, { permissions: [] }),
  ]
  for (const [index, call] of forbiddenCalls.entries()) assert.is(await status(call()), 403, `${index}`)
  assert.is((await change(holder.userId, chief, { role: 'admin', permissions: [] })).membership?.role, 'admin')
  // Existing rights stay, whichever caller adds more.
  await change(ownHotel.root, clerk, { permissions: ['screenshot_permission'] })
  await change(holder.userId, clerk, { permissions: ['screenshot_permission', 'access_live_chat'] })
  await change(chief.userId, clerk, { role: 'admin' })
  assert.is((await getMembership(ownHotel.root, clerk)).membership?.role, 'admin')
})

test('the last owner remains, even when two revoke each other at once', async () => {
  const world = await openWorld(host)
  const first = await addOwner(world)
  assert.is(await status(change(first.userId, first, { role: 'member' }, world.hotelId)), 409)
  assert.is(await status(change(world.root, first, { role: 'admin' }, world.hotelId)), 409)
  const second = await addOwner(world)
  const results = await Promise.allSettled([
    change(first.userId, second, { role: 'member' }, world.hotelId),
    change(second.userId, first, { role: 'member' }, world.hotelId),
  ])
  assert.equal(results.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  const roles = await Promise.all([first, second].map(one => getMembership(world.root, one, world.hotelId)))
  assert.is(roles.filter(one => one.membership?.isOwner).length, 1)
})

test('the members of a hotel are listed whole, or page by page with the total', async () => {
  const world = await openWorld(host)
  for (let i = 0; i < 4; i++) await addPerson(host, world, 'viewer')
  const list = (request: { page?: number; limit?: number; isActive?: boolean; isAdmin?: boolean } = {}) =>
    asService.hotelMembers.listHotelMembers({ id: world.hotelId, ...request })
  const fullList = await list()
  assert.equal(
    [fullList.data.length, fullList.meta?.total, fullList.meta?.page, fullList.meta?.totalPages],
    [5, 5, 1, 1],
  )
  const pages = [
    await list({ page: 1, limit: 2 }),
    await list({ page: 2, limit: 2 }),
    await list({ page: 3, limit: 2 }),
  ]
  assert.equal(
    pages.flatMap(({ data }) => data.map(({ id }) => id)),
    fullList.data.map(({ id }) => id),
  )
  for (const { meta } of pages) assert.equal([meta?.total, meta?.totalPages], [5, 3])
  const beyond = await list({ page: 9, limit: 2, isActive: true })
  assert.equal([beyond.data.length, beyond.meta?.total], [0, 5])
  const administrators = fullList.data.filter(({ isAdmin }) => isAdmin).map(({ id }) => id)
  assert.is(administrators.length, 1)
  const [chiefs, ordinaryMembers] = [await list({ isAdmin: true, limit: 1 }), await list({ isAdmin: false })]
  assert.equal([chiefs.data.map(({ id }) => id), chiefs.meta?.total], [administrators, 1])
  assert.equal([ordinaryMembers.data.length, ordinaryMembers.data.some(({ isAdmin }) => isAdmin)], [4, false])
  const parts = asService.hotelMembers.readHotelMembers({ id: world.hotelId, isAdmin: true })
  for await (const { data } of parts)
    assert.equal(
      data.map(({ id }) => id),
      administrators,
    )
})

test('the ids of a hotel are listed in limited pages, also while members come and go', async () => {
  const world = await openWorld(host)
  const { hotelId } = world
  // Two administrators, since the last one can't leave; ids of the same second are in any order.
  const administrators = [world.admin, await addPerson(host, world, 'admin')]
  const people = [...administrators]
  for (let i = 0; i < 2; i++) people.push(await addPerson(host, world, 'viewer'))
  const ids = (request: { isActive?: boolean; isAdmin?: boolean; after?: string; limit?: number } = {}) =>
    asService.hotelMembers.listHotelMemberIds({ hotelId, ...request })
  const first = await ids({ limit: 2 })
  assert.equal([first.members.length, first.next], [2, first.members[1]?.id])
  // The member at the page's end leaves and another joins: none is repeated, and none who stays is missing.
  const deletedMember = people.find(({ memberId }) => memberId === first.next)
  await asUser(world.root).members.deleteMember({ id: deletedMember?.memberId ?? '' })
  const newMember = await addPerson(host, world, 'viewer')
  const second = await ids({ limit: 2, after: first.next ?? '' })
  const third = second.next ? await ids({ limit: 2, after: second.next }) : undefined
  assert.is(second.members.length, 2)
  assert.is((third ?? second).next, undefined)
  const listedMembers = [first, second, third].flatMap(
    page => page?.members.map(({ id, userId }) => `${id} ${userId}`) ?? [],
  )
  const presentMembers = newMember.memberId > (first.next ?? '') ? [...people, newMember] : people
  assert.equal(listedMembers, presentMembers.map(({ memberId, userId }) => `${memberId} ${userId}`).toSorted())
  const remainingAdministrators = administrators.filter(one => one !== deletedMember).length
  assert.equal(
    [(await ids({ isAdmin: false })).members.length, (await ids({ isActive: false })).members.length],
    [4 - remainingAdministrators, 0],
  )
  assert.is((await refusal(ids({ limit: 1001 }))).info.status, 400)
})

test('each member of a hotel is marked when active in another hotel or on the platform', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const [localMember, sharedMember, chief, inactiveMember, formerMember] = [
    await addPerson(host, world, 'viewer'),
    await addPerson(host, world, 'viewer'),
    await addPerson(host, world, 'viewer'),
    await addPerson(host, world, 'viewer'),
    await addPerson(host, world, 'viewer'),
  ]
  const members = asUser(world.root).members
  for (const person of [sharedMember, inactiveMember, formerMember]) await comeInto(host, other, person)
  await members.updateMember({ id: chief.memberId, isSuperAdmin: true, updateMask: { paths: ['is_super_admin'] } })
  await members.updateMember({ id: inactiveMember.memberId, isActive: false, updateMask: { paths: ['is_active'] } })
  await asUser(other.admin).memberships.removeWorkspaceMember({
    workspaceId: other.workspaceId,
    memberId: formerMember.memberId,
  })
  const answer = await asService.hotelMembers.listHotelMemberIds({ hotelId: world.hotelId })
  assert.equal(
    [world.admin, localMember, sharedMember, chief, inactiveMember, formerMember].map(
      ({ memberId }) => answer.members.find(({ id }) => id === memberId)?.isElsewhere,
    ),
    [false, false, true, true, false, false],
  )
})

test.run()
