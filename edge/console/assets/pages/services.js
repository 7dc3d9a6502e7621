import { chart } from '../charts/chart.js'
import { spark } from '../charts/draw.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { names, published, waiting } from '../status.js'
import { badge, button, card, dot, empty, skeleton, table, when } from '../widgets.js'

/** RPCs shown by default. */
const few = 15

/** Health and lag of every service: now, over the last hour, by consumer, by process and by RPC. */
export function services() {
  const cards = h('div', { class: 'services' }, skeleton())
  const lag = chart({ label: 'Pending messages', show: format.short, isWhole: true })
  const memory = chart({ label: 'Memory', show: format.bytes, unit: 2 ** 20 })
  const consumers = h('div', {}, skeleton())
  const processes = h('div', {}, skeleton())
  const rpcs = h('div', {}, skeleton())
  let isWhole = false
  const node = h(
    'div',
    { class: 'stack' },
    cards,
    h(
      'div',
      { class: 'columns' },
      card('Pending messages', { hint: 'Not yet delivered to a consumer, last hour' }, lag.node),
      card('Memory', { hint: 'Resident, all processes' }, memory.node),
    ),
    card('Consumers', { hint: 'Durable consumers of the event stream, across all processes' }, consumers),
    card('Processes', { hint: 'Reported within the last 15 seconds' }, processes),
    card('RPCs', { hint: 'Most called first' }, rpcs),
  )

  function refresh(status) {
    const { samples, bus, countedSeconds } = status
    fill(
      cards,
      status.services.map(one => serviceCard(one, status)),
      brokerCard(status),
    )
    lag.update({
      times: samples.map(({ at }) => at),
      series: [{ name: 'Pending', tone: '3', values: samples.map(waiting), fill: true }],
    })
    memory.update({
      times: samples.map(({ at }) => at),
      series: [{ name: 'Resident', tone: '4', values: samples.map(one => one.residentBytes || null), fill: true }],
    })
    fill(
      consumers,
      bus.consumers.length > 0
        ? table('Consumers', consumerColumns(samples), bus.consumers)
        : empty(bus.connected ? 'No consumers' : 'The message broker is disconnected'),
    )
    fill(
      processes,
      status.processes.length > 0
        ? table('Processes', processColumns, status.processes)
        : empty('No process has reported yet'),
    )
    fill(
      rpcs,
      status.rpcs.length > 0
        ? table('RPCs', rpcColumns(countedSeconds), isWhole ? status.rpcs : status.rpcs.slice(0, few))
        : empty('No calls yet', 'Calls of the last 15 minutes appear here.'),
      status.rpcs.length > few &&
        h(
          'div',
          { class: 'below' },
          button(isWhole ? 'Show fewer' : `Show all ${format.count(status.rpcs.length)}`, {
            kind: 'small',
            'data-key': 'rpcs-all',
            on: {
              click: () => {
                isWhole = !isWhole
                refresh(status)
              },
            },
          }),
        ),
    )
  }
  return { node, refresh }
}

/** The last hour by the minute: down if any sample was down, empty without samples. */
function ticks(label, samples, isUp) {
  const now = Date.now()
  const byMinute = Map.groupBy(samples, ({ at }) => Math.floor((now - at) / 60_000))
  const share = samples.length > 0 ? samples.filter(isUp).length / samples.length : null
  const tone = minute => {
    const looks = byMinute.get(minute)
    return looks && (looks.every(isUp) ? 'good' : 'bad')
  }
  return h(
    'div',
    {
      class: 'ticks',
      role: 'img',
      'aria-label': `${label} was up in ${format.percent(share)} of the last hour’s checks`,
    },
    Array.from({ length: 60 }, (_, at) => h('span', { class: tone(59 - at) })),
  )
}

const smallFacts = rows =>
  h(
    'dl',
    { class: 'small-facts' },
    rows.map(([term, value, isBad]) => h('div', { class: isBad && 'bad' }, h('dt', {}, term), h('dd', {}, value))),
  )

