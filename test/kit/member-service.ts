import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import { AnalyticsService } from '../../gen/platform/member/v1/analytics_pb.ts'
import { AuditService } from '../../gen/platform/member/v1/audit_pb.ts'
import { BulkService } from '../../gen/platform/member/v1/bulk_pb.ts'
import { DepartmentService } from '../../gen/platform/member/v1/departments_pb.ts'
import { EcosystemMemberService } from '../../gen/platform/member/v1/ecosystem_members_pb.ts'
import { ExportService } from '../../gen/platform/member/v1/export_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { InvitationService } from '../../gen/platform/member/v1/invitations_pb.ts'
import { MemberSettingsService } from '../../gen/platform/member/v1/member_settings_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { PermissionService } from '../../gen/platform/member/v1/permissions_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { RoleService } from '../../gen/platform/member/v1/roles_pb.ts'
import { SessionService } from '../../gen/platform/member/v1/sessions_pb.ts'
import { SyncService } from '../../gen/platform/member/v1/sync_pb.ts'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { service } from '../../services/member/service.ts'
import { callersOf, startTestHost, type suite } from './kit.ts'
import { testPool } from './sql.ts'

export const memberServices = {
  access: AccessService,
  analytics: AnalyticsService,
  audit: AuditService,
  bulk: BulkService,
  departments: DepartmentService,
  ecosystems: EcosystemMemberService,
  exports: ExportService,
  hotelMembers: HotelMemberService,
  hotelWorkspaces: HotelWorkspaceService,
  invitations: InvitationService,
  members: MemberService,
  memberships: WorkspaceMemberService,
  onboarding: OnboardingService,
  permissions: PermissionService,
  profiles: ProfileService,
  roles: RoleService,
  sessions: SessionService,
  settings: MemberSettingsService,
  sync: SyncService,
  teams: TeamService,
  workspaces: WorkspaceService,
}

/**
 * The member service, and others beside it, for the tests of one file: with clients, and a connection to its database.
 * Everything ends with the suite.
 */
export async function memberForTest(
  test: ReturnType<typeof suite>,
  extra: Environment = {},
  extraServices: ServiceModule[] = [],
) {
  const host = await startTestHost([...extraServices, service], extra)
  const sql = testPool(host.databaseUrl('member'))
  test.after(async () => {
    await sql.end()
    await host.end()
  })
  return { host, sql, ...callersOf(host, memberServices) }
}
