import type { Team } from '../../../../gen/client/member.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { GroupPeople } from './group-people.tsx'

/** The people of a team. */
export function TeamMembers({ team, onChange }: { team: Team; onChange: () => void }) {
  const t = useTexts('groups/team-members')
  const { id } = team
  return (
    <GroupPeople
      group={`team/${id}`}
      list={signal => platform.member.listTeamMembers({ id }, { signal })}
      firstRole="leader"
      firstId={team.leaderId}
      texts={{ first: t.leader, makeFirst: t.makeLeader, add: t.add }}
      actions={{
        add: memberId => platform.member.addTeamMember({ id, body: { memberId, role: 'member' } }),
        makeFirst: async memberId => {
          await platform.member.addTeamMember({ id, body: { memberId, role: 'leader' } })
          await platform.member.updateTeam({ id, body: { leaderId: memberId } })
        },
        remove: memberId => platform.member.removeTeamMember({ id, memberId }),
      }}
      onChange={onChange}
    />
  )
}
