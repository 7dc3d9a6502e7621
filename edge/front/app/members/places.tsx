import { useId, useState } from 'preact/hooks'
import type { MemberDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, IconButton, Options } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Card } from '../ui/page.tsx'
import { useNameOf } from '../ui/people.tsx'
import { choicesOf, flat, useDepartments, useTeams } from './groups-of.ts'
import { PersonPicker } from './person-picker.tsx'
import { useRefusals } from './words.ts'

type Props = { member: MemberDetail; reload: () => Promise<void> }

/** To whom somebody reports, whom they lead, and their teams and departments. */
export function Places({ member, reload }: Props) {
  const t = useTexts('members/places')
  const nameOf = useNameOf()
  const refusals = useRefusals()
  const isManager = useMemberContext().may('manage_members')
  const teams = useTeams().value ?? []
  const departments = flat(useDepartments().value ?? [])
  const [isChanging, setChanging] = useState(false)
  const change = useAction(async (call: () => Promise<unknown>) => {
    await call()
    await reload()
    setChanging(false)
    notify(t.changed)
  })
  const { id } = member
  const setSuperior = (superior: string | null) =>
    void change.run(() => platform.member.updateMember({ id, body: { superior } }))
  return (
    <Card title={t.title}>
      <Problem error={change.error} statusTexts={refusals} />
      <h3>{t.superior}</h3>
      {!isChanging && (
        <p class="actions">
          {member.manager ? <Link to={`/members/${member.manager.id}`}>{nameOf(member.manager)}</Link> : t.nobody}
          {isManager && (
            <Button
              class="small"
              variant="quiet"
              aria-label={`${t.change}: ${t.superior}`}
              onClick={() => setChanging(true)}
            >
              {t.change}
            </Button>
          )}
        </p>
      )}
      {isChanging && (
        <div class="inline row wrap">
          <PersonPicker
            label={t.superior}
            pickedPerson={member.manager}
            excludedIds={[id]}
            onPick={picked => setSuperior(picked?.id ?? null)}
          />
          <Button onClick={() => setChanging(false)}>{t.cancel}</Button>
        </div>
      )}
      {member.subordinates.length > 0 && (
        <>
          <h3>{t.reports}</h3>
          <ul class="plain-list stack">
            {member.subordinates.map(one => (
              <li key={one.id} class="row wrap">
                <Link to={`/members/${one.id}`}>{nameOf(one)}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <JoinGroup
        title={t.teams}
        add={t.addTeam}
        emptyText={t.noTeam}
        isChangeable={isManager}
        memberships={member.teams.map(one => ({
          id: one.teamId,
          name: one.teamName,
          part: one.role === 'leader' ? t.leader : '',
          to: `/members/teams?team=${one.teamId}`,
        }))}
        choices={teams.map(one => ({ value: one.id, text: one.name }))}
        onJoin={group => void change.run(() => platform.member.addTeamMember({ id: group, body: { memberId: id } }))}
        onLeave={group => void change.run(() => platform.member.removeTeamMember({ id: group, memberId: id }))}
      />
      <JoinGroup
        title={t.departments}
        add={t.addDepartment}
        emptyText={t.noDepartment}
        isChangeable={isManager}
        memberships={member.departments.map(one => ({
          id: one.departmentId,
          name: one.departmentName,
          part: one.role === 'manager' ? t.manager : '',
          to: `/members/departments?department=${one.departmentId}`,
        }))}
        choices={choicesOf(departments)}
        onJoin={group =>
          void change.run(() => platform.member.addDepartmentMember({ id: group, body: { memberId: id } }))
        }
        onLeave={group => void change.run(() => platform.member.removeDepartmentMember({ id: group, memberId: id }))}
      />
    </Card>
  )
}

type JoinGroupProps = {
  title: string
  add: string
  emptyText: string
  isChangeable: boolean
  memberships: { id: string; name: string; part: string; to: string }[]
  choices: { value: string; text: string }[]
  onJoin: (id: string) => void
  onLeave: (id: string) => void
}

/** The groups of one kind that somebody belongs to, with a field that adds one. */
function JoinGroup({ title, add, emptyText, isChangeable, memberships, choices, onJoin, onLeave }: JoinGroupProps) {
  const t = useTexts('members/join-group')
  const id = useId()
  const joinableGroups = choices.filter(({ value }) => memberships.every(one => one.id !== value))
  return (
    <>
      <h3 id={id}>{title}</h3>
      {memberships.length === 0 && <p class="hint">{emptyText}</p>}
      <ul class="plain-list stack" aria-labelledby={id}>
        {memberships.map(group => (
          <li key={group.id} class="row wrap">
            <Link to={group.to}>
              <bdi>{group.name}</bdi>
            </Link>
            {group.part && <span class="tag">{group.part}</span>}
            {isChangeable && (
              <IconButton name={fill(t.leave, { name: group.name })} icon="close" onClick={() => onLeave(group.id)} />
            )}
          </li>
        ))}
      </ul>
      {isChangeable && joinableGroups.length > 0 && (
        <select
          aria-label={add}
          value=""
          onChange={event => {
            const { value } = event.currentTarget
            event.currentTarget.value = ''
            if (value) onJoin(value)
          }}
        >
          <option value="">{add}…</option>
          <Options choices={joinableGroups} />
        </select>
      )}
    </>
  )
}
