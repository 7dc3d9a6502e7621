import { useState } from 'preact/hooks'
import type { Role } from '../../../../gen/client/member.ts'
import { useRoles } from '../members/roles-of.ts'
import { Section } from '../members/section.tsx'
import { useNameOfSlug, useRoleName } from '../members/words.ts'
import { useHere } from '../platform/here.ts'
import { platform } from '../platform/session.ts'
import { plural, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { GroupActions } from './group-actions.tsx'
import { RoleForm } from './role-form.tsx'

const words = texts({
  en: {
    title: 'Roles',
    intro:
      'A role is a set of permissions. The four built-in roles can’t be changed; add roles of your own beside them.',
    add: 'New role',
    builtIn: 'Built in',
    isDefault: 'Default role',
    person: 'person',
    people: 'people',
    removeText: 'You can delete a role that nobody has and no open invitation grants.',
    removed: 'The role was deleted.',
    none: 'No permissions',
  },
  fr: {
    title: 'Rôles',
    intro:
      'Un rôle est un ensemble de droits. Les quatre rôles d’origine ne se modifient pas ; ajoutez les vôtres à côté.',
    add: 'Nouveau rôle',
    builtIn: 'D’origine',
    isDefault: 'Rôle par défaut',
    person: 'personne',
    people: 'personnes',
    removeText: 'Vous pouvez supprimer un rôle que personne n’a et qu’aucune invitation ouverte n’accorde.',
    removed: 'Le rôle a été supprimé.',
    none: 'Aucun droit',
  },
})

/** The roles of the workspace with their permissions. */
export function Roles() {
  const t = useTexts(words)
  const { may } = useHere()
  const roles = useRoles()
  const roleName = useRoleName(roles.value)
  const nameOf = useNameOfSlug()
  const [edited, setEdited] = useState<Role | 'new' | undefined>(undefined)
  const isManager = may('manage_roles')
  return (
    <Section
      title={t.title}
      here="/members/roles"
      actions={
        isManager && (
          <Button look="main" icon="plus" onClick={() => setEdited('new')}>
            {t.add}
          </Button>
        )
      }
    >
      <p class="hint">{t.intro}</p>
      <Problem error={roles.error} onRetry={() => void roles.reload()} />
      {!roles.value && !roles.error && <Loading />}
      <ul class="groups" aria-label={t.title}>
        {roles.value?.map(role => (
          <li key={role.id} class="card group">
            <h2>
              <bdi>{roleName(role.slug)}</bdi>
              {role.isSystem && <span class="tag">{t.builtIn}</span>}
              {role.isDefault && <span class="tag strong">{t.isDefault}</span>}
              <span class="count">{plural(role.membersCount, t.person, t.people)}</span>
            </h2>
            {role.description && <p dir="auto">{role.description}</p>}
            <ul class="rights">
              {role.permissions.length === 0 && <li>{t.none}</li>}
              {role.permissions.map(({ slug, name }) => (
                <li key={slug}>{nameOf(slug, name)}</li>
              ))}
            </ul>
            {isManager && !role.isSystem && (
              <GroupActions
                name={role.name}
                consequence={t.removeText}
                removed={t.removed}
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
      {edited && (
        <RoleForm
          role={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => roles.reload()}
        />
      )}
    </Section>
  )
}
