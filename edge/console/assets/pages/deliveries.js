import { get } from '../api.js'
import { chart } from '../charts/chart.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { badge, card, empty, figure, input, pager, problem, segments, skeleton, table } from '../widgets.js'

const channels = [
  ['email', 'E-mail'],
  ['push', 'Push'],
  ['socket', 'Socket'],
]
/** Counts of an hour or a day. Retries are attempts, and no part of the total. */
const noCounts = { success: 0, failed: 0, retry: 0, total: 0 }
const hour = 3_600_000
const day = 24 * hour

/** Every hour of an answer, with the counts of one channel or of all. */
export function inHours({ from, data }, channel) {
  const first = new Date(from).getTime()
  const now = Math.floor(Date.now() / hour) * hour
  const hours = Array.from({ length: Math.max(1, (now - first) / hour + 1) }, (_, at) => ({
    at: first + at * hour,
    ...noCounts,
  }))
  for (const one of data) {
    const place = hours[(new Date(one.hour).getTime() - first) / hour]
    if (!place || (channel && one.channel !== channel)) continue
    place[one.status] += one.count
    if (one.status === 'success' || one.status === 'failed') place.total += one.count
  }
  return hours
}

/** Groups longer spans by day. */
function inDays(hours) {
  const days = Map.groupBy(hours, ({ at }) => Math.floor(at / day) * day)
  return [...days].map(([at, own]) =>
    own.reduce(
      (sum, one) => ({
        ...sum,
        success: sum.success + one.success,
        failed: sum.failed + one.failed,
        retry: sum.retry + one.retry,
        total: sum.total + one.total,
      }),
      { at, ...noCounts },
    ),
  )
}

/** The counts of an answer: attempted, and taken by the provider; retries are attempts without a result yet. */
export function sumOf(answer, channels) {
  const of = (...states) =>
    answer.data
      .filter(one => channels.includes(one.channel) && states.includes(one.status))
      .reduce((sum, one) => sum + one.count, 0)
  const [accepted, failed, retried] = [of('success'), of('failed'), of('retry')]
  return { sent: accepted + failed, accepted, failed, retried }
}

/** Delivery results by channel, over a day, a week or a month; the tries of one notification. */
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
      go('deliveries', { hours, notification: one.id() })
      again()
    },
  )
  const one = oneNotification(query.get('notification') ?? '', id => {
    go('deliveries', { hours, notification: id })
    again()
  })
  const node = h('div', { class: 'stack' }, h('div', { class: 'page-tools' }, span), figures, none, charts, one.node)

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
        const { sent, accepted, failed, retried } = sumOf(answered, [name])
        const note =
          sent === 0
            ? 'none sent'
            : name === 'socket'
              ? 'frames sent to members'
              : `${format.percent(accepted / sent)} accepted · ${format.count(failed)} failed · ${format.many(retried, 'retry', 'retries')}`
        return figure({
          label: `${text}, sent`,
          value: format.short(sent),
          note,
          tone: sent > 0 && failed / sent > 0.05 ? 'warn' : '',
        })
      }),
    )
    await one.refresh()
    for (const [name, , chart] of drawn.made) {
      const own = hours === '744' ? inDays(inHours(answered, name)) : inHours(answered, name)
      const series = [
        { name: name === 'socket' ? 'Sent' : 'Accepted', tone: 'good', values: own.map(each => each.success) },
        { name: 'Failed', tone: 'bad', values: own.map(each => each.failed) },
        { name: 'Retried', tone: 'warn', values: own.map(each => each.retry) },
      ]
      const shown = { email: 3, push: 3, socket: 1 }[name]
      chart.update({ times: own.map(({ at }) => at), series: series.slice(0, shown) })
    }
  }
  return { node, refresh }
}

const hints = {
  email:
    'Mails by the provider’s answer. Accepted is not delivered: providers report no delivery. Mails beyond the hourly limit to one address (MAIL_LIMIT_PER_HOUR) count as failed.',
  push: 'Pushes by the answer of OneSignal or Firebase. Accepted is not delivered.',
  socket: 'Members who were sent a frame, connected or not',
}

const results = {
  success: ['accepted', 'good'],
  failed: ['failed', 'bad'],
  retry: ['to be retried', 'warn'],
}

const attemptColumns = [
  { head: 'Channel', cell: one => one.channel },
  { head: `Sent (${format.zone})`, cell: one => format.time(one.sentAt).replace(` ${format.zone}`, '') },
  { head: 'Attempt', cell: one => format.count(one.attemptNumber), number: true },
  { head: 'Member', cell: one => h('code', {}, one.memberId), wide: true },
  { head: 'Provider', cell: one => one.provider ?? format.none, minor: true },
  { head: 'Result', cell: one => badge(...(results[one.status] ?? [one.status])) },
  { head: 'Delivered', cell: one => (one.deliveredAt ? format.time(one.deliveredAt) : 'not reported') },
  { head: 'Error', cell: one => one.error ?? '', wide: true },
]

/** The tries of one notification, by its id. */
function oneNotification(first, changed) {
  let id = first
  let page = 1
  const list = h('div', {})
  const filter = input('Notification id', { value: id, placeholder: '24 characters' }, value => {
    id = value
    page = 1
    changed(id)
  })
  const node = card(
    'One notification',
    {
      hint: 'Sent: attempted. Accepted: the provider took it. Delivered: the provider reported that it arrived.',
      extra: h('div', { class: 'filters' }, filter),
    },
    list,
  )
  async function refresh() {
    if (!id) return fill(list)
    try {
      const { data, meta } = await get(`/api/v1/notifications/${encodeURIComponent(id)}/deliveries`, {
        page,
        limit: 20,
      })
      fill(
        list,
        data.length > 0
          ? table('Attempts', attemptColumns, data)
          : empty('No attempts', 'Nothing was sent by push or e-mail.'),
        pager('attempts', meta, to => {
          page = to
          changed(id)
        }),
      )
    } catch (error) {
      if (![400, 404].includes(error.status)) throw error
      fill(list, problem(error))
    }
  }
  return { node, refresh, id: () => id }
}
