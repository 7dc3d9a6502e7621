import { get } from '../api.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { badge, card, empty, figure, input, pager, problem, segments, skeleton, table } from '../widgets.js'

const channels = [
  ['email', 'E-mail'],
  ['push', 'Push'],
  ['socket', 'Socket'],
]
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
  const figures = h('div', { class: 'figures three' }, skeleton(2))
  const none = h('div', {})
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
  const node = h('div', { class: 'stack' }, h('div', { class: 'page-tools' }, span), figures, none, one.node)

  async function refresh() {
    const answered = await get('/api/v1/deliveries/statistics', { hours })
    fill(
      none,
      answered.data.length === 0 && empty('No deliveries in this period', 'Counts appear as notifications are sent.'),
    )
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
  }
  return { node, refresh }
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
