import { frontLink } from '../kernel/base/front-link.ts'
import { cipher } from '../kernel/base/secrets.ts'
import { startConsumer } from '../kernel/bus/consume.ts'
import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, pingDatabase } from '../kernel/database/database.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import { startRetention } from '../kernel/database/retention.ts'
import { storageKeysOf } from '../kernel/process/config.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { analyticsService } from './analytics/analytics.ts'
import { auditService } from './audit/audit.ts'
import { auditRetention } from './audit/retention.ts'
import { bulkService } from './bulk/bulk.ts'
import { memberConfig } from './config.ts'
import type { Context } from './context.ts'
import { exportService } from './export/export.ts'
import { departmentService } from './groups/departments.ts'
import { teamService } from './groups/teams.ts'
import { restEndedConsumer } from './hotel-memberships/rests.ts'
import { changedProfiles } from './hotels/changed-profiles.ts'
import { ecosystemMemberService } from './hotels/ecosystem-members.ts'
import { hotelMemberService } from './hotels/hotel-members.ts'
import { openedHotels } from './hotels/opened-hotels.ts'
import { recordedChanges } from './hotels/recorded-changes.ts'
import { hotelWorkspaceService } from './hotels/workspaces.ts'
import { deletedUsers } from './members/deleted-users.ts'
import { memberService } from './members/members.ts'
import { sessionService } from './members/sessions.ts'
import { mailedTokens } from './onboarding/mailed-token.ts'
import { onboardingService } from './onboarding/onboarding.ts'
import { invitationService } from './profiles/invitations.ts'
import { profileService } from './profiles/profiles.ts'
import { accessService } from './rights/access.ts'
import { permissionService } from './roles/permissions.ts'
import { roleService } from './roles/roles.ts'
import { seedPermissions } from './roles/seed.ts'
import { memberSettingsService } from './settings/settings.ts'
import { syncService } from './sync/sync.ts'
import { type MemberTables, tenantTables } from './tables.ts'
import { workspaceMemberService } from './workspaces/workspace-members.ts'
import { workspaceService } from './workspaces/workspaces.ts'

const services = [
  accessService,
  profileService,
  onboardingService,
  invitationService,
  hotelMemberService,
  hotelWorkspaceService,
  workspaceService,
  workspaceMemberService,
  memberService,
  permissionService,
  roleService,
  ecosystemMemberService,
  teamService,
  departmentService,
  memberSettingsService,
  sessionService,
  syncService,
  analyticsService,
  exportService,
  bulkService,
  auditService,
]

/** Members, workspaces and the two-level access control of the platform. */
export const service: ServiceModule = {
  name: 'member',
  async start({ env, log, bus, rights, client }) {
    const config = memberConfig(env)
    const db = await openMigrated<MemberTables>('member', config.DATABASE_URL, log, { tables: tenantTables })
    await seedPermissions(db)
    const relay = startRelay(db, bus, { log })
    const retention = startRetention(db, [auditRetention(db, config.AUDIT_KEPT_DAYS)], log)
    const keys = storageKeysOf(config)
    const context: Context = {
      db,
      bus,
      rights,
      client,
      log,
      secretCipher: cipher('stored-secret', keys),
      links: {
        linkOf: token => frontLink(config.FRONT_BASE_URL, config.FRONT_INVITATION_SUFFIX, token),
        cipher: cipher('invitation-link', keys),
        tokens: mailedTokens(keys),
      },
    }
    const consumers = [deletedUsers, openedHotels, changedProfiles, recordedChanges, restEndedConsumer].map(make =>
      startConsumer({ bus, db, log, ...make(context) }),
    )
    return {
      rpcs: services.map(make => make(context)),
      idempotency: { db },
      ready: () => pingDatabase(db),
      async stop() {
        await Promise.all(consumers.map(one => one.stop()))
        await retention.stop()
        await relay.stop()
        await closeDatabase(db)
      },
    }
  },
}
