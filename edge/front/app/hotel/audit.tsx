import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../../../gen/client/member.ts'
import { flat, useDepartments, useTeams } from '../members/groups-of.ts'
import { PersonPicker, type PickedPerson } from '../members/person-picker.tsx'
import { useLast, useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, useTexts } from '../platform/texts.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Changes } from './audit-changes.tsx'
import { Section } from './section.tsx'

const dayStart = (day: string, after = 0): string => {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + after)
  return date.toISOString()
}
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Who changed what in the workspace, and when. */
export function Audit() {
  const t = useTexts('hotel/audit')
  const { workspace, may } = useMemberContext()
  const actionNames: Record<string, string> = t.actions
  const query = useQuery()
  const value = (name: string): string => query.get(name) ?? ''
  const [actor, setActor] = useState<PickedPerson | null>(null)
  const [about, setAbout] = useState<PickedPerson | null>(null)
  const page = Math.max(1, Number(value('page')) || 1)
  const log = useLoad(may('view_reports') ? `audit/${workspace.id}?${query}` : null, signal =>
    platform.member.listAuditEntries(
      {
        workspaceId: workspace.id,
        page,
        limit: 30,
        ...(value('action') ? { action: value('action') } : {}),
        ...(value('by') ? { actorId: value('by') } : {}),
        ...(value('about') ? { memberId: value('about') } : {}),
        ...(isDay(value('from')) ? { from: dayStart(value('from')) } : {}),
        ...(isDay(value('until')) ? { until: dayStart(value('until'), 1) } : {}),
      },
      { signal },
    ),
  )
  const list = useLast(log.value)
  const nameOf = useNames([value('by'), value('about'), ...(list?.data ?? []).flatMap(memberIdsOf)])
  const teams = useTeams().value ?? []
  const departments = flat(useDepartments().value ?? [])
  const groupOf = ({ entity, entityId }: AuditEntry): string | undefined =>
    entity === 'team'
      ? teams.find(({ id }) => id === entityId)?.name
      : departments.find(({ node }) => node.id === entityId)?.node.name
  const columns: TableColumn<Act>[] = [
    { name: t.when, cell: ([one]) => <span class="when">{one.createdAt ? dateAndTimeOf(one.createdAt) : ''}</span> },
    {
      name: t.who,
      cell: ([one]) => (
        <span>
          <bdi>{one.actor?.type === 'member' ? one.actor.name : t.system}</bdi>
          {one.actor?.credentialId && <span class="hint">{t.key}</span>}
        </span>
      ),
    },
    {
      name: t.what,
      cell: entries => <strong>{entries.map(({ action }) => actionNames[action] ?? action).join(' · ')}</strong>,
    },
    {
      name: t.about,
      cell: ([one]) =>
        one.memberId && nameOf(one.memberId) ? (
          <span>
            <Link to={`/members/${one.memberId}`}>{nameOf(one.memberId)}</Link>
            {groupOf(one) && <span class="hint">{groupOf(one)}</span>}
          </span>
        ) : (
          <Breakable text={groupOf(one) ?? subjectOf(one)} />
        ),
    },
    {
      name: t.changes,
      cell: entries => entries.map(one => <Changes key={one.id} entry={one} nameOf={nameOf} />),
    },
  ]
  const isFiltered = ['action', 'by', 'about', 'from', 'until'].some(value)
  const clear = () => {
    setActor(null)
    setAbout(null)
    changeQuery({ action: '', by: '', about: '', from: '', until: '', page: '' })
  }
  const pickedPerson = (person: PickedPerson | null, id: string): PickedPerson | null => {
    if (!id || person?.id === id) return id ? person : null
    return { id, firstName: nameOf(id) ?? id, lastName: '' }
  }
  return (
    <Section title={t.auditLog} path="/hotel/audit">
      <search class="find" aria-label={t.filters}>
        <div class="filter-row audit-filters">
          <Select
            label={t.action}
            value={value('action')}
            onValue={action => changeQuery({ action, page: '' })}
            choices={[
              { value: '', text: t.all },
              ...Object.entries(t.actions).map(([action, text]) => ({ value: action, text })),
            ]}
          />
          <PersonPicker
            label={t.who}
            pickedPerson={pickedPerson(actor, value('by'))}
            onPick={one => {
              setActor(one)
              changeQuery({ by: one?.id ?? '', page: '' })
            }}
          />
          <PersonPicker
            label={t.about}
            pickedPerson={pickedPerson(about, value('about'))}
            onPick={one => {
              setAbout(one)
              changeQuery({ about: one?.id ?? '', page: '' })
            }}
          />
          <TextField
            label={t.from}
            type="date"
            value={value('from')}
            onValue={from => changeQuery({ from, page: '' })}
          />
          <TextField
            label={t.until}
            type="date"
            value={value('until')}
            onValue={until => changeQuery({ until, page: '' })}
          />
        </div>
        {isFiltered && (
          <div class="actions">
            <Button class="small" onClick={clear}>
              {t.clear}
            </Button>
          </div>
        )}
      </search>
      <Problem error={log.error} onRetry={() => void log.reload()} />
      {!list && !log.error && <Loading />}
      {list?.data.length === 0 && (
        <Empty icon="file" title={t.none}>
          {isFiltered && <p>{t.noneText}</p>}
        </Empty>
      )}
      {list && list.data.length > 0 && (
        <Table label={t.auditLog} columns={columns} rows={actsOf(list.data)} keyOf={([one]) => one.id} />
      )}
      <Pager
        page={page}
        totalPages={list?.meta?.totalPages ?? 0}
        onPage={next => changeQuery({ page: String(next) })}
      />
    </Section>
  )
}

