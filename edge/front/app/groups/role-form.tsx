import { useState } from 'preact/hooks'
import type { Role } from '../../../../gen/client/member.ts'
import { PermissionChoice, usePermissions } from '../members/permission-list.tsx'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Checkbox, TextArea, TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { useFields } from '../ui/form.tsx'

type Props = { role: Role | undefined; onClose: () => void; onSaved: () => Promise<void> }

/** Creates and changes a custom role. It can hold only permissions of its maker. */
export function RoleForm({ role, onClose, onSaved }: Props) {
  const t = useTexts('groups/role-form')
  const { workspace, may } = useMemberContext()
  const refusals = useRefusals()
  const permissions = usePermissions('workspace')
  const { values, field } = useFields({ name: role?.name ?? '', description: role?.description ?? '' })
  const [chosenSlugs, setChosenSlugs] = useState(new Set(role?.permissions.map(({ slug }) => slug)))
  const [isDefault, setDefault] = useState(role?.isDefault ?? false)
  const save = useAction(async () => {
    const body = {
      name: values.name.trim(),
      description: values.description.trim() || null,
      permissions: [...chosenSlugs],
    }
    if (role) await platform.member.updateRole({ id: role.id, body: { ...body, isDefault } })
    else {
      const { id } = await platform.member.createRole({ body: { ...body, workspaceId: workspace.id } })
      if (isDefault) await platform.member.updateRole({ id, body: { isDefault } })
    }
    await onSaved()
    notify(t.saved)
    onClose()
  })
  const title = role ? t.edit : t.add
  return (
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals(save.error)} onClose={onClose}>
      <Problem error={permissions.error} />
      <TextField
        label={t.name}
        {...field('name', save)}
        error={save.fields['name'] ?? save.fields['slug']}
        required
        maxLength={255}
      />
      <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />
      {!permissions.value && !permissions.error && <Loading />}
      {permissions.value && (
        <PermissionChoice
          permissions={permissions.value}
          chosenSlugs={chosenSlugs}
          onChosen={setChosenSlugs}
          fixedReason={slug => (may(slug) || chosenSlugs.has(slug) ? undefined : t.notYours)}
        />
      )}
      <Checkbox label={t.defaultRole} hint={t.isDefaultHint} checked={isDefault} onCheck={setDefault} />
    </FormDialog>
  )
}
