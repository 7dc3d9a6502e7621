import { AnalyticsService } from '../../../gen/platform/member/v1/analytics_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { instantAt, knownTimeZone, offsetAt } from '../../kernel/base/time-zone.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { departmentParents } from '../groups/departments.sql.ts'
import { findWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { membershipFigures, seenSince, teamFigures } from './sql.ts'

/** Figures of a workspace. They count the members that its lists show, pending ones included. */
export const analyticsService = ({ db }: Context): Rpc =>
  implement(AnalyticsService, {
    async getWorkspaceAnalytics({ id }, context) {
      const tenant = tenantOf(context)
      const workspace = await findWorkspace(db, tenant)
      if (!workspace) throw new NotFoundError('Workspace not found')
      const periodStarts = startsIn(zoneOf(workspace.settings), new Date())
      const [memberships, seenCount, teams, departments] = await Promise.all([
        membershipFigures(db, tenant, periodStarts),
        seenSince(db, tenant, periodStarts),
        teamFigures(db, tenant),
        departmentParents(db, tenant),
      ])
      const sum = (rows: { n: number }[]) => rows.reduce((total, row) => total + Number(row.n), 0)
      const inStatus = (status: string) => sum(memberships.filter(row => row.status === status))
      const roles = [...Map.groupBy(memberships, row => row.workspace_role)]
      const joinedCount = memberships.reduce((total, row) => total + Number(row.joined), 0)
      return {
        workspaceId: id,
        members: {
          total: sum(memberships),
          active: sum(memberships.filter(row => row.status === 'active' && row.member_active === 1)),
          pending: inStatus('pending'),
          suspended: inStatus('suspended'),
          byRole: Object.fromEntries(roles.map(([slug, rows]) => [slug, sum(rows)])),
        },
        teams: {
          total: teams.total,
          averageSize: teams.total === 0 ? 0 : Math.round((teams.places / teams.total) * 100) / 100,
        },
        departments: { total: departments.length },
        activity: { newMembersThisMonth: joinedCount, activeToday: seenCount },
      }
    },
  })

function zoneOf(settings: string | null): string {
  const { timezone } = JSON.parse(settings ?? '{}') as { timezone?: unknown }
  return knownTimeZone(typeof timezone === 'string' ? timezone : null)
}

/** Start of the day and of the month of `now` in a time zone. */
export function startsIn(zone: string, now: Date): { day: Date; month: Date } {
  const localNow = new Date(now.getTime() + offsetAt(zone, now))
  const startOf = (date: number) => instantAt(zone, Date.UTC(localNow.getUTCFullYear(), localNow.getUTCMonth(), date))
  return { day: startOf(localNow.getUTCDate()), month: startOf(1) }
}
