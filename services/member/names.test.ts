import { getOption } from '@bufbuild/protobuf'
import { BulkService } from '../../gen/platform/member/v1/bulk_pb.ts'
import { DepartmentService } from '../../gen/platform/member/v1/departments_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { InvitationService } from '../../gen/platform/member/v1/invitations_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { PermissionService } from '../../gen/platform/member/v1/permissions_pb.ts'
import { RoleService } from '../../gen/platform/member/v1/roles_pb.ts'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import { access, Caller } from '../../gen/platform/options/v1/options_pb.ts'
import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, refusal, startTestHost, suite, type TestHost } from '../../test/kit/kit.ts'
import { openWorld, someAddress } from '../../test/kit/member.ts'
import { service as member } from './service.ts'

const test = suite('names of nothing but spaces')
let host: TestHost

test.before(async () => {
  host = await startTestHost([member])
})
test.after(() => host.end())

test('are refused for a person, a workspace, a team, a department, a role and a permission', async () => {
  const { workspaceId, hotelId, admin, root } = await openWorld(host)
  const [teams, departments] = [host.as(TeamService, admin.userId), host.as(DepartmentService, admin.userId)]
  const [roles, workspaces] = [host.as(RoleService, admin.userId), host.as(WorkspaceService, admin.userId)]
  const id = {
    team: (await teams.createTeam({ workspaceId, name: 'Desk' })).team?.id ?? '',
    department: (await departments.createDepartment({ workspaceId, name: 'Rooms' })).department?.id ?? '',
    role: (await roles.createRole({ workspaceId, name: 'Porter' })).role?.id ?? '',
  }
  const name = ' \t\u00a0'
  const renamed = { name, updateMask: { paths: ['name'] } }
  const email = someAddress()
  const members = host.as(MemberService, admin.userId)
  const self = { id: admin.memberId, lastName: name, updateMask: { paths: ['last_name'] } }
  const kind = { slug: 'fly', category: 'members', resource: 'member', action: 'read' }
  const invited = { userId: admin.userId, workspaceId, workspaceRole: 'member', email, lastName: name }
  const calls: Record<string, [path: string, call: () => Promise<unknown>]> = {
    CreateMember: ['firstName', () => members.createMember({ workspaceId, email, firstName: name, lastName: 'Body' })],
    UpdateMember: ['lastName', () => members.updateMember(self)],
    Invite: [
      'firstName',
      () => host.as(OnboardingService, admin.userId).invite({ workspaceId, email, firstName: name }),
    ],
    InviteForUser: ['lastName', () => host.client(InvitationService).inviteForUser(invited)],
    AddHotelMember: [
      'lastName',
      () => host.client(HotelMemberService).addHotelMember({ hotelId, email, firstName: 'A', lastName: name }),
    ],
    CreateWorkspace: ['name', () => host.as(WorkspaceService, root).createWorkspace({ ecosystemId: hotelId, name })],
    UpdateWorkspace: ['name', () => workspaces.updateWorkspace({ id: workspaceId, ...renamed })],
    CreateTeam: ['name', () => teams.createTeam({ workspaceId, name })],
    UpdateTeam: ['name', () => teams.updateTeam({ id: id.team, ...renamed })],
    CreateDepartment: ['name', () => departments.createDepartment({ workspaceId, name })],
    UpdateDepartment: ['name', () => departments.updateDepartment({ id: id.department, ...renamed })],
    CreateRole: ['name', () => roles.createRole({ workspaceId, name, slug: 'blank' })],
    UpdateRole: ['name', () => roles.updateRole({ id: id.role, ...renamed })],
    CreatePermission: ['name', () => host.as(PermissionService, root).createPermission({ ...kind, name })],
  }
  // What other services pass on was checked by them.
  const typed = (await rpcsOfPackage('platform.member.v1')).filter(
    rpc =>
      rpc.input.fields.some(field => /^(name|first_name|last_name)$/.test(field.name)) &&
      getOption(rpc, access).callers.some(caller => caller !== Caller.SERVICE),
  )
  assert.equal(
    typed.map(rpc => rpc.name).filter(rpc => !(rpc in calls)),
    [],
  )
  for (const [path, call] of Object.values(calls))
    assert.is((await refusal(call())).rawMessage, `${path}: must not be blank`)
  const { results } = await host
    .as(BulkService, admin.userId)
    .bulkAddMembers({ workspaceId, members: [{ email, firstName: name, lastName: 'Body' }] })
  assert.equal(
    results.map(one => [one.success, one.error]),
    [[false, 'ValidationError']],
  )
})

test.run()
