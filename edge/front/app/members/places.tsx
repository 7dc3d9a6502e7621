import { useState } from 'preact/hooks'
import type { MemberDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { useNameOf } from '../ui/people.tsx'
import { choicesOf, flat, useDepartments, useTeams } from './groups-of.ts'
import { JoinGroup } from './join-group.tsx'
import { PersonPicker } from './person-picker.tsx'
import { useRefusals } from './refusals.ts'

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
    <section class="card" aria-labelledby="places">
      <h2 id="places">{t.title}</h2>
      <Problem error={change.error} statusTexts={refusals(change.error)} />
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
        <div class="inline">
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
          <ul class="plain-list">
            {member.subordinates.map(one => (
              <li key={one.id}>
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
    </section>
  )
}
