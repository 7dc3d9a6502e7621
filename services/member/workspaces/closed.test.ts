import { assert, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'

const test = suite('workspaces of closed hotels')
const { host, asUser, asService } = await memberForTest(test)

test('the platform still reads a suspended hotel, and nothing of a deleted one; its people see neither', async () => {
  const [closedWorld, otherWorld] = [await openWorld(host), await openWorld(host)]
  const { hotelId, workspaceId, root } = closedWorld
  const person = await addPerson(host, closedWorld, 'viewer')
  await comeInto(host, otherWorld, person)
  const [platform, self] = [asUser(root), asUser(person)]
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      error => toRpcError(error).info.status,
    )
  const byPlatform = async () => ({
    reads: await Promise.all(
      [
        platform.workspaces.getWorkspace({ id: workspaceId }),
        platform.members.listMembers({ workspaceId }),
        platform.roles.listRoles({ workspaceId }),
        platform.teams.listTeams({ workspaceId }),
        platform.analytics.getWorkspaceAnalytics({ id: workspaceId }),
        asService.sync.syncMembers({ workspaceId }),
      ].map(statusOf),
    ),
    listed: (await platform.workspaces.listWorkspaces({ ecosystemId: hotelId })).data.map(one => one.isActive),
    listedActive: (await platform.workspaces.listWorkspaces({ ecosystemId: hotelId, isActive: true })).data.length,
    invitations: (await platform.onboarding.listInvitations({ workspaceId })).data.length,
    workspaces: (await platform.members.getMember({ id: person.memberId })).member?.workspaces.length,
    ecosystems: (await platform.members.getMember({ id: person.memberId })).member?.ecosystems.length,
  })
  const bySelf = async () => {
    const { member } = await self.members.getMember({ id: person.memberId })
    const access = await host.rights.ofUser(person.userId)
    const ids = [...(member?.ecosystems ?? []), ...(access?.ecosystems ?? [])].map(one => one.ecosystemId)
    return [member?.workspaces.map(one => one.workspaceId), [...new Set(ids)]]
  }
  const allIds = [
    [workspaceId, otherWorld.workspaceId],
    [hotelId, otherWorld.hotelId],
  ]
  const otherIds = [[otherWorld.workspaceId], [otherWorld.hotelId]]
  const open = { reads: Array.from({ length: 6 }, () => 200), invitations: 2, workspaces: 2, ecosystems: 2 }
  assert.equal(await byPlatform(), { ...open, listed: [true], listedActive: 1 })
  assert.equal(await bySelf(), allIds)
  const { memberIds } = await asService.hotelMembers.deactivateHotelMembers({ hotelId })
  assert.equal(memberIds, [closedWorld.admin.memberId])
  assert.equal(await byPlatform(), { ...open, listed: [false], listedActive: 0 })
  assert.equal(await bySelf(), otherIds)
  const update = { id: workspaceId, name: 'Renamed', updateMask: { paths: ['name', 'is_active'] } }
  const { workspace } = await platform.workspaces.updateWorkspace({ ...update, isActive: false })
  assert.equal([workspace?.name, workspace?.isActive], ['Renamed', false])
  assert.is(await statusOf(platform.workspaces.updateWorkspace({ ...update, isActive: true })), 409)
  await asService.hotelMembers.reactivateHotelMembers({ hotelId })
  assert.equal(await bySelf(), allIds)
  for (const isDeleted of [false, true]) await asService.hotelMembers.deactivateHotelMembers({ hotelId, isDeleted })
  assert.equal(await byPlatform(), {
    reads: Array.from({ length: 6 }, () => 404),
    listed: [],
    listedActive: 0,
    invitations: 0,
    workspaces: 1,
    ecosystems: 1,
  })
  assert.equal(await bySelf(), otherIds)
  await asService.hotelMembers.reactivateHotelMembers({ hotelId })
  assert.equal(await byPlatform(), { ...open, listed: [true], listedActive: 1 })
})

test('nobody is synchronised while the hotel is closed, and who knows its members learns that', async () => {
  const [world, otherWorld] = [await openWorld(host), await openWorld(host)]
  const { hotelId, workspaceId, admin } = world
  const person = await addPerson(host, world, 'viewer')
  await comeInto(host, otherWorld, person)
  const ids = [admin.memberId, person.memberId].toSorted()
  const sync = async (cursor?: string) => {
    const answer = await asService.sync.syncMembers({ workspaceId, ...(cursor && { cursor }) })
    return { cursor: answer.cursor, members: answer.members.map(one => one.id), removed: answer.removed.toSorted() }
  }
  const { cursor } = await sync()
  await asService.hotelMembers.deactivateHotelMembers({ hotelId })
  assert.equal((await sync()).members, [])
  const atClosing = await sync(cursor)
  assert.equal([atClosing.members, atClosing.removed], [[], ids])
  await asService.hotelMembers.reactivateHotelMembers({ hotelId })
  const atOpening = await sync(atClosing.cursor)
  assert.equal([atOpening.members, atOpening.removed], [ids, []])
})

test.run()
