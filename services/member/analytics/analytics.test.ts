import { AnalyticsService } from '../../../gen/platform/member/v1/analytics_pb.ts'
import { TeamService } from '../../../gen/platform/member/v1/teams_pb.ts'
import { WorkspaceService } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import { assert, eventually, refusal, startTestHost, suite, type TestHost } from '../../../test/kit/kit.ts'
import { addPerson, openWorld, zoneAtNoon } from '../../../test/kit/member.ts'
import { service as member } from '../service.ts'
import { startsIn } from './analytics.ts'

const test = suite('analytics of a workspace')
let host: TestHost

test.before(async () => {
  host = await startTestHost([member])
})
test.after(() => host.end())

test('analytics count current members by role, team and day', async () => {
  const world = await openWorld(host)
  const clerk = await addPerson(host, world, 'viewer')
  await host.as(WorkspaceService, world.admin.userId).updateWorkspace({
    id: world.workspaceId,
    settings: { timezone: zoneAtNoon() },
    updateMask: { paths: ['settings'] },
  })
  const admin = host.as(AnalyticsService, world.admin.userId)
  const teams = host.as(TeamService, world.admin.userId)
  await teams.createTeam({ workspaceId: world.workspaceId, name: 'A', leaderId: clerk.memberId })
  await teams.createTeam({ workspaceId: world.workspaceId, name: 'B' })
  const { members, teams: figures, activity } = await admin.getWorkspaceAnalytics({ id: world.workspaceId })
  assert.equal([members?.total, members?.active, members?.pending, members?.suspended], [2, 2, 0, 0])
  assert.equal(members?.byRole, { admin: 1, viewer: 1 })
  assert.equal([figures?.total, figures?.averageSize, activity?.newMembersThisMonth], [2, 0.5, 2])
  await eventually(
    async () => (await admin.getWorkspaceAnalytics({ id: world.workspaceId })).activity?.activeToday === 1,
  )
  const denied = host.as(AnalyticsService, clerk.userId).getWorkspaceAnalytics({ id: world.workspaceId })
  assert.is((await refusal(denied)).rawMessage, 'Permission denied')
  const stranger = (await openWorld(host)).admin.userId
  const foreign = host.as(AnalyticsService, stranger).getWorkspaceAnalytics({ id: world.workspaceId })
  assert.is((await refusal(foreign)).rawMessage, 'Workspace access denied')
})

test('days and months start in the workspace’s time zone, also across changes of daylight saving time', () => {
  const paris = startsIn('Europe/Paris', new Date('2024-03-31T10:00:00Z'))
  assert.is(paris.day.toISOString(), '2024-03-30T23:00:00.000Z')
  assert.is(paris.month.toISOString(), '2024-02-29T23:00:00.000Z')
  const tokyo = startsIn('Asia/Tokyo', new Date('2024-05-31T15:30:00Z'))
  assert.is(tokyo.day.toISOString(), '2024-05-31T15:00:00.000Z')
  assert.is(tokyo.month.toISOString(), '2024-05-31T15:00:00.000Z')
})

test.run()
