import { useState } from 'preact/hooks'
import type { Team } from '../../../../gen/client/member.ts'
import { useTeams } from '../members/groups-of.ts'
import { Section } from '../members/section.tsx'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { GroupActions } from './group-actions.tsx'
import { TeamForm } from './team-form.tsx'
import { TeamMembers } from './team-members.tsx'

/** Teams with their leader and people; one at a time is open. */
export function Teams() {
  const t = useTexts('groups/teams')
  const { may } = useMemberContext()
  const teams = useTeams()
  const openedTeamId = useQuery().get('team')
  const [editedTeam, setEdited] = useState<Team | 'new' | undefined>(undefined)
  const isManager = may('manage_members')
  const list = teams.value
  return (
    <Section
      title={t.teams}
      path="/members/teams"
      actions={
        isManager && (
          <Button variant="main" icon="plus" onClick={() => setEdited('new')}>
            {t.add}
          </Button>
        )
      }
    >
      <Problem error={teams.error} onRetry={() => void teams.reload()} />
      {!list && !teams.error && <Loading />}
      {list?.length === 0 && (
        <Empty icon="people" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {list && list.length > 0 && (
        <ul class="groups" aria-label={t.teams}>
          {list.map(team => (
            <li key={team.id} class="card group">
              <h2>
                <button
                  type="button"
                  class="opener"
                  aria-expanded={openedTeamId === team.id}
                  onClick={() => changeQuery({ team: openedTeamId === team.id ? '' : team.id })}
                >
                  <span class="swatch" aria-hidden="true" style={{ backgroundColor: team.color ?? '' }} />
                  <bdi>{team.name}</bdi>
                  <span class="count">{fill(t.people, { count: team.membersCount })}</span>
                </button>
              </h2>
              {team.description && <p dir="auto">{team.description}</p>}
              {openedTeamId === team.id && <TeamMembers team={team} onChange={() => void teams.reload()} />}
              {openedTeamId === team.id && isManager && (
                <GroupActions
                  name={team.name}
                  consequence={t.removeText}
                  removedText={t.removed}
                  onEdit={() => setEdited(team)}
                  onRemove={async () => {
                    await platform.member.deleteTeam({ id: team.id })
                    await teams.reload()
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {editedTeam && (
        <TeamForm
          team={editedTeam === 'new' ? undefined : editedTeam}
          onClose={() => setEdited(undefined)}
          onSaved={() => teams.reload()}
        />
      )}
    </Section>
  )
}
