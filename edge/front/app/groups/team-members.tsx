import type { Team } from '../../../../gen/client/member.ts'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Loading, Problem } from '../ui/feedback.tsx'
import { GroupPeople } from './group-people.tsx'

/** The people of a team; those who manage members add and remove them here. */
export function TeamMembers({ team, onChange }: { team: Team; onChange: () => void }) {
  const t = useTexts('groups/team-members')
  const { may } = useMemberContext()
  const refusals = useRefusals()
  const { value, error, reload } = useLoad(`team/${team.id}`, signal =>
    platform.member.listTeamMembers({ id: team.id }, { signal }),
  )
  const change = useAction(async (act: () => Promise<unknown>) => {
    await act()
    await reload()
    onChange()
  })
  const people = (value?.data ?? []).map(one => ({
    ...one,
    isFirst: one.role === 'leader' || one.id === team.leaderId,
  }))
  return (
    <>
      <Problem error={error ?? change.error} statusTexts={refusals(change.error)} />
      {!value && !error && <Loading />}
      {value && (
        <GroupPeople
          people={people}
          first={t.leader}
          makeFirst={t.makeLeader}
          add={t.add}
          isBusy={change.isRunning}
          isChangeable={may('manage_members')}
          onAdd={memberId =>
            void change.run(() => platform.member.addTeamMember({ id: team.id, body: { memberId, role: 'member' } }))
          }
          onFirst={memberId =>
            void change.run(async () => {
              await platform.member.addTeamMember({ id: team.id, body: { memberId, role: 'leader' } })
              await platform.member.updateTeam({ id: team.id, body: { leaderId: memberId } })
            })
          }
          onRemove={memberId => void change.run(() => platform.member.removeTeamMember({ id: team.id, memberId }))}
        />
      )}
    </>
  )
}
