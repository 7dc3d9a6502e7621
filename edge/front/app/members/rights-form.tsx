import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { PermissionChoice, usePermissions } from './permission-list.tsx'
import { useRefusals } from './refusals.ts'

type Props = {
  memberId: string
  ofRole: string[]
  direct: string[]
  onClose: () => void
  onSaved: () => Promise<void>
}

/** Grants and revokes extra permissions: those that the caller holds, and those that the person already has. */
export function RightsForm({ memberId, ofRole, direct, onClose, onSaved }: Props) {
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
    <FormDialog title={t.title} submit={t.save} action={save} statusTexts={refusals(save.error)} onClose={onClose}>
      <p>{t.text}</p>
      <Problem error={permissions.error} />
      {!changeablePermissions && !permissions.error && <Loading />}
      {changeablePermissions && (
        <PermissionChoice
          permissions={changeablePermissions}
          chosenSlugs={chosenSlugs}
          onChosen={setChosenSlugs}
          fixedReason={slug => (ofRole.includes(slug) ? t.withRole : undefined)}
        />
      )}
    </FormDialog>
  )
}
