import type { RowDataPacket } from 'mysql2/promise'
import { emitted } from '../../gen/emitted.ts'
import { assert, eventually, refusal, suite } from '../../test/kit/kit.ts'
import { acceptFor, addPerson, openWorld, someAddress } from '../../test/kit/member.ts'
import { memberForTest } from '../../test/kit/member-service.ts'
import { newId } from '../kernel/base/ids.ts'

const test = suite('events of the member service')
const { host, sql, asUser, asService } = await memberForTest(test)

type Event = {
  subject: string
  payload: Record<string, unknown>
  workspaceId: string
  actor: string
  occurrenceId: string
}
let position = 0
/** Events since the last call, without those that rights changed. */
async function loadNewEvents(): Promise<Event[]> {
  const [rows] = await sql.query<RowDataPacket[]>('select * from outbox where position > ? order by position', [
    position,
  ])
  position = Number(rows.at(-1)?.['position'] ?? position)
  const events = rows.map(row => {
    const { payload, workspaceId, metadata } = JSON.parse(String(row['body'])) as {
      payload: Record<string, unknown>
      workspaceId: string
      metadata: { actor: { id: string }; occurrenceId: string }
    }
    const { actor, occurrenceId } = metadata
    return { subject: String(row['subject']), payload, workspaceId, actor: actor.id, occurrenceId }
  })
  return events.filter(one => one.subject !== 'platform.member.access_changed')
}
const payloadsOf = (events: Event[], subject: string, ...fields: string[]) =>
  events.filter(one => one.subject === subject).map(({ payload }) => fields.map(field => payload[field]))

const notification = (key: string) => `platform.notification.${key}`

test('each change writes its event with the documented payload, in its transaction', async () => {
  const world = await openWorld(host)
  const { workspaceId, hotelId, admin, root } = world
  const clerk = await addPerson(host, world, 'viewer')
  const { memberId } = clerk
  const people = asUser(admin).members
  const memberships = asUser(admin).memberships
  const place = { workspaceId, memberId }
  await loadNewEvents()

  const { workspace } = await asUser(root).workspaces.createWorkspace({ name: 'Spa', ecosystemId: hotelId })
  const creationSubject = notification('workspace.created')
  const creationEvents = await loadNewEvents()
  assert.equal(payloadsOf(creationEvents, creationSubject, 'workspaceId', 'name', 'ecosystemId'), [
    [workspace?.id, 'Spa', hotelId],
  ])
  // The actor is the creator, not the platform.
  assert.not.equal(creationEvents.find(one => one.subject === creationSubject)?.actor, 'system')

  await people.updateMember({
    id: memberId,
    lastName: 'Neu',
    phone: '12',
    updateMask: { paths: ['last_name', 'phone'] },
  })
  const updateSubject = notification('member.updated')
  assert.equal(payloadsOf(await loadNewEvents(), updateSubject, 'memberId', 'changes'), [
    [memberId, { lastName: 'Neu', phone: '12' }],
  ])

  const { userId } = clerk
  await asService.profiles.updateUserProfile({
    userId,
    firstName: 'Nia',
    photoUrl: 'https://a.example/n.png',
    updateMask: { paths: ['first_name', 'photo_url'] },
  })
  assert.equal(payloadsOf(await loadNewEvents(), updateSubject, 'memberId', 'changes'), [
    [memberId, { firstName: 'Nia', photo_url: 'https://a.example/n.png' }],
  ])

  const roleUpdated = 'platform.member.role_updated'
  const change = { ...place, workspaceRole: 'member', updateMask: { paths: ['workspace_role'] } }
  await memberships.updateWorkspaceMember(change)
  const fields = ['memberId', 'workspaceId', 'workspaceRole', 'isAdmin']
  assert.equal(payloadsOf(await loadNewEvents(), roleUpdated, ...fields), [[memberId, workspaceId, 'member', false]])
  const members = [{ memberId, workspaceRole: 'viewer' }]
  await asUser(admin).bulk.bulkUpdateRoles({ workspaceId, members })
  assert.equal(payloadsOf(await loadNewEvents(), roleUpdated, ...fields), [[memberId, workspaceId, 'viewer', false]])

  await memberships.removeWorkspaceMember(place)
  const removalEvents = await loadNewEvents()
  assert.equal(payloadsOf(removalEvents, notification('workspace.member_left'), 'memberId', 'workspaceId'), [
    [memberId, workspaceId],
  ])
  assert.equal([removalEvents[0]?.workspaceId, removalEvents[0]?.actor], [workspaceId, admin.memberId])
  await memberships.addWorkspaceMember({ id: workspaceId, memberId, workspaceRole: 'viewer' })
  assert.equal(payloadsOf(await loadNewEvents(), notification('workspace.member_joined'), 'memberId', 'workspaceId'), [
    [memberId, workspaceId],
  ])

  await people.deleteMember({ id: memberId })
  const deletionEvents = await loadNewEvents()
  assert.equal(payloadsOf(deletionEvents, notification('member.deleted'), 'memberId', 'email'), [
    [memberId, clerk.email],
  ])
  assert.is(payloadsOf(deletionEvents, notification('workspace.member_left'), 'memberId').length, 1)
})

