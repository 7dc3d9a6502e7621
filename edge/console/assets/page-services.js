import { chart } from './chart.js'
import { fill, h } from './dom.js'
import * as format from './format.js'
import { spark } from './spark.js'
import { names, waiting } from './status.js'
import { badge, card, dot, empty, skeleton, table, when } from './widgets.js'

/** Health and lag of every service: now, over the last hour, by consumer, by process and by RPC. */
export function services() {
  const cards = h('div', { class: 'services' }, skeleton())
  const lag = chart({ label: 'Waiting messages', show: format.short, isWhole: true })
  const memory = chart({ label: 'Memory', show: format.bytes })
  const consumers = h('div', {}, skeleton())
  const processes = h('div', {}, skeleton())
  const rpcs = h('div', {}, skeleton())
  const node = h(
    'div',
    { class: 'stack' },
    cards,
    h(
      'div',
      { class: 'columns' },
      card('Waiting messages', { hint: 'Not yet given to a consumer, last hour' }, lag.node),
      card('Memory', { hint: 'Resident, of all processes together' }, memory.node),
    ),
    card('Consumers', { hint: 'Durable consumers of the event stream, over all processes' }, consumers),
    card('Processes', { hint: 'Heard of within the last 15 seconds' }, processes),
    card('RPCs', { hint: 'Most called first' }, rpcs),
  )

  function refresh(status) {
    const { samples, bus, countedSeconds } = status
    fill(
      cards,
      status.services.map(one => serviceCard(one, status)),
    )
    lag.update({
      times: samples.map(({ at }) => at),
      series: [{ name: 'Waiting', tone: '3', values: samples.map(waiting), fill: true }],
    })
    memory.update({
      times: samples.map(({ at }) => at),
      series: [{ name: 'Resident', tone: '4', values: samples.map(one => one.residentBytes || null), fill: true }],
    })
    fill(
      consumers,
      bus.consumers.length > 0
        ? table('Consumers', consumerColumns(samples), bus.consumers)
        : empty(bus.connected ? 'No consumers' : 'The message broker is away'),
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
        ? table('RPCs', rpcColumns(countedSeconds), status.rpcs)
        : empty('Nobody has called yet', 'Counts of the last 15 minutes appear here.'),
    )
  }
  return { node, refresh }
}

function serviceCard({ name, up, processes, calls, faults, p50, p99 }, { samples, countedSeconds, sampleSeconds }) {
  const shown = samples.slice(-60)
  const share = samples.length > 0 ? samples.filter(one => one.up[name]).length / samples.length : null
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
    h(
      'div',
      {
        class: 'ticks',
        role: 'img',
        'aria-label': `Up in ${format.percent(share)} of the last ${format.duration(samples.length * sampleSeconds * 1_000)}`,
      },
      shown.map(one => h('span', { class: one.up[name] ? 'good' : 'bad' })),
    ),
    h(
      'dl',
      { class: 'small-facts' },
      [
        ['Calls/min', format.rate(calls / Math.max(1, countedSeconds / 60))],
        ['Failures', format.short(faults)],
        ['Half within', format.ms(p50)],
        ['99 % within', format.ms(p99)],
        ['Processes', format.count(processes)],
      ].map(([term, value]) =>
        h('div', { class: term === 'Failures' && faults > 0 && 'bad' }, h('dt', {}, term), h('dd', {}, value)),
      ),
    ),
    spark(shown.map(one => one.calls[name].calls)),
  )
}

const consumerColumns = samples => [
  { head: 'Consumer', cell: one => one.durable },
  {
    head: 'Waiting',
    cell: one => h('span', { class: one.waiting > 1_000 ? 'bad-text' : '' }, format.short(one.waiting)),
    number: true,
  },
  { head: 'In progress', cell: one => format.short(one.delivered), number: true },
  { head: 'Given again', cell: one => format.short(one.redelivered), number: true },
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
    head: 'Hosts',
    cell: one =>
      one.services.length === 0
        ? 'edge'
        : one.services.length === 7
          ? 'all services'
          : one.services.map(name => names[name] ?? name).join(', '),
  },
  { head: 'Version', cell: one => `${one.version} · Node ${one.node.replace(/^v/, '')}` },
  { head: 'Up for', cell: one => format.duration(Date.now() - one.startedAt), number: true },
  { head: 'Memory', cell: one => format.bytes(one.residentBytes), number: true },
  { head: 'Heap', cell: one => format.bytes(one.heapBytes), number: true },
  { head: 'Busy', cell: one => format.percent(one.busy), number: true },
  { head: 'Heard', cell: one => when(one.seenAt) },
]

const rpcColumns = seconds => [
  { head: 'RPC', cell: one => one.rpc, wide: true },
  { head: 'Service', cell: one => names[one.service] ?? format.none },
  { head: `Calls, ${format.duration(seconds * 1_000)}`, cell: one => format.short(one.calls), number: true },
  {
    head: 'Failures',
    cell: one => h('span', { class: one.faults > 0 ? 'bad-text' : '' }, format.short(one.faults)),
    number: true,
  },
  { head: 'Half within', cell: one => format.ms(one.p50), number: true },
  { head: '99 % within', cell: one => format.ms(one.p99), number: true },
]
