import type { Setup, SetupStep } from '../../../gen/client/hotel.ts'
import { Facts } from '../../front/app/ui/facts.tsx'
import { Icon } from '../../front/app/ui/icon.tsx'
import { openSheet } from './dialogs.tsx'
import * as format from './format.ts'
import { Badge, ConfirmedButton, TimeAgo, type Tone } from './parts.tsx'
import { platform } from './session.ts'
import { type DataColumn, DataTable } from './table.tsx'

const tones: Record<string, Tone> = {
  completed: 'good',
  running: 'info',
  undoing: 'warn',
  undone: 'quiet',
  parked: 'bad',
  done: 'good',
  started: 'info',
  failed: 'bad',
}
const kinds: Record<string, string> = {
  create: 'Setup',
  delete: 'Deletion',
  restore: 'Restore',
  suspend: 'Suspension',
  reopen: 'Reopening',
  rename: 'Rename',
  chat: 'Chat',
}

export const kindOf = (run: Setup): string => kinds[run.kind] ?? run.kind
export const StatusOf = ({ status }: { status: string }) => <Badge text={status} tone={tones[status] ?? 'quiet'} />
export const stepsOf = ({ steps }: Setup): string =>
  `${steps.filter(({ status }) => status === 'done').length} of ${steps.length} steps`

const ResumeButton = ({ run }: { run: Setup }) =>
  run.status === 'parked' ? (
    <ConfirmedButton
      variant="main"
      label={`Resume the setup of ${run.hotelName}`}
      question={{
        title: `Resume ${run.hotelName}?`,
        text: 'The run continues at the step that failed. Fix the cause first; otherwise the run is parked again.',
        submit: 'Resume',
        report: `Resumed the run of ${run.hotelName}.`,
      }}
      act={() => platform.hotel.resumeSetup({ id: run.id })}
    />
  ) : null

/** One run: its kind, its progress and the result of each step. */
export const RunRow = ({ run }: { run: Setup }) => (
  <article class="run" aria-label={`${kindOf(run)} of ${run.hotelName}`}>
    <header>
      <h3>
        <button type="button" class="link" onClick={() => openRun(run)}>
          {run.hotelName}
        </button>
      </h3>
      <StatusOf status={run.status} />
      <span class="hint">
        {kindOf(run)} · {stepsOf(run)} · <TimeAgo moment={run.updatedAt} />
      </span>
      <ResumeButton run={run} />
    </header>
    <ol class="steps">
      {run.steps.map(step => (
        <li key={step.position}>
          {step.name} <StatusOf status={step.status} />
        </li>
      ))}
    </ol>
    {run.error && (
      <p class="problem">
        <Icon name="warning" /> {run.error}
      </p>
    )}
  </article>
)

const durationOf = ({ startedAt, finishedAt }: SetupStep): number | undefined =>
  startedAt && finishedAt ? Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : undefined

const stepColumns = (run: Setup): DataColumn<SetupStep>[] => [
  { head: 'Step', cell: step => `${step.position}. ${step.name}` },
  { head: 'Duration', cell: step => format.ms(durationOf(step)), isNumber: true },
  { head: 'Status', cell: step => <StatusOf status={step.status} /> },
  { head: `Started (${format.zone})`, cell: step => format.exactTime(step.startedAt) },
  { head: 'Attempts', cell: step => format.count(step.attempts), isNumber: true, isMinor: true },
  ...(run.steps.some(({ error }) => error)
    ? [{ head: 'Error', cell: (step: SetupStep) => step.error ?? '', isWide: true }]
    : []),
]

/** A run with its error and the times of its steps. */
export const RunDetails = ({ run }: { run: Setup }) => (
  <>
    <Facts
      facts={[
        ['Run', <code>{run.id}</code>],
        ['Kind', kindOf(run)],
        ['Status', <StatusOf status={run.status} />],
        ['Started', format.time(run.createdAt)],
        ['Updated', format.time(run.updatedAt)],
        ['Error', run.error],
      ]}
    />
    <ResumeButton run={run} />
    <DataTable
      label={`Steps of ${kindOf(run)}, ${format.time(run.createdAt)}`}
      columns={stepColumns(run)}
      rows={run.steps}
    />
  </>
)

export const openRun = (run: Setup): void =>
  openSheet(run.hotelName, () => (
    <>
      <p>
        <a href={`#/hotels/${run.hotelId}`}>Page of this hotel</a>
      </p>
      <RunDetails run={run} />
    </>
  ))
