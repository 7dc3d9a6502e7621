import { TeamService } from '../../../gen/platform/member/v1/teams_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { teamValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { groupOperations } from './groups.ts'
import { team } from './kinds.ts'
import { listGroups, type MemberGroupRow } from './sql.ts'

/** Teams of a workspace (`/teams`). */
export const teamService = ({ db }: Context): Rpc => {
  const teams = groupOperations(db, team, { values: teamValues })

  return implement(TeamService, {
    async createTeam({ name, description, color, icon, leaderId }, context) {
      return { team: toTeam(await teams.create(name, { description, color, icon }, leaderId, context)) }
    },

    async listTeams(_request, context) {
      return { data: (await listGroups(db, tenantOf(context), team)).map(toTeam) }
    },

    async updateTeam(request, context) {
      const { description, color, icon, leaderId } = request
      return { team: toTeam(await teams.update(request, { description, color, icon }, leaderId, context)) }
    },

    deleteTeam: ({ id }, context) => teams.delete(id, context),

    async addTeamMember(request, context) {
      return { teamId: request.id, ...(await teams.addMember(request, context)) }
    },

    async removeTeamMember(request, context) {
      return { teamId: request.id, ...(await teams.removeMember(request, context)) }
    },

    listTeamMembers: ({ id }, context) => teams.listMembers(id, context),
  })
}

const toTeam = (row: MemberGroupRow<typeof team>) => ({
  ...messageFields(row),
  membersCount: Number(row.members_count),
})
