import type { Role, WorkspaceMemberItem } from '../../../../gen/client/member.ts'
import { useFrames, useReload } from '../platform/live.ts'
import { useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, pageNumber, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { Pager } from '../ui/table.tsx'
import { useTyped } from '../ui/typed.ts'
import { choicesOf, flat, useDepartments, useRoles, useTeams } from './groups-of.ts'
import { usePresence } from './presence.ts'
import { Section } from './section.tsx'
import { useNameOfSlug, useRoleName } from './words.ts'

const filterNames = ['search', 'role', 'status', 'team', 'department'] as const

/** Everybody in the workspace, with search and filters in the address. */
export function MemberList() {
  const t = useTexts('members/list')
  const { workspace, may } = useMemberContext()
  const filters = useQuery(...filterNames)
  const page = pageNumber(useQuery('page').page)
  const { search, role: workspaceRole, team: teamId, department: departmentId } = filters
  const filter = withoutBlanks({ search, workspaceRole, status: filters.status as 'active', teamId, departmentId })
  const load = useLoad(`members/${workspace.id}/${page}/${JSON.stringify(filter)}`, signal =>
    platform.member.listWorkspaceMembers({ id: workspace.id, page, limit: 30, ...filter }, { signal }),
  )
  const list = useLast(load.value)
  useFrames('member:joined', useReload(load.reload))
  const online = usePresence(workspace.id)
  const roles = useRoles()
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Section
      title={t.colleagues}
      path="/members"
      actions={
        may('invite_members') && (
          <Link to="/members/invite" class="button main">
            {t.invitePeople}
          </Link>
        )
      }
    >
      <Filters filterValues={filters} roles={roles.value ?? []} />
      <Loaded load={{ ...load, value: list }}>
        {({ data, meta }) => (
          <>
            <p class="hint" role="status">
              {fill(t.people, { count: meta?.total ?? 0 })}
              {online.size > 0 && !isFiltered && ` · ${fill(t.onlineCount, { count: online.size })}`}
            </p>
            {data.length > 0 ? (
              <ul class="box rows" aria-label={t.list}>
                {data.map(member => (
                  <MemberRow
                    key={member.memberId}
                    member={member}
                    roles={roles.value ?? []}
                    isOnline={online.has(member.memberId)}
                  />
                ))}
              </ul>
            ) : (
              <Empty icon="people" title={t.noResults}>
                {isFiltered && (
                  <>
                    <p>{t.noneText}</p>
                    <Button
                      onClick={() => changeQuery(Object.fromEntries([...filterNames, 'page'].map(name => [name, ''])))}
                    >
                      {t.all}
                    </Button>
                  </>
                )}
              </Empty>
            )}
            <Pager meta={meta} isLoading={load.isLoading} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

type MemberRowProps = { member: WorkspaceMemberItem; roles: Role[]; isOnline: boolean }

/** One person of the list: a row, and a card on a phone. */
function MemberRow({ member, roles, isOnline }: MemberRowProps) {
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
        <span class="hint cut">
          <Breakable text={member.email} />
        </span>
      </span>
      <span class="person-place soft">{member.departments.join(', ')}</span>
      <span class="person-role row wrap">
        <span class={member.workspaceRole === 'admin' ? 'tag strong' : 'soft'}>{roleName(member.workspaceRole)}</span>
        {member.status !== 'active' && <span class={`tag ${member.status}`}>{nameOfSlug(member.status)}</span>}
      </span>
    </li>
  )
}

type FilterValues = Record<'search' | 'role' | 'status' | 'team' | 'department', string>

/** Search and filters of the list, all in the address. */
function Filters({ filterValues, roles }: { filterValues: FilterValues; roles: Role[] }) {
  const t = useTexts('members/filters')
  const roleName = useRoleName(roles)
  const nameOf = useNameOfSlug()
  const [typedText, setTypedText] = useTyped(filterValues.search, search => changeQuery({ search, page: '' }))
  const teams = useTeams()
  const departments = useDepartments()
  const select = (name: keyof FilterValues, label: string, choices: { value: string; text: string }[]) =>
    choices.length > 0 && (
      <Select
        label={label}
        value={filterValues[name]}
        onValue={value => changeQuery({ [name]: value, page: '' })}
        choices={[{ value: '', text: t.all }, ...choices]}
      />
    )
  return (
    <search class="find member-filters stack" aria-label={t.filters}>
      <TextField label={t.search} type="search" value={typedText} onValue={setTypedText} maxLength={255} />
      <div class="filter-row fit">
        {select(
          'role',
          t.role,
          roles.map(({ slug }) => ({ value: slug, text: roleName(slug) })),
        )}
        {select(
          'status',
          t.status,
          ['active', 'pending', 'suspended'].map(value => ({ value, text: nameOf(value) })),
        )}
        {select(
          'team',
          t.team,
          (teams.value ?? []).map(({ id, name }) => ({ value: id, text: name })),
        )}
        {select('department', t.department, choicesOf(flat(departments.value ?? [])))}
      </div>
    </search>
  )
}
