import type { Role, WorkspaceMemberItem } from '../../../../gen/client/member.ts'
import { Link } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { Breakable } from '../ui/facts.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { useNameOfSlug, useRoleName } from './words.ts'

type Props = { member: WorkspaceMemberItem; roles: Role[]; isOnline: boolean }

/** One person of the list: a row, and a card on a phone. */
export function MemberRow({ member, roles, isOnline }: Props) {
  const t = useTexts('members/row')
  const nameOf = useNameOf()
  const roleName = useRoleName(roles)
  const nameOfSlug = useNameOfSlug()
  return (
    <li class="person">
      <span class="portrait">
        <Avatar person={member} size={44} />
        {isOnline && <span class="online-dot" />}
      </span>
      <span class="person-name">
        <Link to={`/members/${member.memberId}`} class="cover">
          <bdi>{nameOf(member)}</bdi>
        </Link>
        {isOnline && <span class="unseen">{t.online}</span>}
        <span class="hint">
          <Breakable text={member.email} />
        </span>
      </span>
      <span class="person-place">{member.departments.join(', ')}</span>
      <span class="person-role">
        <span class={member.workspaceRole === 'admin' ? 'tag strong' : 'tag'}>{roleName(member.workspaceRole)}</span>
        {member.status !== 'active' && <span class={`tag ${member.status}`}>{nameOfSlug(member.status)}</span>}
      </span>
    </li>
  )
}