const brokerCard = ({ bus, samples }) =>
  h(
    'section',
    { class: 'card service' },
    h(
      'header',
      {},
      dot(bus.connected ? 'good' : 'bad', bus.connected ? 'up' : 'down'),
      h('h2', {}, 'Message broker'),
      badge(bus.connected ? 'up' : 'down', bus.connected ? 'good' : 'bad'),
    ),
    ticks('The broker', samples, one => one.published !== null),
    smallFacts([
      ['Events', format.short(samples.at(-1)?.published)],
      ['Consumers', format.count(bus.consumers.length)],
      ['Pending', format.short(bus.consumers.reduce((sum, one) => sum + one.waiting, 0))],
      ['In progress', format.short(bus.consumers.reduce((sum, one) => sum + one.delivered, 0))],
      ['Dead letters', format.short(bus.dead), bus.dead > 0],
    ]),
    spark(published(samples.slice(-60)), '2'),
  )

function serviceCard({ name, up, processes, calls, faults, p50, p99 }, { samples, countedSeconds }) {
  return h(
    'section',
    { class: 'card service' },
    h(
      'header',
      {},
      dot(up ? 'good' : 'bad', up ? 'up' : 'down'),
      h('h2', {}, names[name]),
      badge(up ? 'up' : 'down', up ? 'good' : 'bad'),
    ),
    ticks(names[name], samples, one => one.up[name]),
    smallFacts([
      ['Calls/min', format.rate(calls / Math.max(1, countedSeconds / 60))],
      ['Failures', format.short(faults), faults > 0],
      ['p50', format.ms(p50)],
      ['p99', format.ms(p99)],
      ['Processes', format.count(processes)],
    ]),
    spark(samples.slice(-60).map(one => one.calls[name].calls)),
  )
}

const consumerColumns = samples => [
  { head: 'Consumer', cell: one => one.durable },
  {
    head: 'Pending',
    cell: one => h('span', { class: one.waiting > 1_000 ? 'bad-text' : '' }, format.short(one.waiting)),
    number: true,
  },
  { head: 'In progress', cell: one => format.short(one.delivered), number: true },
  { head: 'Redelivered', cell: one => format.short(one.redelivered), number: true },
  {
    head: 'Last hour',
    cell: one =>
      spark(
        samples.map(sample => sample.waiting?.[one.durable] ?? null),
        '3',
      ),
  },
]

const processColumns = [
  { head: 'Process', cell: one => `${one.host}:${one.pid}` },
  {
    head: 'Services',
    cell: one =>
      one.services.length === 0
        ? 'edge'
        : one.services.length === 7
          ? 'all services'
          : one.services.map(name => names[name] ?? name).join(', '),
  },
  { head: 'Version', cell: one => `${one.version} · Node ${one.node.replace(/^v/, '')}` },
  { head: 'Uptime', cell: one => format.duration(Date.now() - one.startedAt), number: true },
  { head: 'Memory', cell: one => format.bytes(one.residentBytes), number: true },
  { head: 'Heap', cell: one => format.bytes(one.heapBytes), number: true, minor: true },
  { head: 'Busy', cell: one => format.percent(one.busy), number: true },
  { head: 'Last report', cell: one => when(one.seenAt) },
]

const rpcColumns = seconds => [
  { head: 'RPC', cell: one => one.rpc, wide: true },
  { head: 'Service', cell: one => names[one.service] ?? format.none, minor: true },
  { head: `Calls, ${format.duration(seconds * 1_000)}`, cell: one => format.short(one.calls), number: true },
  {
    head: 'Failures',
    cell: one => h('span', { class: one.faults > 0 ? 'bad-text' : '' }, format.short(one.faults)),
    number: true,
  },
  { head: 'p50', cell: one => format.ms(one.p50), number: true },
  { head: 'p99', cell: one => format.ms(one.p99), number: true },
]
