import { get } from '../api.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { part } from '../part.js'
import { runDetails } from '../runs.js'
import { badge, card, empty, facts, figure, problem, skeleton, table, when } from '../widgets.js'
import { auditTable } from './audit.js'
import { eventRow } from './events.js'

/** One hotel: people, subscription, set-up, notifications, events and audit. */
export function hotel({ id, entitle, again }) {
  const parts = ['about', 'figures', 'people', 'subscription', 'setup', 'notifications', 'events', 'audit']
  const places = Object.fromEntries(
    parts.map(name => [name, h('div', { class: name === 'figures' ? 'figures four' : '' }, skeleton(2))]),
  )
  const node = h(
    'div',
    { class: 'stack' },
    h('p', {}, h('a', { href: '#/hotels' }, 'All hotels')),
    places.figures,
    h(
      'div',
      { class: 'columns' },
      card('Hotel', {}, places.about),
      card('Subscription', { hint: 'Of the payment provider’s customer' }, places.subscription),
    ),
    h(
      'div',
      { class: 'columns' },
      card('Administrators', { hint: 'Of the hotel or its workspace' }, places.people),
      card('Notifications, 7 days', { hint: 'In the hotel’s workspace, by receiver' }, places.notifications),
    ),
    card('Setup', { hint: 'Runs of this hotel, newest first, with the time of each step' }, places.setup),
    card(
      'Latest events',
      { extra: h('a', { href: `#/events?about=${id}` }, 'All events of this hotel') },
      places.events,
    ),
    card('Audit', { hint: 'Changes of rights in the hotel’s workspace' }, places.audit),
  )

  async function refresh() {
    const found = await part(get(`/hotel/get/${encodeURIComponent(id)}`))
    const { workspace, payment_customer_id: customer } = found.answer ?? {}
    // Without the hotel, its workspace and customer are unknown, not missing.
    const ofHotel = asking => (found.error ? { error: found.error } : part(asking))
    const members = `/members/get/by/hotel_id/${encodeURIComponent(id)}`
    const [runs, people, administrators, subscription, sent, latest, entries] = await Promise.all([
      part(get('/hotel/setups', { hotelId: id, limit: 5 })),
      part(get(members, { limit: 1 })),
      part(get(members, { isAdmin: true, limit: 20 })),
      ofHotel(customer && get(`/sub/customer/${encodeURIComponent(customer)}`)),
      ofHotel(workspace && get('/api/v1/analytics/notifications', { workspaceId: workspace, period: '7d' })),
      part(get('/console/api/events', { about: [id, workspace], limit: 10 })),
      ofHotel(workspace && get(`/audit/workspace/${workspace}`, { limit: 10 })),
    ])
    entitle(found.answer?.name ?? runs.answer?.data[0]?.hotelName ?? 'Hotel')
    fill(places.about, shown(found, about, empty('Not found', 'It was deleted, or its setup isn’t complete.')))
    fill(places.figures, keyFigures({ found, people, administrators, subscription, sent, runs }))
    fill(places.people, shown(administrators, administratorTable, empty('No administrators')))
    fill(places.subscription, shown(subscription, subscriptionFacts, empty('No subscription')))
    fill(places.notifications, shown(sent, notificationTable, empty('No workspace')))
    fill(
      places.setup,
      shown(runs, ({ data }) =>
        data.length > 0
          ? data.map(run => h('div', { class: 'run' }, runDetails(run, again)))
          : empty('No runs', 'Runs are kept for some months.'),
      ),
    )
    fill(
      places.events,
      shown(latest, answer => eventList(answer, id)),
    )
    fill(
      places.audit,
      shown(entries, answer => auditOf(answer, workspace), empty('No workspace')),
    )
  }
  return { node, refresh }
}

const shown = ({ answer, error }, draw, without) => (error ? problem(error) : answer ? draw(answer) : without)

const about = one =>
  facts([
    ['Id', h('code', {}, one.id)],
    ['Workspace', one.workspace && h('code', {}, one.workspace)],
    ['State', one.isActive ? badge('active', 'good') : badge('inactive', 'warn')],
    ['Address', [one.address, one.city, one.country].filter(Boolean).join(', ')],
    ['Group', one.group?.name],
    ['Type', one.type?.name],
    ['Phone', one.phone],
    ['E-mail', one.email],
    ['Website', one.website],
    ['Time zone', one.settings?.timezone],
    ['Currency', one.settings?.currency],
    ['Chat', one.chat_app_id ? h('code', {}, one.chat_app_id) : 'none'],
    ['Trial ends', one.trialEndsAt && format.time(one.trialEndsAt)],
  ])

