import { call } from './api.js'
import { confirm, sheet, toast } from './dialogs.js'
import { h, icon } from './dom.js'
import * as format from './format.js'
import { badge, changing, facts, table, when } from './widgets.js'

const tones = { completed: 'good', running: 'info', undoing: 'warn', undone: 'quiet', parked: 'bad' }
const stepTones = { done: 'good', started: 'info', failed: 'bad', undoing: 'warn', undone: 'quiet', pending: 'none' }
const kinds = { create: 'Setup', delete: 'Deletion', restore: 'Restore', rename: 'Rename', chat: 'Chat' }

export const kindOf = run => kinds[run.kind] ?? run.kind
export const statusOf = run => badge(run.status, tones[run.status])
export const stepsOf = run =>
  `${run.steps.filter(({ status }) => status === 'done').length} of ${run.steps.length} steps`

const resumeButton = (run, again) =>
  run.status === 'parked' &&
  changing('Resume', {
    kind: 'small primary',
    'data-key': `resume-${run.id}`,
    'aria-label': `Resume the setup of ${run.hotelName}`,
    on: { click: () => resume(run, again) },
  })

/** One run: its kind, its progress and the result of each step. */
export const runRow = (run, again) =>
  h(
    'article',
    { class: `run ${run.status}`, 'aria-label': `${kindOf(run)} of ${run.hotelName}` },
    h(
      'header',
      {},
      h(
        'h3',
        {},
        h(
          'button',
          { type: 'button', class: 'link', 'data-key': `run-${run.id}`, on: { click: () => runSheet(run, again) } },
          run.hotelName,
        ),
      ),
      statusOf(run),
      h('span', { class: 'quiet' }, `${kindOf(run)} · ${stepsOf(run)} · `, when(run.updatedAt)),
      resumeButton(run, again),
    ),
    h(
      'ol',
      { class: 'steps' },
      run.steps.map(step =>
        h(
          'li',
          { class: stepTones[step.status] ?? 'none' },
          h('span', { class: 'step-mark', 'aria-hidden': 'true' }),
          h('span', { class: 'step-name' }, step.name),
          h('span', { class: 'step-state' }, step.status),
        ),
      ),
    ),
    run.error && h('p', { class: 'run-error' }, icon('alert'), run.error),
  )

async function resume(run, again) {
  const isDone = await confirm(
    {
      title: `Resume ${run.hotelName}?`,
      text: 'The run continues at the step that failed. Fix the cause first; otherwise the run is parked again.',
      action: 'Resume',
    },
    () => call('POST', `/hotel/setups/${run.id}/resume`),
  )
  if (isDone) toast(`Resumed the run of ${run.hotelName}.`)
  again()
}

const took = ({ startedAt, finishedAt }) =>
  startedAt && finishedAt ? Math.max(0, new Date(finishedAt) - new Date(startedAt)) : undefined

/** The steps of a run with their times. */
const stepTable = run =>
  table(
    `Steps of ${kindOf(run)}, ${format.time(run.createdAt)}`,
    [
      { head: 'Step', cell: one => `${one.position}. ${one.name}` },
      { head: 'Duration', cell: one => format.ms(took(one)), number: true },
      { head: 'Status', cell: one => badge(one.status, stepTones[one.status]) },
      { head: `Started (${format.zone})`, cell: one => format.exactTime(one.startedAt) },
      { head: 'Attempts', cell: one => format.count(one.attempts), number: true, minor: true },
      ...(run.steps.some(({ error }) => error) ? [{ head: 'Error', cell: one => one.error ?? '', wide: true }] : []),
    ],
    run.steps,
    { isDense: true },
  )

/** A run with its error and its steps. */
export const runDetails = (run, again) => [
  facts([
    ['Run', h('code', {}, run.id)],
    ['Kind', kindOf(run)],
    ['Status', statusOf(run)],
    ['Started', format.time(run.createdAt)],
    ['Updated', format.time(run.updatedAt)],
    ['Error', run.error],
  ]),
  resumeButton(run, again),
  stepTable(run),
]

export const runSheet = (run, again) =>
  sheet(run.hotelName, () => [
    h('p', {}, h('a', { href: `#/hotels/${run.hotelId}` }, 'Page of this hotel')),
    runDetails(run, again),
  ])
