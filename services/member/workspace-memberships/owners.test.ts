import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, type HotelWorld, openWorld, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('last owner of an ecosystem')
const { host, asUser, asService } = await memberForTest(test)

const only = (...paths: string[]) => ({ updateMask: { paths } })
const people = ({ userId }: TestPerson) => asUser(userId).members
const setRole = (by: string, { memberId }: TestPerson, { hotelId: ecosystemId }: HotelWorld, role: string) =>
  asUser(by).ecosystems.updateEcosystemMember({ ecosystemId, memberId, role, ...only('role') })

/** An owner of the hotel who administers its workspace. */
async function addOwner(world: HotelWorld): Promise<TestPerson> {
  const owner = await addPerson(host, world, 'admin')
  await setRole(world.root, owner, world, 'owner')
  host.rights.evict()
  return owner
}

type Strike = (by: TestPerson, target: TestPerson, world: HotelWorld) => Promise<unknown>
/** Ways in which an owner stops being one. Erasing oneself requires a password: test/accounts/erasure.test.ts. */
const ways: Record<string, Strike> = {
  demote: (by, target, world) => setRole(by.userId, target, world, 'member'),
  deactivate: (by, { memberId: id }) => people(by).updateMember({ id, isActive: false, ...only('is_active') }),
  delete: (by, { memberId: id }) => people(by).deleteMember({ id }),
}
const depart = ({ userId }: TestPerson) => asService.profiles.announceDeparture({ userId })
const noOwner = 'The ecosystem would be left without an owner'

test('the last owner cannot leave or be removed in any of these ways', async () => {
  const world = await openWorld(host)
  const owner = await addOwner(world)
  for (const [name, strike] of [...Object.entries(ways), ['delete the account', depart] as const]) {
    const { info, rawMessage } = await refusal(strike(owner, owner, world))
    assert.equal([info.status, rawMessage], [409, noOwner], name)
  }
})

test('of two owners who remove each other at once, in any of these ways, one stays', async () => {
  const erase: Strike = (by, { memberId: id }) => people(by).eraseMember({ id })
  const world = await openWorld(host)
  for (const [name, strike] of Object.entries({ ...ways, erase })) {
    const [first, second] = [await addOwner(world), await addOwner(world)]
    const results = await Promise.allSettled([strike(first, second, world), strike(second, first, world)])
    const statuses = results.map(one => one.status)
    assert.equal(statuses.toSorted(), ['fulfilled', 'rejected'], name)
    // The next pair starts without the owner who stayed.
    const stayed = statuses[1] === 'rejected' ? first : second
    await people({ ...stayed, userId: world.root }).deleteMember({ id: stayed.memberId })
  }
  const [leaving, other] = [await addOwner(world), await addOwner(world)]
  await depart(leaving)
  assert.is((await refusal(depart(other))).rawMessage, noOwner)
})

test('the platform removes the last owner, and a closed hotel needs neither owner nor administrator', async () => {
  const world = await openWorld(host)
  const owner = await addOwner(world)
  await people({ ...owner, userId: world.root }).deleteMember({ id: owner.memberId })
  const closedHotel = await openWorld(host)
  const last = await addOwner(closedHotel)
  await asService.hotelMembers.deactivateHotelMembers({ hotelId: closedHotel.hotelId, isDeleted: true })
  assert.equal((await depart(last)).workspaceNames, [])
})

test.run()
