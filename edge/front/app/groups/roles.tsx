import { useState } from 'preact/hooks'
import type { Role } from '../../../../gen/client/member.ts'
import { useRoles } from '../members/groups-of.ts'
import { PermissionChoice, usePermissions } from '../members/permission-list.tsx'
import { Section } from '../members/section.tsx'
import { isShownHere, useNameOfSlug, useRefusals, useRoleName } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Checkbox, TextArea, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { Loaded, notify } from '../ui/feedback.tsx'
import { FormDialog, useFields } from '../ui/form.tsx'
import { GroupActions } from './group-people.tsx'

/** The roles of the workspace with their permissions. */
export function Roles() {
  const t = useTexts('groups/roles')
  const { may } = useMemberContext()
  const roles = useRoles()
  const roleName = useRoleName(roles.value)
  const nameOf = useNameOfSlug()
  const isManager = may('manage_roles')
  const openForm = (role?: Role) =>
    openDialog(close => <RoleForm role={role} onClose={close} onSaved={() => roles.reload()} />)
  return (
    <Section
      title={t.roles}
      path="/members/roles"
      actions={
        isManager && (
          <Button variant="main" icon="plus" onClick={() => openForm()}>
            {t.add}
          </Button>
        )
      }
    >
      <p class="hint">{t.intro}</p>
      <Loaded load={roles}>
        {list => (
          <ul class="groups stack" aria-label={t.roles}>
            {list.map(role => (
              <li key={role.id} class="card group">
                <h2 class="row wrap">
                  <bdi>{roleName(role.slug)}</bdi>
                  {role.isSystem && <span class="tag">{t.builtIn}</span>}
                  {role.isDefault && <span class="tag strong">{t.defaultRole}</span>}
                  <span class="count soft">{fill(t.people, { count: role.membersCount })}</span>
                </h2>
                {role.description && <p dir="auto">{role.description}</p>}
                <ul class="rights row wrap">
                  {shownPermissions(role).length === 0 && <li>{t.none}</li>}
                  {shownPermissions(role).map(({ slug, name }) => (
                    <li key={slug}>{nameOf(slug, name)}</li>
                  ))}
                </ul>
                {isManager && !role.isSystem && (
                  <GroupActions
                    name={role.name}
                    consequence={t.removeText}
                    removedText={t.removed}
                    onEdit={() => openForm(role)}
                    onRemove={async () => {
                      await platform.member.deleteRole({ id: role.id })
                      await roles.reload()
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

const shownPermissions = ({ permissions }: Role) => permissions.filter(({ slug }) => isShownHere(slug))

type RoleFormProps = { role: Role | undefined; onClose: () => void; onSaved: () => Promise<void> }

/** Creates and changes a custom role. It can hold only permissions of its maker. */
function RoleForm({ role, onClose, onSaved }: RoleFormProps) {
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
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals} onClose={onClose}>
      <TextField
        label={t.name}
        {...field('name', save)}
        error={save.fields['name'] ?? save.fields['slug']}
        required
        maxLength={255}
      />
      <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />
      <PermissionChoice
        permissions={permissions}
        chosenSlugs={chosenSlugs}
        onChosen={setChosenSlugs}
        fixedReason={slug => (may(slug) || chosenSlugs.has(slug) ? undefined : t.notYours)}
      />
      <Checkbox label={t.defaultRole} hint={t.isDefaultHint} checked={isDefault} onCheck={setDefault} />
    </FormDialog>
  )
}
