import type { AuditEntry } from '../../../../gen/client/member.ts'
import { flat, useDepartments, useTeams } from '../members/groups-of.ts'
import { PersonPicker } from '../members/person-picker.tsx'
import { useNameOfSlug } from '../members/words.ts'
import { inHundreds, useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, pageNumber, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, useTexts } from '../platform/texts.ts'
import { momentOf } from '../platform/times.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { Pager, Table, type TableColumn } from '../ui/table.tsx'
import { Section } from './section.tsx'

const filterNames = ['action', 'by', 'about', 'from', 'until'] as const

/** When a day begins, or one `after` it; null for a text that is no day. */
function dayStart(text: string, after = 0): string | null {
  const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : '')
  if (Number.isNaN(day.getTime())) return null
  day.setUTCDate(day.getUTCDate() + after)
  return momentOf(day.toISOString().slice(0, 16))
}

/** Who changed what in the workspace, and when. */
export function Audit() {
  const t = useTexts('hotel/audit')
  const { workspace, may } = useMemberContext()
  const actionNames: Record<string, string> = t.actions
  const filters = useQuery(...filterNames)
  const { action, by, about, from, until } = filters
  const page = pageNumber(useQuery('page').page)
  const filter = withoutBlanks({
    action,
    actorId: by,
    memberId: about,
    from: dayStart(from),
    until: dayStart(until, 1),
  })
  const log = useLoad(may('view_reports') ? `audit/${workspace.id}/${page}/${JSON.stringify(filter)}` : null, signal =>
    platform.member.listAuditEntries({ workspaceId: workspace.id, page, limit: 30, ...filter }, { signal }),
  )
  const list = useLast(log.value)
  const nameOf = useNames([by, about, ...(list?.data ?? []).flatMap(memberIdsOf)])
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
  const isFiltered = Object.values(filters).some(Boolean)
  const change = (changes: Partial<typeof filters>) => changeQuery({ ...changes, page: '' })
  const picker = (name: 'by' | 'about', label: string) => (
    <PersonPicker
      label={label}
      pickedPerson={
        filters[name] ? { id: filters[name], firstName: nameOf(filters[name]) ?? filters[name], lastName: '' } : null
      }
      onPick={one => change({ [name]: one?.id ?? '' })}
    />
  )
  const day = (name: 'from' | 'until', label: string) => (
    <TextField label={label} type="date" value={filters[name]} onValue={value => change({ [name]: value })} />
  )
  return (
    <Section title={t.auditLog} path="/hotel/audit">
      <search class="find stack" aria-label={t.filters}>
        <div class="filter-row fit">
          <Select
            label={t.action}
            value={action}
            onValue={value => change({ action: value })}
            choices={[
              { value: '', text: t.all },
              ...Object.entries(t.actions).map(([action, text]) => ({ value: action, text })),
            ]}
          />
          {picker('by', t.who)}
          {picker('about', t.about)}
          {day('from', t.from)}
          {day('until', t.until)}
        </div>
        {isFiltered && (
          <div class="actions">
            <Button class="small" onClick={() => change({ action: '', by: '', about: '', from: '', until: '' })}>
              {t.clear}
            </Button>
          </div>
        )}
      </search>
      <Loaded
        load={{ ...log, value: list }}
        empty={
          <Empty icon="file" title={t.none}>
            {isFiltered && <p>{t.noneText}</p>}
          </Empty>
        }
      >
        {({ data }) => <Table label={t.auditLog} columns={columns} rows={actsOf(data)} keyOf={([one]) => one.id} />}
      </Loaded>
      <Pager meta={list?.meta} isLoading={log.isLoading} />
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
    const answers = await inHundreds(memberIds, memberId =>
      platform.member.listWorkspaceMembers({ id: workspace.id, memberId, limit: 100 }, { signal }),
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

type ChangesProps = { entry: AuditEntry; nameOf: (memberId: string) => string | undefined }

/** The changed fields of an entry: old and new values, without those that stayed empty. */
export function Changes({ entry: { before, after }, nameOf }: ChangesProps) {
  const t = useTexts('hotel/audit')
  const nameOfSlug = useNameOfSlug()
  const textOf = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return t.empty
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (Array.isArray(value)) return value.map(one => nameOfSlug(String(one))).join(', ') || t.empty
    if (typeof value !== 'string') return JSON.stringify(value)
    if (/^https?:\/\//.test(value)) return t.file
    return nameOf(value) ?? nameOfSlug(value)
  }
  const names: Record<string, string> = t.fields
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isEmpty = (value: unknown) => textOf(value) === t.empty || value === false
  const lines = fields.flatMap(field => {
    const [previous, now] = [before?.[field], after?.[field]]
    if (JSON.stringify(previous) === JSON.stringify(now) || (isEmpty(previous) && isEmpty(now))) return []
    return [{ field, previous: before ? textOf(previous) : undefined, now: after ? textOf(now) : undefined }]
  })
  if (lines.length === 0) return null
  return (
    <ul class="changes">
      {lines.map(({ field, previous, now }) => (
        <li key={field} dir="auto">
          <span class="hint">{names[field] ?? field}</span>{' '}
          {previous !== undefined && (
            <del>
              <Breakable text={previous} />
            </del>
          )}{' '}
          {now !== undefined && (
            <ins>
              <Breakable text={now} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}
