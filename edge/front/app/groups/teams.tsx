import type { Team } from '../../../../gen/client/member.ts'
import { useTeams } from '../members/groups-of.ts'
import { Section } from '../members/section.tsx'
import { useRefusals } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, TextArea, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { Empty, Loaded, notify } from '../ui/feedback.tsx'
import { FormDialog, useFields } from '../ui/form.tsx'
import { GroupActions, GroupPeople } from './group-people.tsx'

/** Teams with their leader and people; one at a time is open. */
export function Teams() {
  const t = useTexts('groups/teams')
  const { may } = useMemberContext()
  const teams = useTeams()
  const { team: openedTeamId } = useQuery('team')
  const isManager = may('manage_members')
  const openForm = (team?: Team) =>
    openDialog(close => <TeamForm team={team} onClose={close} onSaved={() => teams.reload()} />)
  return (
    <Section
      title={t.teams}
      path="/members/teams"
      actions={
        isManager && (
          <Button variant="main" icon="plus" onClick={() => openForm()}>
            {t.add}
          </Button>
        )
      }
    >
      <Loaded load={teams} empty={<Empty icon="people" title={t.none} text={t.noneText} />}>
        {list => (
          <ul class="groups stack" aria-label={t.teams}>
            {list.map(team => (
              <li key={team.id} class="card group">
                <h2>
                  <button
                    type="button"
                    class="opener row wrap"
                    aria-expanded={openedTeamId === team.id}
                    onClick={() => changeQuery({ team: openedTeamId === team.id ? '' : team.id })}
                  >
                    <span class="swatch" aria-hidden="true" style={{ backgroundColor: team.color ?? '' }} />
                    <bdi>{team.name}</bdi>
                    <span class="count soft push">{fill(t.people, { count: team.membersCount })}</span>
                  </button>
                </h2>
                {team.description && <p dir="auto">{team.description}</p>}
                {openedTeamId === team.id && <TeamMembers team={team} onChange={() => void teams.reload()} />}
                {openedTeamId === team.id && isManager && (
                  <GroupActions
                    name={team.name}
                    consequence={t.removeText}
                    removedText={t.removed}
                    onEdit={() => openForm(team)}
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
      </Loaded>
    </Section>
  )
}

/** The people of a team. */
function TeamMembers({ team, onChange }: { team: Team; onChange: () => void }) {
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

type TeamFormProps = { team: Team | undefined; onClose: () => void; onSaved: () => Promise<void> }

function TeamForm({ team, onClose, onSaved }: TeamFormProps) {
  const t = useTexts('groups/team-form')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const { values, field } = useFields({
    name: team?.name ?? '',
    description: team?.description ?? '',
    color: team?.color ?? '#0f766e',
  })
  const save = useAction(async () => {
    const body = { ...values, name: values.name.trim(), description: values.description.trim() || null }
    if (team) await platform.member.updateTeam({ id: team.id, body })
    else await platform.member.createTeam({ body: { ...body, workspaceId: workspace.id } })
    await onSaved()
    notify(t.saved)
    onClose()
  })
  const title = team ? t.edit : t.add
  return (
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals} onClose={onClose}>
      <TextField label={t.name} {...field('name', save)} required maxLength={255} autofocus />
      <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />
      <TextField label={t.color} {...field('color', save)} type="color" />
    </FormDialog>
  )
}
