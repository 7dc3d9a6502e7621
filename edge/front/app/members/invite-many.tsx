import { useState } from 'preact/hooks'
import { useMemberContext } from '../platform/member-context.ts'
import { fill, language, useTexts } from '../platform/texts.ts'
import { Button, Select } from '../ui/controls.tsx'
import { saveFile } from '../ui/download.ts'
import { FileButton } from '../ui/file-button.tsx'
import { useTeams } from './groups-of.ts'
import { InviteRows } from './invite-rows.tsx'
import { type Columns, decodeText, detectColumns, fields, mostRows, readPeople, readTable } from './people-file.ts'
import { mayGive, useRoles } from './roles-of.ts'
import { useRoleName } from './words.ts'

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
          <div class="filter-row">
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
