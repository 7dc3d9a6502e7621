import { get } from './api.js'
import { chart } from './chart.js'
import { fill, h } from './dom.js'
import * as format from './format.js'
import { card, empty, figure, segments, skeleton } from './widgets.js'

const channels = [
  ['email', 'E-mail'],
  ['push', 'Push'],
  ['socket', 'Socket'],
]
const hour = 3_600_000

/** Every hour of an answer, with the counts of one channel or of all. Retries count as tries, not as results. */
export function inHours({ from, data }, channel) {
  const first = new Date(from).getTime()
  const now = Math.floor(Date.now() / hour) * hour
  const hours = Array.from({ length: Math.max(1, (now - first) / hour + 1) }, (_, at) => ({
    at: first + at * hour,
    success: 0,
    failed: 0,
    retry: 0,
    total: 0,
  }))
  for (const one of data) {
    const place = hours[(new Date(one.hour).getTime() - first) / hour]
    if (!place || (channel && one.channel !== channel)) continue
    place[one.status] += one.count
    if (one.status !== 'retry') place.total += one.count
  }
  return hours
}

/** Groups longer spans by day. */
function inDays(hours) {
  const days = Map.groupBy(hours, ({ at }) => new Date(at).toDateString())
  return [...days].map(([name, own]) =>
    own.reduce(
      (sum, one) => ({
        ...sum,
        success: sum.success + one.success,
        failed: sum.failed + one.failed,
        retry: sum.retry + one.retry,
        total: sum.total + one.total,
      }),
      {
        at: new Date(name).getTime(),
        success: 0,
        failed: 0,
        retry: 0,
        total: 0,
      },
    ),
  )
}

/** Delivery results by channel, over a day, a week or a month. */
export function deliveries({ query, go, again }) {
  let hours = query.get('hours') ?? '24'
  let answered
  const figures = h('div', { class: 'figures three' }, skeleton(2))
  const charts = h('div', { class: 'stack' })
  const none = h('div', {})
  let drawn
  const span = segments(
    'Span',
    [
      ['24', '24 hours'],
      ['168', '7 days'],
      ['744', '31 days'],
    ],
    hours,
    value => {
      hours = value
      go('deliveries', { hours })
      again()
    },
  )
  const node = h('div', { class: 'stack' }, h('div', { class: 'page-tools' }, span), figures, none, charts)

  /** Charts of days and of hours differ in their axes. */
  function build() {
    if (drawn?.hours === hours) return
    const made = channels.map(([name, text]) => [
      name,
      text,
      chart({ label: text, kind: 'bars', height: 180, show: format.short, isWhole: true, day: hours === '744' }),
    ])
    drawn = { hours, made }
    fill(
      charts,
      made.map(([name, text, one]) => card(text, { hint: hints[name] }, one.node)),
    )
  }

  async function refresh() {
    answered = await get('/api/v1/deliveries/statistics', { hours })
    build()
    const isEmpty = answered.data.length === 0
    fill(none, isEmpty && empty('No deliveries in this period', 'Counts appear as notifications are sent.'))
    fill(
      figures,
      channels.map(([name, text]) => {
        const sum = inDays(inHours(answered, name)).reduce(
          (all, one) => ({
            total: all.total + one.total,
            success: all.success + one.success,
            failed: all.failed + one.failed,
            retry: all.retry + one.retry,
          }),
          { total: 0, success: 0, failed: 0, retry: 0 },
        )
        const note =
          sum.total === 0
            ? 'none'
            : name === 'socket'
              ? 'frames to members'
              : `${format.percent(sum.success / sum.total)} delivered · ${format.many(sum.failed, 'failure')} · ${format.many(sum.retry, 'retry', 'retries')}`
        return figure({
          label: text,
          value: format.short(sum.total),
          note,
          tone: sum.total > 0 && sum.failed / sum.total > 0.05 ? 'warn' : '',
        })
      }),
    )
    for (const [name, , one] of drawn.made) {
      const own = hours === '744' ? inDays(inHours(answered, name)) : inHours(answered, name)
      const series = [
        { name: 'Delivered', tone: 'good', values: own.map(each => each.success) },
        { name: 'Failed', tone: 'bad', values: own.map(each => each.failed) },
        { name: 'Retried', tone: 'warn', values: own.map(each => each.retry) },
      ]
      one.update({ times: own.map(({ at }) => at), series: name === 'socket' ? series.slice(0, 1) : series })
    }
  }
  return { node, refresh }
}

const hints = {
  email: 'Attempts by result',
  push: 'Attempts through OneSignal and Firebase',
  socket: 'Members who were sent a frame, connected or not',
}
