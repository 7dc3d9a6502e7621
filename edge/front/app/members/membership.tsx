import { useState } from 'preact/hooks'
import type { GetMemberPermissionsResponse, MemberDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, Select } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { useRefusals } from './refusals.ts'
import { RightsForm } from './rights-form.tsx'
import { isAdministrator, mayGive, useRoles } from './roles-of.ts'
import { isShownHere, useNameOfSlug, useRoleName } from './words.ts'

type Props = { member: MemberDetail; rights: GetMemberPermissionsResponse; reload: () => Promise<void> }

/** The role and rights of a person in this workspace, and where each right comes from. */
export function Membership({ member, rights, reload }: Props) {
  const t = useTexts('members/membership')
  const context = useMemberContext()
  const refusals = useRefusals()
  const nameOf = useNameOfSlug()
  const roles = useRoles().value ?? []
  const roleName = useRoleName(roles)
  const [role, setRole] = useState(rights.workspaceRole)
  const [isEditing, setEditing] = useState(false)
  const isMemberAdministrator =
    rights.workspaceRole === 'admin' ||
    (member.workspaces.find(one => one.workspaceId === context.workspace.id)?.isAdmin ?? false)
  const isChangeable = context.may('manage_members') && (!isMemberAdministrator || isAdministrator(context))
  const givableRoles = roles.filter(one => mayGive(context, one) || one.slug === rights.workspaceRole)
  const change = useAction(async () => {
    await platform.member.updateWorkspaceMember({
      workspaceId: context.workspace.id,
      memberId: member.id,
      body: { workspaceRole: role },
    })
    await reload()
    notify(t.changed)
  })
  const direct = (rights.source?.direct ?? []).filter(isShownHere)
  const roleSlugs = (rights.source?.role ?? []).filter(isShownHere)
  return (
    <section class="card" aria-labelledby="membership">
      <h2 id="membership">{t.title}</h2>
      <Problem error={change.error} statusTexts={refusals(change.error)} />
      {isChangeable ? (
        <Form class="inline" onSubmit={() => void change.run()}>
          <Select
            label={t.role}
            value={role}
            onValue={setRole}
            error={change.fields['workspaceRole']}
            choices={givableRoles.map(({ slug }) => ({ value: slug, text: roleName(slug) }))}
          />
          {role !== rights.workspaceRole && (
            <Button variant="main" type="submit" isBusy={change.isRunning}>
              {t.change}
            </Button>
          )}
        </Form>
      ) : (
        <p>
          <span class="tag strong">{roleName(rights.workspaceRole)}</span>
        </p>
      )}
      {rights.permissions.length === 0 && <p class="hint">{t.none}</p>}
      {direct.length > 0 && (
        <>
          <h3>{t.direct}</h3>
          <ul class="rights">
            {direct.map(slug => (
              <li key={slug} class="own">
                {nameOf(slug)}
              </li>
            ))}
          </ul>
        </>
      )}
      {roleSlugs.length > 0 && (
        <>
          <h3>{t.fromRole}</h3>
          <ul class="rights">
            {roleSlugs.map(slug => (
              <li key={slug}>{nameOf(slug)}</li>
            ))}
          </ul>
        </>
      )}
      {isChangeable && (
        <Button icon="key" class="small" onClick={() => setEditing(true)}>
          {t.edit}
        </Button>
      )}
      {isEditing && (
        <RightsForm
          memberId={member.id}
          ofRole={roleSlugs}
          direct={direct}
          onClose={() => setEditing(false)}
          onSaved={reload}
        />
      )}
    </section>
  )
}