test('a new member emits onboarding under both names, and registers and joins once', async () => {
  const { workspaceId, admin, hotelId } = await openWorld(host)
  await loadNewEvents()
  const [email, userId] = [someAddress(), newId()]
  const { invitation } = await asUser(admin).onboarding.invite({ workspaceId, email })
  const invitationEvents = await loadNewEvents()
  for (const subject of [notification('member.onboarding'), 'member.onboarding'])
    assert.equal(payloadsOf(invitationEvents, subject, 'email', 'workspaceId', 'ecosystemId'), [
      [email, workspaceId, hotelId],
    ])
  assert.not.ok(JSON.stringify(invitationEvents).includes(invitation?.token ?? 'x'))
  const accept = () => acceptFor(host, invitation?.token, { email, userId })
  const { profile } = await accept()
  const memberId = profile?.id ?? ''
  await accept()
  await asService.profiles.markRegistered({ memberId })
  const acceptanceEvents = await loadNewEvents()
  assert.equal(payloadsOf(acceptanceEvents, notification('member.registered'), 'memberId', 'email', 'workspaceId'), [
    [memberId, email, workspaceId],
  ])
  assert.equal(payloadsOf(acceptanceEvents, notification('workspace.member_joined'), 'memberId'), [[memberId]])
  const arrivals = new Set(['member.registered', 'workspace.member_joined'].map(notification))
  const occurrences = acceptanceEvents
    .filter(({ subject }) => arrivals.has(subject))
    .map(({ occurrenceId }) => occurrenceId)
  assert.equal([occurrences.length, new Set(occurrences).size], [2, 1], 'one arrival')
})

test('the first registration emits an event, also for people without a workspace', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const clerk = await addPerson(host, world, 'viewer')
  await loadNewEvents()
  await asService.profiles.markRegistered({ memberId: clerk.memberId })
  await asService.profiles.markRegistered({ memberId: clerk.memberId })
  assert.equal(payloadsOf(await loadNewEvents(), notification('member.registered'), 'memberId', 'workspaceId'), [
    [clerk.memberId, workspaceId],
  ])
  await asUser(clerk).memberships.leaveWorkspace({ id: workspaceId })
  await loadNewEvents()
  await asUser(world.root).members.updateMember({
    id: clerk.memberId,
    lastName: 'X',
    updateMask: { paths: ['last_name'] },
  })
  await asUser(world.root).members.eraseMember({ id: clerk.memberId })
  const events = await loadNewEvents()
  assert.equal(
    events.map(one => [one.subject, one.workspaceId]),
    [
      [notification('member.updated'), ''],
      [notification('member.deleted'), ''],
      ['platform.member.erased', ''],
    ],
  )
})

test('deleting an account deactivates its member, who loses all rights, and emits an event', async () => {
  const world = await openWorld(host)
  const clerk = await addPerson(host, world, 'viewer')
  await loadNewEvents()
  const body = { type: 'user.deleted', payload: { id: clerk.userId, userId: clerk.userId, email: clerk.email } }
  await host.bus.publish('platform.auth.user.deleted', JSON.stringify(body), { id: newId() })
  const updateEvents: Event[] = []
  await eventually(async () => updateEvents.push(...(await loadNewEvents())) > 0)
  assert.equal(payloadsOf(updateEvents, notification('member.updated'), 'memberId', 'changes'), [
    [clerk.memberId, { isActive: false }],
  ])
  assert.is((await refusal(asService.access.getAccess({ userId: clerk.userId }))).info.status, 404)
  const { profile } = await asService.profiles.getProfile({ memberId: clerk.memberId })
  assert.equal([profile?.isActive, profile?.userId], [false, undefined])
})

test('every event that the service emits was written here', async () => {
  const [rows] = await sql.query<RowDataPacket[]>('select distinct subject from outbox')
  const subjects = new Set(rows.map(row => String(row['subject'])))
  // In services/member/workspaces/rest.test.ts and services/auth/accounts/ended.test.ts.
  const elsewhere = ['platform.member.rest_ended', 'platform.member.administration_revoked']
  assert.equal(
    emitted.member.filter(key => !subjects.has(key) && !elsewhere.includes(key)),
    [],
    'Cause a new event in a test above, or name it in `elsewhere` with the test that does',
  )
})

test.run()
