import { missedFrames, useFrames } from '../platform/live.ts'
import { useLast, useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { useReloadOn } from '../platform/reload.ts'
import { changeQuery, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { Pager } from '../ui/pager.tsx'
import { Filters } from './filters.tsx'
import { usePresence } from './presence.ts'
import { useRoles } from './roles-of.ts'
import { MemberRow } from './row.tsx'
import { Section } from './section.tsx'

const filterNames = ['search', 'role', 'status', 'team', 'department'] as const

/** Everybody in the workspace, with search and filters in the address. */
export function MemberList() {
  const t = useTexts('members/list')
  const { workspace, may } = useMemberContext()
  const query = useQuery()
  const filters = Object.fromEntries(filterNames.map(name => [name, query.get(name) ?? ''])) as Record<
    (typeof filterNames)[number],
    string
  >
  const page = Math.max(1, Number(query.get('page')) || 1)
  const { value, error, reload } = useLoad(`members/${workspace.id}?${query}`, signal =>
    platform.member.listWorkspaceMembers(
      {
        id: workspace.id,
        page,
        limit: 30,
        ...(filters.search ? { search: filters.search } : {}),
        ...(filters.role ? { workspaceRole: filters.role } : {}),
        ...(filters.status ? { status: filters.status as 'active' } : {}),
        ...(filters.team ? { teamId: filters.team } : {}),
        ...(filters.department ? { departmentId: filters.department } : {}),
      },
      { signal },
    ),
  )
  const list = useLast(value)
  const reloadSoon = useReloadOn(missedFrames, reload)
  useFrames('member:joined', reloadSoon)
  const online = usePresence(workspace.id)
  const roles = useRoles()
  const isFiltered = filterNames.some(name => filters[name])
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
      <Problem error={error} onRetry={() => void reload()} />
      {!list && !error && <Loading />}
      {list && (
        <p class="hint" role="status">
          {fill(t.people, { count: list.meta?.total ?? 0 })}
          {online.size > 0 && !isFiltered && ` · ${fill(t.online, { count: online.size })}`}
        </p>
      )}
      {list && list.data.length > 0 && (
        <ul class="member-list" aria-label={t.list}>
          {list.data.map(member => (
            <MemberRow
              key={member.memberId}
              member={member}
              roles={roles.value ?? []}
              isOnline={online.has(member.memberId)}
            />
          ))}
        </ul>
      )}
      {list?.data.length === 0 && (
        <Empty icon="people" title={t.noResults}>
          {isFiltered && <p>{t.noneText}</p>}
          {isFiltered && (
            <Button
              onClick={() => changeQuery({ search: '', role: '', status: '', team: '', department: '', page: '' })}
            >
              {t.all}
            </Button>
          )}
        </Empty>
      )}
      <Pager
        page={page}
        totalPages={list?.meta?.totalPages ?? 0}
        onPage={next => {
          changeQuery({ page: next > 1 ? String(next) : '' })
          scrollTo(0, 0)
        }}
      />
    </Section>
  )
}
