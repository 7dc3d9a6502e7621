import type { HandlerContext } from '@connectrpc/connect'
import { TeamService } from '../../../gen/platform/member/v1/teams_pb.ts'
import { actingMember, eventActorOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { teamValues } from '../audit/values.ts'
import { checkPlaces } from '../hierarchy/hierarchy.ts'
import { isMember } from '../memberships/sql.ts'
import { lockWorkspace } from '../memberships/workspace.sql.ts'
import type { Db, Trx } from '../tables.ts'
import { auditGroup, auditPlace, toGroupMember } from './groups.ts'
import {
  demoteLeader,
  findTeam,
  findTeamMember,
  insertTeam,
  listTeamMembers,
  locateTeam,
  putIntoTeam,
  removeFromTeam,
  teamsWithCounts,
  updateTeam,
} from './teams.sql.ts'

type TeamRow = NonNullable<Awaited<ReturnType<typeof findTeam>>>

/** Teams of a workspace (`/teams`). A team has at most one leader, who is a member of it. */
export const teamService = ({ db }: { db: Db }): Rpc => {
  const open = async (id: string, context: HandlerContext): Promise<Tenant> =>
    tenantOfRecord(context, (await locateTeam(db, id))?.workspace_id, 'Team')

  return implement(TeamService, {
    async createTeam({ name, description, color, icon, leaderId }, context) {
      const tenant = tenantOf(context)
      const fields = { description: description ?? null, color: color ?? null, icon: icon ?? null, leader_id: null }
      const team = await inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        const id = await insertTeam(trx, tenant, { ...fields, name })
        if (leaderId) await setLeader(trx, tenant, id, leaderId, by(context))
        const made = await loadRow(trx, tenant, id)
        await auditGroup(trx, tenant, group(id, context), undefined, teamValues(made))
        return toTeam(made)
      })
      return { team }
    },

    async listTeams(_request, context) {
      return { data: (await teamsWithCounts(db, tenantOf(context)).execute()).map(toTeam) }
    },

    async updateTeam({ id, updateMask, name, description, color, icon, leaderId, isActive }, context) {
      const tenant = await open(id, context)
      const named = new Set(updateMask?.paths)
      if (named.has('name') && !name) throw invalid('name', 'cannot be cleared', 'required')
      if (named.has('is_active') && isActive === undefined) throw invalid('isActive', 'cannot be cleared', 'required')
      const set = {
        ...(named.has('name') && name ? { name } : {}),
        ...(named.has('description') ? { description: description ?? null } : {}),
        ...(named.has('color') ? { color: color ?? null } : {}),
        ...(named.has('icon') ? { icon: icon ?? null } : {}),
        ...(named.has('is_active') ? { is_active: isActive ? 1 : 0 } : {}),
      }
      const team = await inTransaction(db, async trx => {
        const before = await lockRow(trx, tenant, id)
        if (Object.keys(set).length > 0) await updateTeam(trx, tenant, id, set)
        if (named.has('leader_id')) await setLeader(trx, tenant, id, leaderId, by(context), before.leader_id)
        const after = await loadRow(trx, tenant, id)
        await auditGroup(trx, tenant, group(id, context), teamValues(before), teamValues(after))
        return toTeam(after)
      })
      return { team }
    },

    async deleteTeam({ id }, context) {
      const tenant = await open(id, context)
      await inTransaction(db, async trx => {
        const before = await lockRow(trx, tenant, id)
        await auditGroup(trx, tenant, group(id, context), teamValues(before), undefined)
        await updateTeam(trx, tenant, id, { deleted_at: new Date(), leader_id: null })
        await removeFromTeam(trx, tenant, id)
      })
      return { message: 'Team deleted', id }
    },

    async addTeamMember({ id, memberId, role }, context) {
      const tenant = await open(id, context)
      const row = await inTransaction(db, async trx => {
        const { leader_id } = await lockRow(trx, tenant, id)
        if (!(await isMember(trx, tenant, memberId))) throw new NotFoundError('Member not found')
        await checkPlaces(trx, tenant, by(context), [memberId])
        const before = await findTeamMember(trx, tenant, id, memberId)
        if (role === 'leader') await setLeader(trx, tenant, id, memberId, by(context), leader_id)
        // Added again without a role, a leader stays leader [R82].
        else if (role || before?.role !== 'leader') {
          await clearLeader(trx, tenant, id, memberId)
          await putIntoTeam(trx, tenant, id, memberId, 'member')
        }
        const after = await findTeamMember(trx, tenant, id, memberId)
        await auditPlace(trx, tenant, group(id, context), memberId, before?.role, after?.role)
        return after
      })
      return { teamId: id, memberId, role: row?.role ?? 'member', joinedAt: timestamp(row?.joined_at) }
    },

    async removeTeamMember({ id, memberId }, context) {
      const tenant = await open(id, context)
      await inTransaction(db, async trx => {
        await lockRow(trx, tenant, id)
        const before = await findTeamMember(trx, tenant, id, memberId)
        if (before) await checkPlaces(trx, tenant, by(context), [memberId])
        await auditPlace(trx, tenant, group(id, context), memberId, before?.role, undefined)
        await clearLeader(trx, tenant, id, memberId)
        await removeFromTeam(trx, tenant, id, memberId)
      })
      return { message: 'Member removed from team', teamId: id, memberId }
    },

    async listTeamMembers({ id }, context) {
      const tenant = await open(id, context)
      const rows = await listTeamMembers(db, tenant, id)
      return { data: rows.map(toGroupMember) }
    },
  })
}

