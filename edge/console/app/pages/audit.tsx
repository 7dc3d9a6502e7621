import { useRef, useState } from 'preact/hooks'
import type { HotelSummary } from '../../../../gen/client/hotel.ts'
import type { AuditEntry } from '../../../../gen/client/member.ts'
import { Button } from '../../../front/app/ui/controls.tsx'
import { Breakable, Facts } from '../../../front/app/ui/facts.tsx'
import { Loading, notify } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import { Choice, Failure, Filter, JsonText, ListPager, Nothing, openSheet, RequestLink, TimeAgo } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { messageOf, platform, statusOf } from '../session.ts'
import { DataTable } from '../table.tsx'

const entities = [
  'member',
  'membership',
  'role',
  'permission',
  'invitation',
  'workspace',
  'team',
  'department',
  'settings',
  'ecosystem',
  'hotel',
  'account',
  'webhook',
] as const

type Filters = { hotel: string; workspace: string; entity: string }

/** Entries of a workspace of the hotel, or of the platform; the refusal of an address with an id that is none. */
async function readAudit({ hotel, workspace, entity }: Filters, page: number) {
  const record = entities.find(name => name === entity)
  const input = { ...(record ? { entity: record } : {}), page, limit: 20 }
  try {
    if (!hotel) {
      const entries = await platform.member.listPlatformAuditEntries(input)
      return { title: 'Platform', workspaceId: '', workspaces: [], ...entries }
    }
    const [{ name, workspace: home }, { data: workspaces }] = await Promise.all([
      platform.hotel.getHotel({ id: hotel }),
      platform.member.listWorkspaces({ ecosystemId: hotel }),
    ])
    const workspaceId = workspaces.find(({ id }) => id === workspace)?.id ?? home ?? ''
    const entries = await platform.member.listAuditEntries({ workspaceId, ...input })
    return { title: name, workspaceId, workspaces, ...entries }
  } catch (error) {
    if (![400, 404].includes(statusOf(error))) throw error
    return { error }
  }
}

/** Who changed what in a hotel, or on the platform. */
export function Audit() {
  const [filters, setFilters] = useFilters(['hotel', 'workspace', 'entity'])
  const [page, setPage] = useState(1)
  const entries = useRefreshed(JSON.stringify([filters, page]), 30_000, () => readAudit(filters, page))
  const change = (next: Partial<Filters>) => {
    setPage(1)
    setFilters(next)
  }
  const log = entries && 'data' in entries ? entries : undefined
  const workspaces = log?.workspaces ?? []
  return (
    <Card
      title={log?.title ?? 'Audit'}
      hint={
        filters.hotel
          ? 'Changes of the hotel and of rights in it, newest first'
          : 'Changes of accounts, of administrators and of permissions, newest first. Choose a hotel for its own log.'
      }
      extra={
        <div class="filters row wrap">
          <HotelPicker
            isPicked={filters.hotel !== ''}
            onPick={hotel => change({ hotel: hotel?.id ?? '', workspace: '' })}
          />
          {workspaces.length > 1 && (
            <Choice
              label="Workspace"
              choices={workspaces.map(({ id, name }) => [id, name])}
              value={log?.workspaceId ?? ''}
              onValue={workspace => change({ workspace })}
            />
          )}
          <Choice
            label="Record"
            choices={[['', 'All'], ...entities.map((name): [string, string] => [name, name])]}
            value={filters.entity}
            onValue={entity => change({ entity })}
          />
        </div>
      }
    >
      {!entries ? (
        <Loading />
      ) : 'error' in entries ? (
        <Failure error={entries.error} />
      ) : (
        <>
          <AuditTable
            entries={entries.data}
            emptyText={filters.entity ? 'Nothing matches the filter.' : 'Nothing has changed yet.'}
          />
          <ListPager list="audit entries" meta={entries.meta} go={setPage} />
        </>
      )}
    </Card>
  )
}

/** Finds a hotel by name or id, and offers those that match. */
function HotelPicker({ isPicked, onPick }: { isPicked: boolean; onPick: (hotel: HotelSummary | undefined) => void }) {
  const [matches, setMatches] = useState<HotelSummary[]>()
  const latestSearch = useRef('')
  const find = async (search: string) => {
    latestSearch.current = search
    setMatches(undefined)
    if (!search) return
    try {
      const { data } = await platform.hotel.listHotels({ search, limit: 8 })
      if (latestSearch.current === search) setMatches(data)
    } catch (error) {
      notify(messageOf(error))
    }
  }
  const pick = (hotel: HotelSummary | undefined) => {
    setMatches(undefined)
    onPick(hotel)
  }
  return (
    <>
      <Filter label="Hotel" value="" placeholder="name or id" onValue={text => void find(text)} />
      {matches?.length === 0 && <span role="status">No such hotel</span>}
      {matches?.map(one => (
        <Button key={one.id} class="small" onClick={() => pick(one)}>
          {one.name}
        </Button>
      ))}
      {isPicked && (
        <Button class="small" onClick={() => pick(undefined)}>
          Platform
        </Button>
      )}
    </>
  )
}

/** Audit entries; a row opens the values before and after. */
export const AuditTable = ({ entries, emptyText }: { entries: AuditEntry[]; emptyText?: string }) => (
  <DataTable
    label="Audit entries"
    columns={columns}
    rows={entries}
    keyOf={entry => entry.id}
    onRow={openEntry}
    empty={<Nothing title="No entries">{emptyText}</Nothing>}
  />
)

const fieldsOf = ({ before, after }: AuditEntry): string =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].join(', ')

const columns: TableColumn<AuditEntry>[] = [
  { name: 'Action', cell: entry => <Breakable text={entry.action} />, isWide: true },
  { name: 'By', cell: entry => entry.actor?.name || entry.actor?.id || format.dash, isWide: true },
  { name: 'Fields', cell: entry => fieldsOf(entry) || format.dash, isWide: true },
  { name: 'Time', cell: entry => <TimeAgo moment={entry.createdAt} /> },
]

const openEntry = (entry: AuditEntry): void =>
  openSheet(entry.action, () => (
    <>
      <Facts
        facts={[
          ['Time', format.time(entry.createdAt)],
          ['By', [entry.actor?.name, entry.actor?.type].filter(Boolean).join(', ')],
          ['Credential', entry.actor?.credentialId && <code>{entry.actor.credentialId}</code>],
          ['Record', entry.entity],
          ['Record id', <code>{entry.entityId}</code>],
          ['Member', entry.memberId && <code>{entry.memberId}</code>],
          ['Workspace', entry.workspaceId && <code>{entry.workspaceId}</code>],
          ['Request', entry.requestId && <RequestLink id={entry.requestId} />],
        ]}
      />
      <h3>Before</h3>
      <JsonText value={entry.before} />
      <h3>After</h3>
      <JsonText value={entry.after} />
    </>
  ))
