import { call, get } from './api.js'
import { confirm, sheet, toast } from './dialogs.js'
import { fill, h, icon } from './dom.js'
import * as format from './format.js'
import { badge, button, card, choice, empty, facts, pager, skeleton, table, when } from './widgets.js'

const tones = { completed: 'good', running: 'info', undoing: 'warn', undone: 'quiet', parked: 'bad' }
const stepTones = { done: 'good', started: 'info', failed: 'bad', undoing: 'warn', undone: 'quiet', pending: 'none' }
const kinds = { create: 'Setup', delete: 'Deletion', restore: 'Restore', rename: 'Rename', chat: 'Chat' }
const statuses = [
  ['', 'All'],
  ['running', 'Running'],
  ['parked', 'Parked'],
  ['undoing', 'Undoing'],
  ['undone', 'Undone'],
  ['completed', 'Completed'],
]

/** Hotels, and the runs that set them up or delete them, step by step. */
export function hotels({ query, go, again }) {
  let filter = { status: query.get('status') ?? '', hotelId: query.get('hotel') ?? '', page: 1 }
  let hotelPage = 1
  const runs = h('div', {}, skeleton())
  const list = h('div', {}, skeleton())
  const change = next => {
    filter = { ...filter, page: 1, ...next }
    go('hotels', { status: filter.status, hotel: filter.hotelId })
    again()
  }
  const only = h('div', { class: 'filters' })
  const node = h(
    'div',
    { class: 'stack' },
    card(
      'Setups',
      { hint: 'Durable runs: each step is recorded before it runs, and undone if a later one fails', extra: only },
      runs,
    ),
    card('Hotels', {}, list),
  )

  async function refresh() {
    const [setups, all] = await Promise.all([
      get('/hotel/setups', { status: filter.status, hotelId: filter.hotelId, page: filter.page, limit: 8 }),
      get('/hotel/get/all', { page: hotelPage, limit: 20 }),
    ])
    if (!only.contains(document.activeElement))
      fill(
        only,
        filter.hotelId && button('All hotels', { kind: 'small', on: { click: () => change({ hotelId: '' }) } }),
        choice('Status', statuses, filter.status, status => change({ status })),
      )
    fill(
      runs,
      setups.data.length === 0
        ? empty(
            'No runs',
            filter.status || filter.hotelId
              ? 'Nothing matches the filter.'
              : 'A run appears here when a hotel is set up.',
          )
        : setups.data.map(run => runRow(run, again)),
      pager(setups.meta, page => change({ page })),
    )
    fill(
      list,
      all.data.length === 0
        ? empty('No hotels yet', 'Create one with POST /hotel/add.')
        : table('Hotels', hotelColumns, all.data, {
            key: one => one.id,
            onRow: one => change({ hotelId: one.id, status: '' }),
          }),
      pager(all.meta, page => {
        hotelPage = page
        again()
      }),
    )
  }
  return { node, refresh }
}

const hotelColumns = [
  { head: 'Hotel', cell: one => one.name, wide: true },
  { head: 'Location', cell: one => [one.city, one.country].filter(Boolean).join(', ') || format.none, wide: true },
  { head: 'Group', cell: one => one.group?.name ?? format.none, minor: true, wide: true },
  {
    head: 'Subscription',
    cell: one => badge(one.subscription_status ?? 'none', one.subscription_status === 'active' ? 'good' : 'quiet'),
  },
  { head: 'Chat', cell: one => (one.chat_app_id ? badge('ready', 'good') : badge('none')) },
  { head: 'State', cell: one => (one.isActive ? badge('active', 'good') : badge('inactive', 'warn')) },
]

/** One run: its kind, its progress and the result of each step. */
function runRow(run, again) {
  const done = run.steps.filter(({ status }) => status === 'done').length
  const resume = button('Resume', {
    kind: 'small primary',
    'data-key': `resume-${run.id}`,
    'aria-label': `Resume the setup of ${run.hotelName}`,
    on: { click: () => resumed(run, again) },
  })
  return h(
    'article',
    { class: `run ${run.status}`, 'aria-label': `${kinds[run.kind] ?? run.kind} of ${run.hotelName}` },
    h(
      'header',
      {},
      h(
        'h3',
        {},
        h(
          'button',
          { type: 'button', class: 'link', 'data-key': `run-${run.id}`, on: { click: () => details(run) } },
          run.hotelName,
        ),
      ),
      badge(run.status, tones[run.status]),
      h(
        'span',
        { class: 'quiet' },
        `${kinds[run.kind] ?? run.kind} · ${done} of ${run.steps.length} steps · `,
        when(run.updatedAt),
      ),
      run.status === 'parked' && resume,
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
}

async function resumed(run, again) {
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

const details = run =>
  sheet(run.hotelName, () => [
    facts([
      ['Run', h('code', {}, run.id)],
      ['Hotel', h('code', {}, run.hotelId)],
      ['Kind', kinds[run.kind] ?? run.kind],
      ['Status', badge(run.status, tones[run.status])],
      ['Started', format.time(run.createdAt)],
      ['Updated', format.time(run.updatedAt)],
      ['Error', run.error],
    ]),
    h('h3', {}, 'Steps'),
    table(
      'Steps',
      [
        { head: '#', cell: one => one.position, number: true },
        { head: 'Step', cell: one => one.name },
        { head: 'Status', cell: one => badge(one.status, stepTones[one.status]) },
        { head: 'Attempts', cell: one => one.attempts, number: true },
        {
          head: 'Duration',
          cell: one =>
            one.startedAt && one.finishedAt
              ? format.ms(Math.max(0, new Date(one.finishedAt) - new Date(one.startedAt)))
              : format.none,
          number: true,
        },
        { head: 'Error', cell: one => one.error ?? '', wide: true },
      ],
      run.steps,
    ),
  ])