/**
 * Makes a member of the workspace the leader of a team.
 * @param callerId the acting member
 * @param present the present leader
 */
async function setLeader(
  trx: Trx,
  tenant: Tenant,
  id: string,
  leaderId: string | undefined,
  callerId: string | undefined,
  present: string | null = null,
): Promise<void> {
  if (leaderId && !(await isMember(trx, tenant, leaderId)))
    throw invalid('leaderId', 'is not a member of the workspace', 'unknown_member')
  if (leaderId !== present) await checkPlaces(trx, tenant, callerId, [leaderId, present])
  await demoteLeader(trx, tenant, id)
  if (leaderId) await putIntoTeam(trx, tenant, id, leaderId, 'leader')
  await updateTeam(trx, tenant, id, { leader_id: leaderId ?? null })
}

/** A leader who is removed or becomes an ordinary member no longer leads the team. */
async function clearLeader(trx: Trx, tenant: Tenant, id: string, memberId: string): Promise<void> {
  const row = await findTeamMember(trx, tenant, id, memberId)
  if (row?.role === 'leader') await updateTeam(trx, tenant, id, { leader_id: null })
}

async function loadRow(db: Db, tenant: Tenant, id: string): Promise<TeamRow> {
  const row = await findTeam(db, tenant, id)
  if (!row) throw new NotFoundError('Team not found')
  return row
}

/** Locks the team and the workspace, so that no member leaves meanwhile, and reads the team. */
async function lockRow(trx: Trx, tenant: Tenant, id: string): Promise<TeamRow> {
  await lockWorkspace(trx, tenant)
  return loadRow(trx, tenant, id)
}

const by = (context: HandlerContext) => actingMember(context)?.memberId
const group = (id: string, context: HandlerContext) => ({ kind: 'team' as const, id, actor: eventActorOf(context) })

const toTeam = (row: TeamRow) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  description: optional(row.description),
  color: optional(row.color),
  icon: optional(row.icon),
  leaderId: optional(row.leader_id),
  isActive: row.is_active === 1,
  membersCount: Number(row.members_count),
  createdAt: timestamp(row.created_at),
  updatedAt: timestamp(row.updated_at),
})
