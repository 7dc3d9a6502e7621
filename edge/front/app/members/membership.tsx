import { useState } from 'preact/hooks'
import type { GetMemberPermissionsResponse, MemberDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, Select } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { isAdministrator, mayGive, useRoles } from './groups-of.ts'
import { PermissionChoice, usePermissions } from './permission-list.tsx'
import { isShownHere, useNameOfSlug, useRefusals, useRoleName } from './words.ts'

type Props = { member: MemberDetail; rights: GetMemberPermissionsResponse; reload: () => Promise<void> }

/** The role and rights of a person in this workspace, and where each right comes from. */
export function Membership({ member, rights, reload }: Props) {
  const t = useTexts('members/membership')
  const context = useMemberContext()
  const refusals = useRefusals()
  const roles = useRoles().value ?? []
  const roleName = useRoleName(roles)
  const [role, setRole] = useState(rights.workspaceRole)
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
  const openForm = () =>
    openDialog(close => (
      <RightsForm memberId={member.id} ofRole={roleSlugs} direct={direct} onClose={close} onSaved={reload} />
    ))
  return (
    <Card title={t.title}>
      <Problem error={change.error} statusTexts={refusals} />
      {isChangeable ? (
        <Form class="inline row wrap" onSubmit={() => void change.run()}>
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
      <Rights title={t.direct} slugs={direct} class="own" />
      <Rights title={t.fromRole} slugs={roleSlugs} />
      {isChangeable && (
        <Button icon="key" class="small" onClick={openForm}>
          {t.edit}
        </Button>
      )}
    </Card>
  )
}

function Rights({ title, slugs, class: kind }: { title: string; slugs: string[]; class?: string }) {
  const nameOf = useNameOfSlug()
  if (slugs.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="rights row wrap">
        {slugs.map(slug => (
          <li key={slug} class={kind}>
            {nameOf(slug)}
          </li>
        ))}
      </ul>
    </>
  )
}

type RightsFormProps = {
  memberId: string
  ofRole: string[]
  direct: string[]
  onClose: () => void
  onSaved: () => Promise<void>
}

/** Grants and revokes extra permissions: those that the caller holds, and those that the person already has. */
function RightsForm({ memberId, ofRole, direct, onClose, onSaved }: RightsFormProps) {
  const t = useTexts('members/rights-form')
  const { workspace, may } = useMemberContext()
  const refusals = useRefusals()
  const permissions = usePermissions('workspace')
  const [chosenSlugs, setChosenSlugs] = useState(new Set([...ofRole, ...direct]))
  const changeablePermissions = permissions.value?.filter(({ slug }) => may(slug) || direct.includes(slug))
  const save = useAction(async () => {
    // A permission that is granted directly and also comes with the role stays granted.
    const grantedSlugs = [...chosenSlugs].filter(slug => direct.includes(slug) || !ofRole.includes(slug))
    await platform.member.updateWorkspaceMember({
      workspaceId: workspace.id,
      memberId,
      body: { permissions: grantedSlugs },
    })
    await onSaved()
    notify(t.saved)
    onClose()
  })
  return (
    <FormDialog title={t.title} submit={t.save} action={save} statusTexts={refusals} onClose={onClose}>
      <p>{t.text}</p>
      <PermissionChoice
        permissions={{ ...permissions, value: changeablePermissions }}
        chosenSlugs={chosenSlugs}
        onChosen={setChosenSlugs}
        fixedReason={slug => (ofRole.includes(slug) ? t.withRole : undefined)}
      />
    </FormDialog>
  )
}
