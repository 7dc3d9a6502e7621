import { useState } from 'preact/hooks'
import type { BulkResult, Team } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, language, useTexts } from '../platform/texts.ts'
import { Button, FileButton, Select } from '../ui/controls.tsx'
import { saveFile } from '../ui/download.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { PersonCell } from '../ui/people.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { mayGive, useRoles, useTeams } from './groups-of.ts'
import {
  type Columns,
  decodeText,
  detectColumns,
  fields,
  mostRows,
  type PersonRow,
  readPeople,
  readTable,
} from './people-file.ts'
import { useRefusals, useRoleName } from './words.ts'

type Read = { name: string; table: string[][]; columns: Columns; hasHeading: boolean }
const mostBytes = 2_000_000

/** Invites the people of a file: shows how it was read and what is wrong, then sends what is right. */
export function InviteMany() {
  const t = useTexts('members/invite-many')
  const context = useMemberContext()
  const roles = useRoles().value ?? []
  const roleName = useRoleName(roles)
  const teams = useTeams().value ?? []
  const [file, setFile] = useState<Read | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const read = async (chosenFile: File) => {
    setFile(undefined)
    if (chosenFile.size > mostBytes) return setProblem(t.tooLarge)
    const table = readTable(decodeText(new Uint8Array(await chosenFile.arrayBuffer())).replace(/^\uFEFF/, ''))
    const detectedColumns = detectColumns(table)
    const count = table.length - (detectedColumns.hasHeading ? 1 : 0)
    if (count < 1) return setProblem(t.empty)
    if (count > mostRows) return setProblem(fill(t.tooMany, { most: String(mostRows) }))
    setProblem('')
    setFile({ name: chosenFile.name, table, ...detectedColumns })
  }
  const workspaceData = {
    roles: roles.map(role => ({
      slug: role.slug,
      names: [role.name, roleName(role.slug)],
      isGivable: mayGive(context, role),
    })),
    teams,
  }
  const rows = file ? readPeople(file.table, file.columns, file.hasHeading, workspaceData) : []
  const heading = file?.table[0] ?? []
  return (
    <>
      <div class="card">
        <p>{t.intro}</p>
        <div class="actions">
          <FileButton
            text={file ? t.another : t.choose}
            accept=".csv,.tsv,.txt,text/csv"
            class="main"
            onFile={chosenFile => void read(chosenFile)}
          />
          <Button
            variant="quiet"
            icon="download"
            onClick={() => saveFile(t.sampleName, new Blob([`\uFEFF${t.sampleText}`], { type: 'text/csv' }))}
          >
            {t.sample}
          </Button>
        </div>
        {problem && (
          <p class="fault" role="alert">
            {problem}
          </p>
        )}
      </div>
      {file && (
        <div class="card">
          <h2>{t.columns}</h2>
          <p class="hint">
            {file.name} · {fill(t.lines, { count: rows.length })}. {t.columnsHint}
          </p>
          <div class="filter-row fit">
            {fields.map(field => (
              <Select
                key={field}
                label={t[field]}
                value={String(file.columns[field])}
                onValue={value => setFile({ ...file, columns: { ...file.columns, [field]: Number(value) } })}
                choices={[
                  { value: '-1', text: t.noColumn },
                  ...heading.map((name, index) => ({
                    value: String(index),
                    text: file.hasHeading ? name : fill(t.column, { name: String(index + 1) }),
                  })),
                ]}
              />
            ))}
          </div>
        </div>
      )}
      {file && <InviteRows key={`${file.name}/${language.get()}`} rows={rows} teams={teams} roleName={roleName} />}
    </>
  )
}

type Outcome = { isDone: boolean; text: string }
type InviteRowsProps = { rows: PersonRow[]; teams: Team[]; roleName: (slug: string) => string }

/** The people of a file with their faults; after sending, with the platform's answer to each. */
function InviteRows({ rows, teams, roleName }: InviteRowsProps) {
  const t = useTexts('members/invite-rows')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const validRows = rows.filter(row => row.faults.length === 0)
  const invalidCount = rows.length - validRows.length
  const textOf = ({ error, message }: BulkResult): string => {
    if (error === 'ForbiddenError') return t.denied
    return error === 'ConflictError' ? t.present : fill(t.refused, { text: message ?? '' })
  }
  const send = useAction(async () => {
    const members = validRows.map(({ email, firstName, lastName, role }) => ({
      email,
      firstName,
      lastName,
      ...(role ? { workspaceRole: role } : {}),
    }))
    const { results, succeeded } = await platform.member.bulkAddMembers({
      body: { workspaceId: workspace.id, members },
    })
    const newOutcomes = new Map<number, Outcome>()
    for (const result of results) {
      const row = validRows[result.index]
      if (!row) continue
      newOutcomes.set(row.line, { isDone: result.success, text: result.success ? t.invited : textOf(result) })
      if (!result.success || !row.teamId || !result.memberId) continue
      await platform.member
        .addTeamMember({ id: row.teamId, body: { memberId: result.memberId } })
        .catch(() => newOutcomes.set(row.line, { isDone: true, text: t.noTeam }))
    }
    setOutcomes(newOutcomes)
    notify(fill(t.done, { count: succeeded }))
  })
  const state = (row: PersonRow) => {
    const outcome = outcomes.get(row.line)
    if (outcome) return <Mark isGood={outcome.isDone} texts={[outcome.text]} />
    return (
      <Mark
        isGood={row.faults.length === 0}
        texts={row.faults.length > 0 ? row.faults.map(fault => t.faults[fault]) : [t.ready]}
      />
    )
  }
  const columns: TableColumn<PersonRow>[] = [
    { name: t.line, cell: row => row.line, isNumber: true },
    {
      name: t.person,
      cell: row => <PersonCell person={row} />,
    },
    { name: t.role, cell: row => (row.role ? roleName(row.role) : t.defaultRole) },
    { name: t.team, cell: row => teams.find(({ id }) => id === row.teamId)?.name ?? '' },
    { name: t.state, cell: state },
  ]
  // Faulty rows first.
  const orderedRows = rows.toSorted(
    (a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0) || a.line - b.line,
  )
  return (
    <div class="card">
      <h2>{t.preview}</h2>
      {invalidCount > 0 && (
        <p class="note" role="status">
          {fill(t.skipped, { count: invalidCount })}
        </p>
      )}
      <Problem error={send.error} statusTexts={refusals} />
      {outcomes.size === 0 && validRows.length > 0 && (
        <p>
          <Button variant="main" icon="mail" action={send}>
            {fill(t.send, { count: validRows.length })}
          </Button>
        </p>
      )}
      <Table label={t.preview} columns={columns} rows={orderedRows} keyOf={row => String(row.line)} />
    </div>
  )
}

function Mark({ isGood, texts: lines }: { isGood: boolean; texts: string[] }) {
  return (
    <span class={isGood ? 'inline-row good' : 'inline-row bad'}>
      <Icon name={isGood ? 'check' : 'warning'} size={18} />
      <span>{lines.join(' ')}</span>
    </span>
  )
}
