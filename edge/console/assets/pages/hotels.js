import { get } from '../api.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { kindOf, runRow, runSheet, statusOf, stepsOf } from '../runs.js'
import { badge, card, choice, empty, input, pager, skeleton, table, when } from '../widgets.js'

const open = ['parked', 'undoing', 'running']
const statuses = [
  ['', 'All'],
  ['running', 'Running'],
  ['parked', 'Parked'],
  ['undoing', 'Undoing'],
  ['undone', 'Undone'],
  ['completed', 'Completed'],
]
const runsShown = 8

/** Open runs, hotels, and the runs that set hotels up or deleted them. */
export function hotels({ query, go, again }) {
  let filter = { search: query.get('search') ?? '', status: query.get('status') ?? '' }
  let pages = { hotels: 1, runs: 1 }
  const current = h('div', {})
  const list = h('div', {}, skeleton())
  const runs = h('div', {}, skeleton())
  const change = (next, toPages = {}) => {
    filter = { ...filter, ...next }
    pages = { ...pages, ...toPages }
    go('hotels', filter)
    again()
  }
  const search = input('Search', { value: filter.search, placeholder: 'name or id' }, text =>
    change({ search: text }, { hotels: 1 }),
  )
  const status = choice('Status', statuses, filter.status, chosen => change({ status: chosen }, { runs: 1 }))
  const node = h(
    'div',
    { class: 'stack' },
    current,
    card('Hotels', { extra: h('div', { class: 'filters' }, search) }, list),
    card(
      'Setups and deletions',
      {
        hint: 'Durable runs: each step is recorded before it runs, and undone if a later one fails',
        extra: h('div', { class: 'filters' }, status),
      },
      runs,
    ),
  )

  async function refresh() {
    const [all, history, ...unfinished] = await Promise.all([
      get('/hotel/get/all', { search: filter.search, page: pages.hotels, limit: 20 }),
      get('/hotel/setups', { status: filter.status, page: pages.runs, limit: 10 }),
      ...open.map(one => get('/hotel/setups', { status: one, limit: runsShown })),
    ])
    drawCurrent(unfinished)
    fill(
      list,
      all.data.length > 0
        ? table('Hotels', hotelColumns, all.data, { key: one => one.id, href: one => `#/hotels/${one.id}` })
        : filter.search
          ? empty('No hotels', 'No name contains this text, and no hotel has it as its id.')
          : empty('No hotels yet', 'Create one with POST /hotel/add.'),
      pager('hotels', all.meta, to => change({}, { hotels: to })),
    )
    fill(
      runs,
      history.data.length > 0
        ? table('Runs', runColumns, history.data, { key: one => one.id, onRow: one => runSheet(one, again) })
        : empty('No runs', filter.status ? 'Nothing matches the filter.' : 'A run appears when a hotel is set up.'),
      pager('runs', history.meta, to => change({}, { runs: to })),
    )
  }

  function drawCurrent(unfinished) {
    const shown = unfinished.flatMap(({ data }) => data).slice(0, runsShown)
    const total = unfinished.reduce((sum, { meta }) => sum + meta.total, 0)
    fill(
      current,
      shown.length > 0 &&
        card(
          'In progress',
          { hint: 'Parked runs wait for you: fix the cause, then resume' },
          shown.map(run => runRow(run, again)),
          total > shown.length && h('p', { class: 'hint' }, `${format.count(total - shown.length)} more below`),
        ),
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

const runColumns = [
  { head: 'Hotel', cell: one => one.hotelName, wide: true },
  { head: 'Kind', cell: kindOf },
  { head: 'Status', cell: statusOf },
  { head: 'Progress', cell: stepsOf },
  { head: 'Updated', cell: one => when(one.updatedAt) },
]
