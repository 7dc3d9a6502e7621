import { useState } from 'preact/hooks'
import type { BulkResult, Team } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Breakable } from '../ui/facts.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import type { PersonRow } from './people-file.ts'
import { useRefusals } from './refusals.ts'

type Outcome = { isDone: boolean; text: string }
type Props = { rows: PersonRow[]; teams: Team[]; roleName: (slug: string) => string }

/** The people of a file with their faults; after sending, with the platform's answer to each. */
export function InviteRows({ rows, teams, roleName }: Props) {
  const t = useTexts('members/invite-rows')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const validRows = rows.filter(row => row.faults.length === 0)
  const bad = rows.length - validRows.length
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
      cell: row => (
        <>
          <bdi>{[row.firstName, row.lastName].filter(Boolean).join(' ')}</bdi>
          <span class="hint">
            <Breakable text={row.email} />
          </span>
        </>
      ),
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
      {bad > 0 && (
        <p class="note" role="status">
          {fill(t.skipped, { count: bad })}
        </p>
      )}
      <Problem error={send.error} statusTexts={refusals(send.error)} />
      {outcomes.size === 0 && validRows.length > 0 && (
        <p>
          <Button variant="main" icon="mail" isBusy={send.isRunning} onClick={() => void send.run()}>
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
    <span class={isGood ? 'mark good' : 'mark bad'}>
      <Icon name={isGood ? 'check' : 'warning'} size={18} />
      <span>{lines.join(' ')}</span>
    </span>
  )
}
