import { useState } from 'preact/hooks'
import type { BulkResult, Team } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useHere } from '../platform/here.ts'
import { platform } from '../platform/session.ts'
import { plural, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Column, Table } from '../ui/table.tsx'
import type { Fault, Row } from './people-file.ts'
import { useRefusals } from './refusals.ts'

const words = texts({
  en: {
    preview: 'People in the file',
    line: 'Line',
    person: 'Person',
    role: 'Role',
    team: 'Team',
    state: 'State',
    ready: 'Ready',
    standard: 'Default role',
    send: (count: string) => `Invite ${count}`,
    person1: 'person',
    people: 'people',
    skipped: (count: string) => `${count} will be left out. Correct them in the file, then choose it again.`,
    faulty1: 'line with a fault',
    faulty: 'lines with faults',
    done: (count: string) => `${count} invited.`,
    invited: 'Invited',
    noTeam: 'Invited, but not added to the team',
    present: 'Already belongs to the workspace',
    denied: 'Your permissions don’t allow this',
    refused: (text: string) => `Refused: ${text}`,
    'email-missing': 'The e-mail address is missing.',
    'email-wrong': 'This isn’t an e-mail address.',
    'first-name-missing': 'The first name is missing.',
    'last-name-missing': 'The last name is missing.',
    'too-long': 'A name is longer than 255 characters.',
    repeated: 'The e-mail address is in an earlier line.',
    'role-unknown': 'This role doesn’t exist.',
    'role-too-strong': 'You can’t give this role.',
    'team-unknown': 'This team doesn’t exist.',
  },
  fr: {
    preview: 'Personnes du fichier',
    line: 'Ligne',
    person: 'Personne',
    role: 'Rôle',
    team: 'Équipe',
    state: 'État',
    ready: 'Prête',
    standard: 'Rôle par défaut',
    send: (count: string) => `Inviter ${count}`,
    person1: 'personne',
    people: 'personnes',
    skipped: (count: string) => `Laissé de côté : ${count}. Corrigez le fichier, puis choisissez-le à nouveau.`,
    faulty1: 'ligne avec une erreur',
    faulty: 'lignes avec des erreurs',
    done: (count: string) => `Invitations envoyées : ${count}.`,
    invited: 'Invitée',
    noTeam: 'Invitée, mais pas ajoutée à l’équipe',
    present: 'Appartient déjà à l’espace de travail',
    denied: 'Vos droits ne le permettent pas',
    refused: (text: string) => `Refus : ${text}`,
    'email-missing': 'L’adresse e-mail manque.',
    'email-wrong': 'Ce n’est pas une adresse e-mail.',
    'first-name-missing': 'Le prénom manque.',
    'last-name-missing': 'Le nom manque.',
    'too-long': 'Un nom dépasse 255 caractères.',
    repeated: 'L’adresse e-mail figure dans une ligne précédente.',
    'role-unknown': 'Ce rôle n’existe pas.',
    'role-too-strong': 'Vous ne pouvez pas donner ce rôle.',
    'team-unknown': 'Cette équipe n’existe pas.',
  },
})

type Outcome = { isDone: boolean; text: string }
type Props = { rows: Row[]; teams: Team[]; roleName: (slug: string) => string }

/** The people of a file with their faults; after sending, with the platform's answer to each. */
export function InviteRows({ rows, teams, roleName }: Props) {
  const t = useTexts(words)
  const { workspace } = useHere()
  const refusals = useRefusals()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const good = rows.filter(row => row.faults.length === 0)
  const bad = rows.length - good.length
  const textOf = ({ error, message }: BulkResult): string => {
    if (error === 'ForbiddenError') return t.denied
    return error === 'ConflictError' ? t.present : t.refused(message ?? '')
  }
  const send = useAction(async () => {
    const members = good.map(({ email, firstName, lastName, role }) => ({
      email,
      firstName,
      lastName,
      ...(role ? { workspaceRole: role } : {}),
    }))
    const { results, succeeded } = await platform.member.bulkAddMembers({
      body: { workspaceId: workspace.id, members },
    })
    const answered = new Map<number, Outcome>()
    for (const result of results) {
      const row = good[result.index]
      if (!row) continue
      answered.set(row.line, { isDone: result.success, text: result.success ? t.invited : textOf(result) })
      if (!result.success || !row.teamId || !result.memberId) continue
      await platform.member
        .addTeamMember({ id: row.teamId, body: { memberId: result.memberId } })
        .catch(() => answered.set(row.line, { isDone: true, text: t.noTeam }))
    }
    setOutcomes(answered)
    notify(t.done(String(succeeded)))
  })
  const state = (row: Row) => {
    const outcome = outcomes.get(row.line)
    if (outcome) return <Mark isGood={outcome.isDone} texts={[outcome.text]} />
    return (
      <Mark isGood={row.faults.length === 0} texts={row.faults.length > 0 ? row.faults.map(textOfFault) : [t.ready]} />
    )
  }
  const textOfFault = (fault: Fault): string => t[fault]
  const columns: Column<Row>[] = [
    { name: t.line, cell: row => row.line, isNumber: true },
    {
      name: t.person,
      cell: row => (
        <>
          <bdi>{[row.firstName, row.lastName].filter(Boolean).join(' ')}</bdi>
          <span class="hint">{row.email}</span>
        </>
      ),
    },
    { name: t.role, cell: row => (row.role ? roleName(row.role) : t.standard) },
    { name: t.team, cell: row => teams.find(({ id }) => id === row.teamId)?.name ?? '' },
    { name: t.state, cell: state },
  ]
  // Faulty rows first.
  const ordered = rows.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0) || a.line - b.line)
  return (
    <div class="card">
      <h2>{t.preview}</h2>
      {bad > 0 && (
        <p class="note" role="status">
          {t.skipped(plural(bad, t.faulty1, t.faulty))}
        </p>
      )}
      <Problem error={send.error} own={refusals(send.error)} />
      {outcomes.size === 0 && good.length > 0 && (
        <p>
          <Button look="main" icon="mail" isBusy={send.isRunning} onClick={() => void send.run()}>
            {t.send(plural(good.length, t.person1, t.people))}
          </Button>
        </p>
      )}
      <Table label={t.preview} columns={columns} rows={ordered} keyOf={row => String(row.line)} />
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
