import { get } from '../api.js'
import { chart } from '../charts/chart.js'
import { spark } from '../charts/draw.js'
import { fill, h, icon } from '../dom.js'
import * as format from '../format.js'
import { part } from '../part.js'
import { names, published, waiting } from '../status.js'
import { card, dot, empty, figure, skeleton } from '../widgets.js'
import { inHours, sumOf } from './deliveries.js'
import { eventRow } from './events.js'

/** One screen: problems, key figures, an hour of traffic, and the latest events. */
export function overview() {
  const banner = h('div', {}, skeleton(1))
  const figures = h('div', { class: 'figures' }, skeleton(3))
  const calls = chart({ label: 'Calls per second', show: format.rate })
  const times = chart({ label: 'Response times', show: format.ms })
  const services = h('div', {}, skeleton())
  const events = h('div', {}, skeleton())
  const node = h(
    'div',
    { class: 'stack' },
    banner,
    figures,
    h(
      'div',
      { class: 'columns' },
      card('Calls per second', { hint: 'RPCs of all services, last hour' }, calls.node),
      card('Response times', { hint: 'Estimated from histogram buckets' }, times.node),
    ),
    h(
      'div',
      { class: 'columns uneven' },
      card('Latest events', { extra: h('a', { href: '#/events' }, 'All events') }, events),
      card('Services', { extra: h('a', { href: '#/services' }, 'Details') }, services),
    ),
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
    const { samples, sampleSeconds, bus } = status
    const setups = { parked: parked?.meta.total, running: running?.meta.total }
    const perSecond = of => samples.map(({ total }) => of(total) / sampleSeconds)
    fill(banner, state(status, setups, unread))
    fill(figures, keyFigures({ status, hotels: hotels?.meta.total, setups, sessions: sessions?.meta.total, sent }))
    calls.update({
      times: samples.map(({ at }) => at),
      series: [
        { name: 'Calls', tone: '1', values: perSecond(one => one.calls), fill: true },
        { name: 'Failures', tone: 'bad', values: perSecond(one => one.faults) },
      ],
    })
    times.update({
      times: samples.map(({ at }) => at),
      series: [
        { name: 'p99', tone: '3', values: samples.map(({ total }) => total.p99) },
        { name: 'p50', tone: '2', values: samples.map(({ total }) => total.p50) },
      ],
    })
    fill(
      services,
      serviceList(status),
      h(
        'p',
        { class: 'line' },
        dot(bus.connected ? 'good' : 'bad', bus.connected ? 'up' : 'down'),
        h('span', {}, 'Message broker'),
        h('span', { class: 'quiet' }, bus.connected ? 'connected' : 'disconnected'),
      ),
    )
    fill(
      events,
      !latest
        ? empty('Not available')
        : latest.data.length > 0
          ? h('ul', { class: 'feed', 'aria-label': 'Latest events' }, latest.data.map(eventRow))
          : empty('No events yet', 'New events appear here.'),
    )
  }
  return { node, refresh }
}

const serviceList = ({ services }) =>
  services.map(({ name, up, p99 }) =>
    h(
      'p',
      { class: 'line' },
      dot(up ? 'good' : 'bad', up ? 'up' : 'down'),
      h('span', {}, names[name]),
      h('span', { class: 'quiet' }, up ? (p99 === null ? 'idle' : `p99 ${format.ms(p99)}`) : 'not responding'),
    ),
  )

/** Fewer calls are too few for a share or a percentile. */
const enoughCalls = 20
const slowMs = 2_000

/** Failing and slow calls of the counted time, by service. */
function callProblems({ services, countedSeconds }) {
  const span = `in ${format.duration(countedSeconds * 1_000)}`
  const failing = services.filter(({ faults }) => faults > 0)
  const slow = services.filter(({ calls, p99 }) => calls >= enoughCalls && p99 > slowMs)
  const [faults, calls] = ['faults', 'calls'].map(of => failing.reduce((sum, one) => sum + one[of], 0))
  const isMany = calls >= enoughCalls && faults / calls > 0.05
  const listed = all => all.map(({ name }) => names[name]).join(', ')
  return [
    failing.length > 0 && [
      isMany ? 'bad' : 'warn',
      `${format.many(faults, 'failed call')} ${span}: ${listed(failing)}`,
      '#/services',
    ],
    slow.length > 0 && [
      'warn',
      `Slow calls, p99 ${format.ms(Math.max(...slow.map(({ p99 }) => p99)))} ${span}: ${listed(slow)}`,
      '#/services',
    ],
  ]
}

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
function state(status, setups, unread) {
  const { services, bus, samples } = status
  const down = services.filter(({ up }) => !up).map(({ name }) => names[name])
  const behind = waiting(samples.at(-1) ?? {})
  const wants = [
    down.length > 0 && ['bad', `${down.join(', ')} not responding`, '#/services'],
    !bus.connected && ['bad', 'Message broker disconnected: events are queued in the databases', '#/services'],
    setups.parked > 0 && ['warn', format.many(setups.parked, 'parked setup'), '#/hotels?status=parked'],
    unread.length > 0 && ['bad', `Not available: ${unread.map(one => figureNames[one]).join(', ')}`, '#/services'],
    ...callProblems(status),
    bus.dead > 0 && ['warn', format.many(bus.dead, 'dead letter'), '#/dead-letters'],
    behind > 1_000 && ['warn', `${format.short(behind)} pending messages`, '#/services'],
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
        wants.map(([, text, href]) => h('li', {}, h('a', { href }, text))),
      ),
  )
}

function keyFigures({ status, hotels, setups, sessions, sent }) {
  const { samples, sampleSeconds, bus } = status
  const last = samples.at(-1)
  const hours = sent ? inHours({ ...sent, data: sent.data.filter(({ channel }) => channel !== 'socket') }) : []
  const provided = sent && sumOf(sent, ['email', 'push'])
  const events = published(samples)
  const behind = samples.map(waiting)
  return [
    figure({
      label: 'Calls per second',
      value: format.rate(last ? last.total.calls / sampleSeconds : null),
      note: last?.total.p99 === null || !last ? 'no calls' : `p99 ${format.ms(last.total.p99)}`,
      spark: spark(samples.map(({ total: one }) => one.calls)),
      href: '#/services',
    }),
    figure({
      label: 'Events per second',
      value: format.rate(events.findLast(one => one !== null)),
      note: `${format.short(last?.published)} total`,
      spark: spark(events, '2'),
      href: '#/events',
    }),
    figure({
      label: 'Pending messages',
      value: format.short(behind.at(-1)),
      note: bus.dead > 0 ? format.many(bus.dead, 'dead letter') : 'no dead letters',
      tone: bus.dead > 0 ? 'warn' : '',
      spark: spark(behind, '3'),
      href: bus.dead > 0 ? '#/dead-letters' : '#/services',
    }),
    figure({
      label: 'Sent, 24 hours',
      value: format.short(provided?.sent),
      note: !provided
        ? 'not available'
        : provided.sent > 0
          ? `${format.percent(provided.accepted / provided.sent)} of mails and pushes accepted`
          : 'no mails or pushes',
      spark: spark(
        hours.map(({ total: one }) => one),
        '4',
      ),
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
