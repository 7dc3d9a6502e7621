import { useState } from 'preact/hooks'
import type { Role } from '../../../../gen/client/member.ts'
import { useRoles } from '../members/roles-of.ts'
import { Section } from '../members/section.tsx'
import { isShownHere, useNameOfSlug, useRoleName } from '../members/words.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { GroupActions } from './group-actions.tsx'
import { RoleForm } from './role-form.tsx'

/** The roles of the workspace with their permissions. */
export function Roles() {
  const t = useTexts('groups/roles')
  const { may } = useMemberContext()
  const roles = useRoles()
  const roleName = useRoleName(roles.value)
  const nameOf = useNameOfSlug()
  const [editedRole, setEdited] = useState<Role | 'new' | undefined>(undefined)
  const isManager = may('manage_roles')
  return (
    <Section
      title={t.roles}
      path="/members/roles"
      actions={
        isManager && (
          <Button variant="main" icon="plus" onClick={() => setEdited('new')}>
            {t.add}
          </Button>
        )
      }
    >
      <p class="hint">{t.intro}</p>
      <Problem error={roles.error} onRetry={() => void roles.reload()} />
      {!roles.value && !roles.error && <Loading />}
      <ul class="groups" aria-label={t.roles}>
        {roles.value?.map(role => (
          <li key={role.id} class="card group">
            <h2>
              <bdi>{roleName(role.slug)}</bdi>
              {role.isSystem && <span class="tag">{t.builtIn}</span>}
              {role.isDefault && <span class="tag strong">{t.defaultRole}</span>}
              <span class="count">{fill(t.people, { count: role.membersCount })}</span>
            </h2>
            {role.description && <p dir="auto">{role.description}</p>}
            <ul class="rights">
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
                onEdit={() => setEdited(role)}
                onRemove={async () => {
                  await platform.member.deleteRole({ id: role.id })
                  await roles.reload()
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {editedRole && (
        <RoleForm
          role={editedRole === 'new' ? undefined : editedRole}
          onClose={() => setEdited(undefined)}
          onSaved={() => roles.reload()}
        />
      )}
    </Section>
  )
}

const shownPermissions = ({ permissions }: Role) => permissions.filter(({ slug }) => isShownHere(slug))
