import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../../../gen/client/member.ts'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { openSheet } from '../dialogs.tsx'
import * as format from '../format.ts'
import { Card, Choice, Facts, Failure, Filter, JsonText, ListPager, Nothing, TimeAgo } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { platform, statusOf } from '../session.ts'
import { type DataColumn, DataTable } from '../table.tsx'

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
] as const

type Filters = { workspace: string; entity: string }

/** Entries of one workspace, or outside of workspaces; the refusal of an id that is none. */
async function readAudit({ workspace, entity }: Filters, page: number) {
  const record = entities.find(name => name === entity)
  const input = { ...(record ? { entity: record } : {}), page, limit: 20 }
  try {
    return await (workspace
      ? platform.member.listAuditEntries({ workspaceId: workspace, ...input })
      : platform.member.listPlatformAuditEntries(input))
  } catch (error) {
    if (![400, 404].includes(statusOf(error))) throw error
    return { error }
  }
}

/** Who changed which rights. */
export function Audit() {
  const [filters, setFilters] = useFilters(['workspace', 'entity'])
  const [page, setPage] = useState(1)
  const entries = useRefreshed(JSON.stringify([filters, page]), 30_000, () => readAudit(filters, page))
  const change = (next: Partial<Filters>) => {
    setPage(1)
    setFilters(next)
  }
  return (
    <Card
      title="Audit"
      hint="Changes of rights, newest first. Enter a workspace id, or leave it empty for the platform."
      extra={
        <div class="filters">
          <Filter
            label="Workspace id"
            value={filters.workspace}
            placeholder="none: the platform"
            onValue={workspace => change({ workspace })}
          />
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
          {entries.data.length > 0 ? (
            <AuditTable entries={entries.data} />
          ) : (
            <Nothing title="No entries">
              {filters.entity ? 'Nothing matches the filter.' : 'No rights have changed yet.'}
            </Nothing>
          )}
          <ListPager of="audit entries" meta={entries.meta} go={setPage} />
        </>
      )}
    </Card>
  )
}

/** Audit entries; a row opens the values before and after. */
export const AuditTable = ({ entries }: { entries: AuditEntry[] }) => (
  <DataTable label="Audit entries" columns={columns} rows={entries} keyOf={entry => entry.id} onRow={openEntry} />
)

const fieldsOf = ({ before, after }: AuditEntry): string =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].join(', ')

const columns: DataColumn<AuditEntry>[] = [
  { head: 'Action', cell: entry => entry.action, isWide: true },
  { head: 'By', cell: entry => entry.actor?.name || entry.actor?.id || format.dash, isWide: true },
  { head: 'Fields', cell: entry => fieldsOf(entry) || format.dash, isWide: true },
  { head: 'Time', cell: entry => <TimeAgo moment={entry.createdAt} /> },
]

const openEntry = (entry: AuditEntry): void =>
  openSheet(entry.action, () => (
    <>
      <Facts
        of={[
          ['Time', format.time(entry.createdAt)],
          ['By', [entry.actor?.name, entry.actor?.type].filter(Boolean).join(', ')],
          ['Credential', entry.actor?.credentialId && <code>{entry.actor.credentialId}</code>],
          ['Record', entry.entity],
          ['Record id', <code>{entry.entityId}</code>],
          ['Member', entry.memberId && <code>{entry.memberId}</code>],
          ['Workspace', entry.workspaceId && <code>{entry.workspaceId}</code>],
        ]}
      />
      <h3>Before</h3>
      <JsonText value={entry.before} />
      <h3>After</h3>
      <JsonText value={entry.after} />
    </>
  ))
