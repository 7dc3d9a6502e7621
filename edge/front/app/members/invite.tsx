import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Checkbox, Form, Select, TextField, Toggle } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { useFields } from '../ui/form.tsx'
import { mayGive, useRoles, useTeams } from './groups-of.ts'
import { InviteMany } from './invite-many.tsx'
import { Section } from './section.tsx'
import { useRefusals, useRoleName } from './words.ts'

export function Invite() {
  const t = useTexts('members/invite')
  const { may } = useMemberContext()
  const isMany = useQuery('from').from === 'file' && may('manage_members')
  return (
    <Section title={t.invitePeople} path="/members/invitations">
      {may('manage_members') && (
        <Toggle
          label={t.how}
          value={isMany ? 'file' : ''}
          choices={{ '': t.one, file: t.many }}
          onValue={from => changeQuery({ from })}
        />
      )}
      {isMany ? <InviteMany /> : <InviteOne />}
    </Section>
  )
}

const blankPerson = { email: '', firstName: '', lastName: '' }

/** Invites one person. With teams, they become a member at once and get the same e-mail. */
function InviteOne() {
  const t = useTexts('members/invite')
  const context = useMemberContext()
  const { workspace } = context
  const refusals = useRefusals()
  const roles = (useRoles().value ?? []).filter(role => mayGive(context, role))
  const roleName = useRoleName(roles)
  const teams = useTeams()
  const { values, setValues, field } = useFields(blankPerson)
  const [role, setRole] = useState('')
  const [teamIds, setTeamIds] = useState<ReadonlySet<string>>(new Set())
  const workspaceRole = role || (roles.find(one => one.isDefault)?.slug ?? 'member')
  const send = useAction(async () => {
    const body = { ...values, email: values.email.trim(), workspaceId: workspace.id, workspaceRole }
    const missedTeams: string[] = []
    if (teamIds.size === 0) await platform.member.invite({ body: { ...body, ecosystemId: workspace.ecosystemId } })
    else {
      const { id: memberId } = await platform.member.createMember({ body })
      for (const { id, name } of teams.value?.filter(team => teamIds.has(team.id)) ?? [])
        await platform.member.addTeamMember({ id, body: { memberId } }).catch(() => missedTeams.push(name))
    }
    const { email } = body
    if (missedTeams.length > 0) notify(fill(t.sentWithoutTeams, { email, teams: missedTeams.join(', ') }))
    else notify(fill(t.sent, { email }))
    setValues(blankPerson)
    setTeamIds(new Set())
  })
  const attributes = (name: keyof typeof blankPerson) => ({ label: t[name], required: true, ...field(name, send) })
  return (
    <Form class="card narrow" onSubmit={() => void send.run()}>
      <Problem error={send.error} statusTexts={refusals} />
      <TextField {...attributes('email')} type="email" autocomplete="off" maxLength={254} />
      <div class="fit">
        <TextField {...attributes('firstName')} autocomplete="off" maxLength={255} />
        <TextField {...attributes('lastName')} autocomplete="off" maxLength={255} />
      </div>
      {roles.length > 0 && (
        <Select
          label={t.role}
          value={workspaceRole}
          onValue={setRole}
          error={send.fields['workspaceRole']}
          choices={roles.map(({ slug }) => ({ value: slug, text: roleName(slug) }))}
        />
      )}
      {context.may('manage_members') && teams.value && teams.value.length > 0 && (
        <fieldset>
          <legend>{t.teams}</legend>
          <p class="hint">{t.teamsHint}</p>
          {teams.value.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={teamIds.has(id)}
              onCheck={isChecked =>
                setTeamIds(now => new Set(isChecked ? [...now, id] : [...now].filter(one => one !== id)))
              }
            />
          ))}
        </fieldset>
      )}
      <div class="actions">
        <Button variant="main" type="submit" icon="mail" isBusy={send.isRunning}>
          {t.send}
        </Button>
      </div>
    </Form>
  )
}
