import type { ComponentChildren } from 'preact'
import { useMemberContext } from '../platform/member-context.ts'
import { useTexts } from '../platform/texts.ts'
import { SubjectPage } from '../ui/page.tsx'

type Props = { title: string; path: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page about people. */
export function Section(props: Props) {
  const t = useTexts('members/section')
  const { may } = useMemberContext()
  const entries = [
    { to: '/members', text: t.list, isShown: may('view_members') },
    { to: '/members/invitations', text: t.invitations, isShown: may('invite_members') },
    { to: '/members/teams', text: t.teams, isShown: may('view_members') },
    { to: '/members/departments', text: t.departments, isShown: may('view_members') },
    { to: '/members/roles', text: t.roles, isShown: may('manage_roles') },
  ]
  return <SubjectPage {...props} class="members" label={t.colleagues} entries={entries.filter(one => one.isShown)} />
}
