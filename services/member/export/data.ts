import type { Client, HandlerContext } from '@connectrpc/connect'
import type { ExportService as NewsExportService } from '../../../gen/platform/news/v1/export_pb.ts'
import type { ExportService as NotificationExportService } from '../../../gen/platform/notification/v1/export_pb.ts'
import { openTenantsOf } from '../../kernel/access/access.ts'
import { hasPermission } from '../../kernel/access/tenant.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { toEntry } from '../audit/audit.ts'
import { loadMemberDetail } from '../members/message.ts'
import { toInvitation } from '../onboarding/invite.ts'
import { parseDocument, toPreferences, toSettings, visibleDocument } from '../settings/settings.ts'
import { findSettings } from '../settings/sql.ts'
import type { Db } from '../tables.ts'
import { toMembership, withRights } from '../workspace-memberships/message.ts'
import { type Reach, reachMember } from '../workspace-memberships/reach.ts'
import { membershipsOf } from '../workspace-memberships/sql.ts'
import type { MemberView } from '../workspace-memberships/view.ts'
import { auditEntriesAbout, invitationsTo, lastSeenAt } from './data.sql.ts'

/** The services that store data about members. */
export type OtherExports = {
  news: Client<typeof NewsExportService>
  notification: Client<typeof NotificationExportService>
}

/**
 * Exports all data about one member. Members get all of their own; others get the data of the workspaces in which they
 * hold `export_data`. Settings belong to no workspace, so only those who may read them get them.
 * Fails while another service can't answer: an incomplete export would look complete.
 */
export async function exportMemberData(db: Db, otherExports: OtherExports, context: HandlerContext, id: string) {
  const reach = await reachMember(db, context, id, 'export_data')
  const workspaceIds = exportedWorkspaceIds(reach, context)
  const { isSelf, isPlatform, tenants, view } = reach
  // A browser then saves the response as a file; programs still read it as JSON.
  context.responseHeader.set('content-disposition', `attachment; filename="member-${id}.json"`)
  const [detail, settings, memberships, invitations, audit, lastSeen] = await Promise.all([
    loadMemberDetail(db, reach),
    isSelf || isPlatform || (!view.isVeiled && tenants.some(one => hasPermission(one, 'manage_members')))
      ? settingsOf(db, id, view)
      : {},
    membershipsOf(db, id, workspaceIds).then(rows => withRights(db, rows)),
    invitationsTo(db, view.email, workspaceIds).execute(),
    auditEntriesAbout(db, id, workspaceIds),
    view.isVeiled ? undefined : lastSeenAt(db, id),
  ])
  const scope = {
    memberId: id,
    everything: workspaceIds === undefined,
    workspaceIds: workspaceIds === undefined ? [] : memberships.map(row => row.workspace_id),
  }
  const [{ data: news }, { data: notification }] = await Promise.all([
    otherExports.news.exportNewsData(scope),
    otherExports.notification.exportNotificationData(scope),
  ])
  return {
    member: detail,
    ...settings,
    memberships: memberships.map(toMembership),
    invitations: invitations.map(row => toInvitation(row)),
    audit: audit.map(row => {
      const { before, after, ...entry } = toEntry(row)
      // Changes that the member made to others are not about the member, so the values are left out.
      return row.member_id === id ? { ...entry, ...(before ? { before } : {}), ...(after ? { after } : {}) } : entry
    }),
    exportedAt: timestamp(new Date()),
    lastSeenAt: timestamp(lastSeen),
    news,
    notification,
  }
}

/** Workspaces whose records are exported; undefined for all, including former ones. */
function exportedWorkspaceIds({ isSelf, isPlatform }: Reach, context: HandlerContext): string[] | undefined {
  if (isSelf || isPlatform) return undefined
  const openWorkspaces = openTenantsOf(context).workspaces
  return openWorkspaces.filter(one => one.permissions.includes('export_data')).map(one => one.workspaceId)
}

async function settingsOf(db: Db, id: string, view: MemberView) {
  const row = await findSettings(db, id)
  return {
    settings: toSettings(id, parseDocument(row?.settings), view.mobileAccess),
    preferences: toPreferences(id, visibleDocument(view, row?.preferences), row?.is_invisible === 1),
  }
}
