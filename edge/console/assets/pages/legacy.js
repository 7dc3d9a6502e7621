import { get } from '../api.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { card, empty, figure, segments, skeleton, table, when } from '../widgets.js'

const dayMs = 86_400_000

/** Clients of the legacy version, their calls, and the day it ends. */
export function legacy({ query, go, again }) {
  let days = query.get('days') ?? '30'
  const figures = h('div', { class: 'figures three' }, skeleton(2))
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
    card('Routes and clients', { hint: 'Most called first. Web pages by origin, programs by name' }, list),
  )

  async function refresh(status) {
    const usage = await get('/user/legacyUsage', { days })
    fill(figures, keyFigures(status.legacy, usage.data))
    fill(
      list,
      usage.data.length > 0
        ? table('Routes and clients', columns, usage.data)
        : empty('No legacy calls', `None in the last ${days} days.`),
    )
  }
  return { node, refresh }
}

function keyFigures({ sunset, deprecatedSince }, usage) {
  const left = Math.ceil((Date.parse(sunset) + dayMs - Date.now()) / dayMs)
  const calls = usage.reduce((sum, one) => sum + one.calls, 0)
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
    figure({ label: 'Calls in this period', value: format.short(calls) }),
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
