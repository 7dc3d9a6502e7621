import type { ComponentChildren } from 'preact'
import { useMemberContext } from '../platform/member-context.ts'
import { useTexts } from '../platform/texts.ts'
import { SectionNav } from '../ui/section-nav.tsx'
import { useTitle } from '../ui/title.ts'

type Props = { title: string; path: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page about people: its heading, its actions and the links to the others. */
export function Section({ title, path, actions, children }: Props) {
  const t = useTexts('members/section')
  const { may } = useMemberContext()
  useTitle(title)
  const entries = [
    { to: '/members', text: t.list, isShown: may('view_members') },
    { to: '/members/invitations', text: t.invitations, isShown: may('invite_members') },
    { to: '/members/teams', text: t.teams, isShown: may('view_members') },
    { to: '/members/departments', text: t.departments, isShown: may('view_members') },
    { to: '/members/roles', text: t.roles, isShown: may('manage_roles') },
  ]
  return (
    <div class="wide members">
      <header class="section-head">
        <h1>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      <SectionNav label={t.colleagues} path={path} entries={entries.filter(({ isShown }) => isShown)} />
      {children}
    </div>
  )
}