/** Entries of one act, such as an arrival: a person is created, joins, and accepts an invitation. */
type Act = [AuditEntry, ...AuditEntry[]]

function actsOf(entries: AuditEntry[]): Act[] {
  const acts: Act[] = []
  for (const entry of entries) {
    const [first] = acts.at(-1) ?? []
    if (first && isSameAct(first, entry)) acts.at(-1)?.push(entry)
    else acts.push([entry])
  }
  return acts
}

const isSameAct = (one: AuditEntry, next: AuditEntry): boolean =>
  one.memberId !== null &&
  one.memberId === next.memberId &&
  one.actor?.id === next.actor?.id &&
  Math.abs(Date.parse(one.createdAt ?? '') - Date.parse(next.createdAt ?? '')) < 1_000

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)

/** Whom an entry names: the affected member, and members among the changed values, such as a team's leader. */
const memberIdsOf = ({ memberId, before, after }: AuditEntry): string[] =>
  [memberId, ...Object.values({ ...before }), ...Object.values({ ...after })].filter(isId)

/** Names of members of the workspace; undefined for other ids. */
function useNames(ids: string[]): (memberId: string) => string | undefined {
  const { workspace, may } = useMemberContext()
  const memberIds = [...new Set(ids.filter(isId))].toSorted()
  const isAsked = memberIds.length > 0 && may('view_members')
  const { value } = useLoad(isAsked ? `names/${workspace.id}/${memberIds}` : null, async signal => {
    // The route takes at most a hundred ids.
    const parts = Array.from({ length: Math.ceil(memberIds.length / 100) }, (_, index) =>
      memberIds.slice(index * 100, index * 100 + 100),
    )
    const answers = await Promise.all(
      parts.map(memberId =>
        platform.member.listWorkspaceMembers({ id: workspace.id, memberId, limit: 100 }, { signal }),
      ),
    )
    const members = answers.flatMap(({ data }) => data)
    return new Map(members.map(one => [one.memberId, `${one.firstName} ${one.lastName}`]))
  })
  const names = useLast(value)
  return id => names?.get(id)
}

/** The name or address in an entry about something else than a present member. */
function subjectOf({ before, after }: AuditEntry): string {
  const values = { ...before, ...after }
  const fullName = [values['firstName'], values['lastName']].filter(Boolean).join(' ')
  const nameOrEmail = values['name'] ?? values['email']
  return fullName || (typeof nameOrEmail === 'string' ? nameOrEmail : '')
}
