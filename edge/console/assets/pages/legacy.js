import { get } from '../api.js'
import { chart } from '../charts/chart.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { card, empty, figure, segments, skeleton, table, when } from '../widgets.js'

const dayMs = 86_400_000
/** The number of clients with their own colour; the others are merged. */
const mostClients = 5

/** Clients of the legacy version, the trend of their calls, and its response times. */
export function legacy({ query, go, again }) {
  let days = query.get('days') ?? '30'
  const figures = h('div', { class: 'figures three' }, skeleton(2))
  const byRoute = chart({ label: 'Calls by route', kind: 'bars', show: format.short, isWhole: true, day: true })
  const byClient = chart({ label: 'Calls by client', kind: 'bars', show: format.short, isWhole: true, day: true })
  const list = h('div', {}, skeleton())
  const span = segments(
    'Span',
    [
      ['30', '30 days'],
      ['90', '90 days'],
      ['365', '1 year'],
    ],
    days,
    value => {
      days = value
      go('legacy', { days })
      again()
    },
  )
  const node = h(
    'div',
    { class: 'stack' },
    h('div', { class: 'page-tools' }, span),
    figures,
    h(
      'div',
      { class: 'columns' },
      card('Calls by route', { hint: 'Per day, in UTC' }, byRoute.node),
      card('Calls by client', { hint: 'Web pages by origin, programs by name' }, byClient.node),
    ),
    card('Routes and clients', { hint: 'Most called first' }, list),
  )

  async function refresh(status) {
    const [routes, clients, usage] = await Promise.all([
      get('/user/legacyUsage/daily', { days, by: 'route' }),
      get('/user/legacyUsage/daily', { days, by: 'client' }),
      get('/user/legacyUsage', { days }),
    ])
    byRoute.update(stacked(routes.data, Number(days)))
    byClient.update(stacked(clients.data, Number(days)))
    fill(figures, keyFigures(status.legacy, usage.data, routes.data))
    fill(
      list,
      usage.data.length > 0
        ? table('Routes and clients', columns, usage.data)
        : empty('No legacy calls', `None in the last ${days} days.`),
    )
  }
  return { node, refresh }
}

/** Counts as bars, one per day: the most frequent by name, the rest merged. */
function stacked(rows, days) {
  const end = Math.floor(Date.now() / dayMs) * dayMs
  const times = Array.from({ length: days }, (_, at) => end - (days - 1 - at) * dayMs)
  const totals = [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => [
    name,
    own.reduce((sum, { calls }) => sum + calls, 0),
  ])
  const names = totals
    .filter(([name]) => name !== 'others')
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostClients)
    .map(([name]) => name)
  const at = new Map(times.map((time, place) => [new Date(time).toISOString().slice(0, 10), place]))
  const series = [...names, 'others'].map((name, place) => ({
    name,
    tone: String(place + 1),
    values: times.map(() => 0),
  }))
  for (const { day, name, calls } of rows) {
    const one = series.find(each => each.name === name) ?? series.at(-1)
    if (at.has(day)) one.values[at.get(day)] += calls
  }
  return { times, series: series.filter(({ name, values }) => name !== 'others' || values.some(Boolean)) }
}

function keyFigures({ sunset, deprecatedSince }, usage, daily) {
  const left = Math.ceil((Date.parse(sunset) + dayMs - Date.now()) / dayMs)
  const calls = usage.reduce((sum, one) => sum + one.calls, 0)
  const sumSince = (from, to) =>
    daily
      .filter(({ day }) => Date.now() - Date.parse(day) < from * dayMs && Date.now() - Date.parse(day) >= to * dayMs)
      .reduce((sum, one) => sum + one.calls, 0)
  const [now, before] = [sumSince(7, 0), sumSince(14, 7)]
  return [
    figure({
      label: 'Available until',
      value: format.dateOnly(sunset),
      note:
        left > 0
          ? `${format.many(left, 'day')} left · deprecated since ${format.dateOnly(deprecatedSince)}`
          : 'past its end date',
      tone: left < 90 ? 'warn' : '',
    }),
    figure({
      label: 'Calls in this period',
      value: format.short(calls),
      note: `last 7 days: ${format.short(now)}${before > 0 ? `, ${now <= before ? '−' : '+'}${format.percent(Math.abs(now - before) / before)}` : ''}`,
    }),
    figure({
      label: 'Active clients',
      value: format.count(new Set(usage.map(({ client }) => client)).size),
      note: format.many(new Set(usage.map(({ route }) => route)).size, 'route'),
    }),
  ]
}

const columns = [
  { head: 'Route', cell: one => h('code', {}, one.route), wide: true },
  { head: 'Client', cell: one => one.client, wide: true },
  { head: 'Calls', cell: one => format.count(one.calls), number: true },
  { head: 'Last call', cell: one => when(one.lastCalledAt) },
]
