import { call, get } from '../api.js'
import { confirm, toast } from '../dialogs.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { badge, card, changing, empty, input, pager, segments, skeleton, table, when } from '../widgets.js'

/** Active sessions, with their origin and start. */
export function sessions({ again }) {
  let filter = { state: 'true', email: '', page: 1 }
  const list = h('div', {}, skeleton(6))
  const change = next => {
    filter = { ...filter, page: 1, ...next }
    again()
  }
  const tools = h(
    'div',
    { class: 'filters' },
    input('E-mail', { placeholder: 'hotel.example' }, email => change({ email })),
    segments(
      'State',
      [
        ['true', 'Active'],
        ['false', 'Ended'],
        ['', 'All'],
      ],
      filter.state,
      state => change({ state }),
    ),
  )
  const node = h(
    'div',
    { class: 'stack' },
    card('Sessions', { hint: 'Last used first. The filter matches a part of the address.', extra: tools }, list),
  )

  async function refresh() {
    const { data, meta } = await get('/sessions', {
      isActive: filter.state,
      email: filter.email,
      page: filter.page,
      limit: 20,
    })
    fill(
      list,
      data.length > 0 ? table('Sessions', columns(again), data) : empty('No sessions', 'Nothing matches the filter.'),
      pager('sessions', meta, page => change({ page })),
    )
  }
  return { node, refresh }
}

const device = ({ deviceInfo }) =>
  [deviceInfo?.device, deviceInfo?.os].filter(Boolean).join(' · ') ||
  (deviceInfo?.userAgent ?? '').split(/[ /]/)[0] ||
  format.none

const columns = again => [
  { head: 'Account', wide: true, cell: one => one.email ?? (one.memberId ? h('code', {}, one.memberId) : format.none) },
  { head: 'Version', cell: one => (one.appType ? badge(`legacy ${one.appType}`, 'warn') : badge('modern')) },
  { head: 'Device', cell: device },
  { head: 'Address', cell: one => one.deviceInfo?.ip ?? format.none, minor: true },
  { head: 'Signed in', cell: one => when(one.createdAt), minor: true },
  { head: 'Last used', cell: one => when(one.lastActivity) },
  {
    head: 'State',
    cell: one => (one.isCurrent ? badge('current', 'info') : one.isActive ? badge('active', 'good') : badge('ended')),
  },
  {
    head: 'Action',
    acts: true,
    cell: one =>
      one.isActive &&
      !one.isCurrent &&
      changing('End', {
        kind: 'small danger',
        'data-key': `end-${one.id}`,
        'aria-label': `End the session of ${one.email ?? one.memberId ?? one.id}`,
        on: { click: () => end(one, again) },
      }),
  },
]

async function end(session, again) {
  const whose = session.email ?? 'this account'
  const isDone = await confirm(
    {
      title: 'End this session?',
      text: `${whose} is signed out on ${device(session)}. Its tokens are revoked immediately.`,
      action: 'End session',
      tone: 'danger',
    },
    () => call('DELETE', `/sessions/${session.id}`),
  )
  if (isDone) toast(`Ended the session of ${whose}.`)
  again()
}
