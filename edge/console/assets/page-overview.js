import { get } from './api.js'
import { chart } from './chart.js'
import { spark } from './chart-draw.js'
import { fill, h, icon } from './dom.js'
import * as format from './format.js'
import { inHours } from './page-deliveries.js'
import { eventRow } from './page-events.js'
import { names, published, waiting } from './status.js'
import { card, dot, empty, figure, skeleton } from './widgets.js'

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
    const [hotels, parked, running, sessions, sent, latest] = await Promise.all([
      get('/hotel/get/all', { limit: 1 }),
      get('/hotel/setups', { status: 'parked', limit: 1 }),
      get('/hotel/setups', { status: 'running', limit: 1 }),
      get('/sessions', { isActive: true, limit: 1 }),
      get('/api/v1/deliveries/statistics', { hours: 24 }),
      get('/console/api/events', { limit: 7 }),
    ])
    const { samples, sampleSeconds, bus } = status
    const setups = { parked: parked.meta.total, running: running.meta.total }
    const perSecond = of => samples.map(({ total }) => of(total) / sampleSeconds)
    fill(banner, state(status, setups))
    fill(figures, keyFigures({ status, hotels: hotels.meta.total, setups, sessions: sessions.meta.total, sent }))
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
      latest.data.length > 0
        ? h('ul', { class: 'feed' }, latest.data.map(eventRow))
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

/** Everything that needs attention, or that nothing does. */
function state({ services, bus, samples }, setups) {
  const down = services.filter(({ up }) => !up).map(({ name }) => names[name])
  const behind = waiting(samples.at(-1) ?? {})
  const wants = [
    down.length > 0 && ['bad', `${down.join(', ')} not responding`, '#/services'],
    !bus.connected && ['bad', 'Message broker disconnected: events are queued in the databases', '#/services'],
    setups.parked > 0 && ['warn', format.many(setups.parked, 'parked setup'), '#/hotels?status=parked'],
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
  const hours = inHours(sent)
  const total = sent.data.reduce((sum, one) => sum + (one.status === 'retry' ? 0 : one.count), 0)
  const good = sent.data.reduce((sum, one) => sum + (one.status === 'success' ? one.count : 0), 0)
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
      label: 'Deliveries, 24 hours',
      value: format.short(total),
      note: total > 0 ? `${format.percent(good / total)} delivered` : 'none sent',
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
        setups.parked > 0
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
