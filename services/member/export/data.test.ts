import { toJsonString } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ExportMemberDataResponseSchema } from '../../../gen/platform/member/v1/export_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { acceptFor, addPerson, type HotelWorld, openWorld, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { service as news } from '../../news/service.ts'
import { service as notification } from '../../notification/service.ts'
import { type MemberTables, tenantTables } from '../tables.ts'
import { invitationsTo } from './data.sql.ts'

const test = suite('export of one member')
const { host, asUser } = await memberForTest(test, {}, [news, notification])

const fetch = (userId: string, id: string) => asUser(userId).exports.exportMemberData({ id })

/** Adds a member of one hotel to another by invitation. */
async function joinToo({ workspaceId, admin }: HotelWorld, { userId, email }: TestPerson): Promise<void> {
  const { invitation } = await asUser(admin).onboarding.invite({ workspaceId, email, workspaceRole: 'viewer' })
  await acceptFor(host, invitation?.token, { email, userId })
}

test('a member gets all data about them, also of workspaces that they left', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const clerk = await addPerson(host, world, 'viewer', { firstName: 'Mia' })
  await joinToo(other, clerk)
  await asUser(clerk).settings.updateMemberPreferences({
    id: clerk.memberId,
    theme: 'dark',
    updateMask: { paths: ['theme'] },
  })
  await asUser(other.admin).memberships.removeWorkspaceMember({
    workspaceId: other.workspaceId,
    memberId: clerk.memberId,
  })
  const data = await fetch(clerk.userId, clerk.memberId)
  assert.equal([data.member?.id, data.member?.firstName, data.member?.email], [clerk.memberId, 'Mia', clerk.email])
  assert.equal([data.settings?.language, data.preferences?.theme], ['fr', 'dark'])
  assert.equal(
    new Map(data.memberships.map(one => [one.workspaceId, [one.workspaceRole, one.leftAt !== undefined]])),
    new Map([
      [world.workspaceId, ['viewer', false]],
      [other.workspaceId, ['viewer', true]],
    ]),
  )
  const joined = data.memberships.map(({ joinedAt }) => (joinedAt ? timestampMs(joinedAt) : 0))
  assert.equal(
    joined,
    joined.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(data.invitations.map(one => one.workspaceId)), new Set([world.workspaceId, other.workspaceId]))
  assert.is(data.audit[0]?.action, 'membership.removed')
  assert.is(data.audit[0]?.before?.['workspaceRole'], 'viewer')
  assert.ok(data.exportedAt)
})

test('holders of export_data get the data in their workspaces, and none of another hotel', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const clerk = await addPerson(host, world, 'viewer')
  await joinToo(other, clerk)
  const data = await fetch(world.admin.userId, clerk.memberId)
  const places = [...data.memberships, ...data.invitations, ...data.audit].map(one => one.workspaceId)
  assert.equal(new Set(places), new Set([world.workspaceId]))
  assert.equal(
    data.member?.workspaces.map(one => one.workspaceId),
    [world.workspaceId],
  )
  assert.not.ok(toJsonString(ExportMemberDataResponseSchema, data).includes(other.workspaceId))
  assert.ok(data.settings)
  const root = await fetch(world.root, clerk.memberId)
  assert.is(root.memberships.length, 2)
})

test('settings are not included for members who can export but not manage', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  await asUser(admin).roles.createRole({ workspaceId, name: 'Auditor', permissions: ['export_data', 'view_members'] })
  const auditor = await addPerson(host, world, 'auditor')
  const clerk = await addPerson(host, world, 'viewer')
  const data = await fetch(auditor.userId, clerk.memberId)
  assert.equal([data.member?.id, data.settings, data.preferences], [clerk.memberId, undefined, undefined])
})

test('invitations in another spelling of the address are included, and found by an index', async () => {
  const world = await openWorld(host)
  const clerk = await addPerson(host, world, 'viewer')
  const other = await openWorld(host)
  await asUser(other.admin).onboarding.invite({ workspaceId: other.workspaceId, email: clerk.email.toUpperCase() })
  const data = await fetch(clerk.userId, clerk.memberId)
  assert.ok(data.invitations.some(one => one.workspaceId === other.workspaceId))
  const db = openDatabase<MemberTables>(host.databaseUrl('member'), { tables: tenantTables })
  const [plan] = await invitationsTo(db, clerk.email, undefined).explain<{ key: string }>('traditional')
  assert.is(plan?.key, 'onboardings_email')
  await closeDatabase(db)
})

test('a person’s changes of others are listed in their export without their content', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const clerk = await addPerson(host, world, 'viewer')
  const turn = [{ memberId: clerk.memberId, workspaceRole: 'member' }]
  await asUser(admin).bulk.bulkUpdateRoles({ workspaceId, members: turn })
  const [entry] = (await fetch(admin.userId, admin.memberId)).audit
  assert.equal(
    [entry?.action, entry?.entityId, entry?.before, entry?.after],
    ['membership.updated', clerk.memberId, undefined, undefined],
  )
})

test.run()
