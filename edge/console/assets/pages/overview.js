import { get } from '../api.js'
import { fill, h, icon } from '../dom.js'
import * as format from '../format.js'
import { part } from '../part.js'
import { card, dot, empty, figure, skeleton, table } from '../widgets.js'
import { sumOf } from './deliveries.js'
import { eventRow } from './events.js'

/** One screen: problems, key figures, latest events, services and consumers. */
export function overview() {
  const banner = h('div', {}, skeleton(1))
  const figures = h('div', { class: 'figures' }, skeleton(3))
  const services = h('div', {}, skeleton())
  const events = h('div', {}, skeleton())
  const consumers = h('div', {}, skeleton())
  const node = h(
    'div',
    { class: 'stack' },
    banner,
    figures,
    h(
      'div',
      { class: 'columns uneven' },
      card('Latest events', { extra: h('a', { href: '#/events' }, 'All events') }, events),
      card('Services', {}, services),
    ),
    card('Consumers', { hint: 'Durable consumers of the event stream, across all processes' }, consumers),
  )

  async function refresh(status) {
    const asked = {
      hotels: get('/hotel/get/all', { limit: 1 }),
      parked: get('/hotel/setups', { status: 'parked', limit: 1 }),
      running: get('/hotel/setups', { status: 'running', limit: 1 }),
      sessions: get('/sessions', { isActive: true, limit: 1 }),
      sent: get('/api/v1/deliveries/statistics', { hours: 24 }),
      latest: get('/console/api/events', { limit: 7 }),
    }
    const answers = await Promise.all(Object.values(asked).map(part))
    const [hotels, parked, running, sessions, sent, latest] = answers.map(({ answer }) => answer)
    const unread = Object.keys(asked).filter((_, at) => answers[at].error)
    const { bus } = status
    const setups = { parked: parked?.meta.total, running: running?.meta.total }
    fill(banner, state(status, setups, unread))
    fill(figures, keyFigures({ bus, latest, hotels: hotels?.meta.total, setups, sessions: sessions?.meta.total, sent }))
    fill(
      services,
      status.services.map(({ name, up }) => line(names[name], up ? '' : 'not responding', up)),
      line('Message broker', bus.connected ? '' : 'disconnected', bus.connected),
    )
    fill(
      events,
      !latest
        ? empty('Not available')
        : latest.data.length > 0
          ? h('ul', { class: 'feed', 'aria-label': 'Latest events' }, latest.data.map(eventRow))
          : empty('No events yet', 'New events appear here.'),
    )
    fill(
      consumers,
      bus.consumers.length > 0
        ? table('Consumers', consumerColumns, bus.consumers)
        : empty(bus.connected ? 'No consumers' : 'The message broker is disconnected'),
    )
  }
  return { node, refresh }
}

const names = {
  auth: 'Authentication',
  member: 'Members',
  hotel: 'Hotels',
  media: 'Media',
  news: 'News',
  notification: 'Notifications',
  payment: 'Payments',
}

const line = (name, note, isUp) =>
  h(
    'p',
    { class: 'line' },
    dot(isUp ? 'good' : 'bad', isUp ? 'up' : 'down'),
    h('span', {}, name),
    h('span', { class: 'quiet' }, note),
  )

/** More pending messages are a problem. */
const maxPending = 1_000

const consumerColumns = [
  { head: 'Consumer', cell: one => one.durable },
  {
    head: 'Pending',
    cell: one => h('span', { class: one.waiting > maxPending ? 'bad-text' : '' }, format.short(one.waiting)),
    number: true,
  },
  { head: 'In progress', cell: one => format.short(one.delivered), number: true },
  { head: 'Redelivered', cell: one => format.short(one.redelivered), number: true },
]

const pendingMessages = ({ consumers }) => consumers.reduce((sum, one) => sum + one.waiting, 0)

/** What a figure of the overview is called when its route fails. */
const figureNames = {
  hotels: 'hotels',
  parked: 'parked setups',
  running: 'running setups',
  sessions: 'sessions',
  sent: 'deliveries',
  latest: 'latest events',
}

/** Everything that needs attention, or that nothing does. */
function state({ services, bus }, setups, unread) {
  const down = services.filter(({ up }) => !up).map(({ name }) => names[name])
  const pending = pendingMessages(bus)
  const wants = [
    down.length > 0 && ['bad', `${down.join(', ')} not responding`],
    !bus.connected && ['bad', 'Message broker disconnected: events are queued in the databases'],
    setups.parked > 0 && ['warn', format.many(setups.parked, 'parked setup'), '#/hotels?status=parked'],
    unread.length > 0 && ['bad', `Not available: ${unread.map(one => figureNames[one]).join(', ')}`],
    bus.dead > 0 && ['warn', format.many(bus.dead, 'dead letter'), '#/dead-letters'],
    pending > maxPending && ['warn', `${format.short(pending)} pending messages`],
  ].filter(Boolean)
  const tone = wants.some(([one]) => one === 'bad') ? 'bad' : wants.length > 0 ? 'warn' : 'good'
  const title = { good: 'All systems operational', warn: 'Needs attention', bad: 'Service disruption' }[tone]
  return h(
    'section',
    { class: `banner ${tone}`, 'aria-label': 'Platform status' },
    icon(tone === 'good' ? 'check' : 'alert'),
    h(
      'div',
      {},
      h('h2', {}, title),
      wants.length === 0 && h('p', {}, 'All services are up, and nothing needs your attention.'),
    ),
    wants.length > 0 &&
      h(
        'ul',
        {},
        wants.map(([, text, href]) => h('li', {}, href ? h('a', { href }, text) : text)),
      ),
  )
}

function keyFigures({ bus, latest, hotels, setups, sessions, sent }) {
  const provided = sent && sumOf(sent, ['email', 'push'])
  return [
    figure({ label: 'Events', value: format.short(latest?.last), note: 'published so far', href: '#/events' }),
    figure({
      label: 'Pending messages',
      value: bus.connected ? format.short(pendingMessages(bus)) : format.none,
      note: bus.dead > 0 ? format.many(bus.dead, 'dead letter') : 'no dead letters',
      tone: bus.dead > 0 ? 'warn' : '',
      href: '#/dead-letters',
    }),
    figure({
      label: 'Sent, 24 hours',
      value: format.short(provided?.sent),
      note: !provided
        ? 'not available'
        : provided.sent > 0
          ? `${format.percent(provided.accepted / provided.sent)} of mails and pushes accepted`
          : 'no mails or pushes',
      href: '#/deliveries',
    }),
    figure({
      label: 'Hotels',
      value: format.count(hotels),
      note:
        setups.parked === undefined
          ? 'setups not available'
          : setups.parked > 0
            ? format.many(setups.parked, 'parked setup')
            : setups.running > 0
              ? format.many(setups.running, 'setup in progress', 'setups in progress')
              : 'no setup in progress',
      tone: setups.parked > 0 ? 'warn' : '',
      href: '#/hotels',
    }),
    figure({ label: 'Active sessions', value: format.short(sessions), note: 'signed in now', href: '#/sessions' }),
  ]
}