const orAway = ({ error }, note) => (error ? 'not available' : note)

function keyFigures({ found, people, administrators, subscription, sent, runs }) {
  const known = subscription.answer?.status ?? found.answer?.subscription_status
  const status = known ?? (subscription.error ? format.none : 'none')
  const [run] = runs.answer?.data ?? []
  const { email, push } = sent.answer?.byChannel ?? {}
  const [handed, accepted] = ['sent', 'delivered'].map(of => (email?.[of] ?? 0) + (push?.[of] ?? 0))
  return [
    figure({
      label: 'Members',
      value: format.count(people.answer?.meta.total),
      note: orAway(administrators, format.many(administrators.answer?.meta.total ?? 0, 'administrator')),
    }),
    figure({
      label: 'Subscription',
      value: status,
      note: orAway(subscription, subscription.answer ? `plan ${subscription.answer.plan}` : ''),
      tone: status === 'inactive' ? 'warn' : '',
    }),
    figure({
      label: 'Last run',
      value: run ? run.status : format.none,
      note: orAway(runs, run ? h('span', {}, when(run.updatedAt)) : ''),
      tone: run?.status === 'parked' ? 'warn' : '',
    }),
    figure({
      label: 'Sent, 7 days',
      value: sent.error ? format.none : format.short(handed),
      note: orAway(
        sent,
        handed > 0 ? `${format.percent(accepted / handed)} of mails and pushes accepted` : 'no mails or pushes',
      ),
    }),
  ]
}

const administratorTable = ({ data, meta }) =>
  data.length === 0
    ? empty('No administrators')
    : [
        table('Administrators', administratorColumns, data),
        meta.total > data.length && h('p', { class: 'hint' }, `${format.count(meta.total - data.length)} more`),
      ]

const administratorColumns = [
  { head: 'Name', cell: one => [one.firstName, one.lastName].filter(Boolean).join(' ') || format.none, wide: true },
  { head: 'E-mail', cell: one => one.email, wide: true },
  { head: 'Role', cell: one => one.role },
  {
    head: 'State',
    cell: one =>
      one.userId
        ? badge(one.isActive ? 'active' : 'inactive', one.isActive ? 'good' : 'warn')
        : badge('not signed up', 'quiet'),
  },
]

const subscriptionFacts = one =>
  facts([
    ['Status', badge(one.status, one.status === 'active' ? 'good' : one.status === 'trial' ? 'info' : 'warn')],
    ['Plan', one.plan],
    ['Id', h('code', {}, one.id)],
    ['Customer', h('code', {}, one.customer_id)],
    ['Trial ends', one.trialEndsAt && format.time(one.trialEndsAt)],
    ['Period ends', one.currentPeriodEndsAt && format.time(one.currentPeriodEndsAt)],
    ['Cancelled', one.cancelledAt && format.time(one.cancelledAt)],
    ['At its end', one.cancelAtPeriodEnd ? 'ends with the period' : undefined],
    ['Since', format.time(one.createdAt)],
  ])

const notificationTable = ({ byChannel, read }) => [
  table(
    'Notifications by channel',
    [
      { head: 'Channel', cell: ([, text]) => text },
      { head: 'Sent', cell: ([name]) => format.count(byChannel[name].sent), number: true },
      {
        head: 'Accepted',
        cell: ([name]) => (name === 'socket' ? format.none : format.count(byChannel[name].delivered)),
        number: true,
      },
    ],
    [
      ['email', 'E-mail'],
      ['push', 'Push'],
      ['socket', 'Socket'],
    ],
  ),
  h('p', { class: 'hint' }, `${format.count(read)} read. Accepted: taken by the provider, which reports no delivery.`),
]

const eventList = ({ data, from, first }, id) =>
  data.length > 0
    ? h('ul', { class: 'feed', 'aria-label': 'Events of this hotel' }, data.map(eventRow))
    : empty(
        'No events',
        from > first
          ? h('span', {}, 'None among the latest. ', h('a', { href: `#/events?about=${id}` }, 'Search older ones'))
          : 'None among all stored events.',
      )

const auditOf = ({ data, meta }, workspace) =>
  data.length === 0
    ? empty('No entries', 'No rights have changed yet.')
    : [
        auditTable(data),
        meta.total > data.length &&
          h(
            'p',
            { class: 'below' },
            h('a', { href: `#/audit?workspace=${workspace}` }, `All ${format.count(meta.total)}`),
          ),
      ]
