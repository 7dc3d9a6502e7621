import { call, get, Refused } from './api.js'
import { confirm, jsonText, sheet, toast } from './dialogs.js'
import { breakable, fill, h } from './dom.js'
import * as format from './format.js'
import { badge, button, card, choice, empty, facts, input, pager, skeleton, table, when } from './widgets.js'

const path = '/api/v1/dead-letters'

/** Dead letters: their reason, their content, and the possible actions. */
export function deadLetters({ query, go, again }) {
  let filter = { type: query.get('type') ?? '', consumer: query.get('consumer') ?? '', page: 1 }
  const list = h('div', {}, skeleton())
  const change = next => {
    filter = { ...filter, page: 1, ...next }
    go('dead-letters', { type: filter.type, consumer: filter.consumer })
    again()
  }
  const consumer = h('div', {})
  const all = h('div', {})
  const node = h(
    'div',
    { class: 'stack' },
    card(
      'Dead letters',
      {
        hint: 'Fix the cause, then redrive. Only the consumer that failed receives the message again.',
        extra: h(
          'div',
          { class: 'filters' },
          input('Type', { value: filter.type, placeholder: 'page.created' }, type => change({ type })),
          consumer,
          all,
        ),
      },
      list,
    ),
  )

  async function refresh({ bus }) {
    const { data, meta } = await get(path, { ...filter, limit: 20 })
    const names = [
      ...new Set([...bus.consumers.map(({ durable }) => durable), ...data.map(one => one.consumer)]),
    ].toSorted((a, b) => a.localeCompare(b))
    if (!consumer.contains(document.activeElement))
      fill(
        consumer,
        choice('Consumer', [['', 'All'], ...names.map(name => [name, name])], filter.consumer, name =>
          change({ consumer: name }),
        ),
      )
    fill(
      all,
      meta.total > 0 &&
        button(`Redrive all ${format.count(meta.total)}`, {
          kind: 'primary',
          'data-key': 'redrive-all',
          on: { click: () => redriveAll(filter, meta.total, again) },
        }),
    )
    fill(
      list,
      data.length > 0
        ? table('Dead letters', columns(again), data, { key: one => one.id, onRow: one => void details(one, again) })
        : empty(
            'No dead letters',
            filter.type || filter.consumer ? 'Nothing matches the filter.' : 'All messages were processed.',
          ),
      pager(meta, page => change({ page })),
    )
  }
  return { node, refresh }
}

const nameOf = letter => letter.type ?? letter.key

const columns = again => [
  { head: 'Type', cell: one => breakable(nameOf(one)), wide: true },
  { head: 'Reason', cell: one => one.reason, wide: true },
  { head: 'Consumer', cell: one => one.consumer, minor: true },
  { head: 'Attempts', cell: one => format.count(one.attempts), number: true, minor: true },
  { head: 'Dead-lettered', cell: one => when(one.failedAt) },
  {
    head: 'Action',
    acts: true,
    cell: one =>
      h(
        'div',
        { class: 'row-actions' },
        button('Redrive', {
          kind: 'small',
          'data-key': `redrive-${one.id}`,
          'aria-label': `Redrive dead letter ${one.id}`,
          on: { click: () => redrive(one, again) },
        }),
        button('Discard', {
          kind: 'small danger',
          'data-key': `discard-${one.id}`,
          'aria-label': `Discard dead letter ${one.id}`,
          on: { click: () => discard(one, again) },
        }),
      ),
  },
]

/**
 * Asks for confirmation and acts. When two users act on one letter, the second one is notified.
 * @returns whether it is done
 */
async function deal(question, act, done, again) {
  let isGone = false
  const isDone = await confirm(question, () =>
    act().catch(error => {
      isGone = error.status === 404
      throw isGone ? new Refused(404, 'Another user has already redriven or discarded it.') : error
    }),
  )
  if (isDone) toast(done)
  again()
  return isDone || isGone
}

const redrive = (letter, again) =>
  deal(
    {
      title: 'Redrive this message?',
      text: `${nameOf(letter)} is redelivered to ${letter.consumer}. If it fails again, it returns to this list.`,
      action: 'Redrive',
    },
    () => call('POST', `${path}/${letter.id}/redrive`),
    `Dead letter ${letter.id} redriven.`,
    again,
  )

const discard = (letter, again) =>
  deal(
    {
      title: 'Discard this message?',
      text: `${nameOf(letter)} is deleted permanently. This cannot be undone.`,
      action: 'Discard',
      tone: 'danger',
    },
    () => call('DELETE', `${path}/${letter.id}`),
    `Dead letter ${letter.id} discarded.`,
    again,
  )

async function redriveAll({ type, consumer }, total, again) {
  let result
  const isDone = await confirm(
    {
      title: `Redrive all ${format.count(total)}?`,
      text: 'Every dead letter that matches the filter is redelivered to its consumer, oldest first.',
      action: 'Redrive all',
    },
    async () => {
      result = await call('POST', `${path}/redrive`, { ...(type && { type }), ...(consumer && { consumer }) })
    },
  )
  if (isDone)
    toast(
      `${format.many(result.redriven, 'dead letter')} redriven.${result.remaining > 0 ? ` ${format.count(result.remaining)} remaining: redrive again.` : ''}`,
    )
  again()
}

async function details(letter, again) {
  const whole = await get(`${path}/${letter.id}`).catch(error => {
    toast(error.message, 'bad')
    again()
  })
  if (!whole) return
  sheet(nameOf(letter), close => [
    h('p', { class: 'reason' }, letter.reason),
    facts([
      ['Consumer', letter.consumer],
      ['Attempts', format.count(letter.attempts)],
      ['Published', format.time(letter.publishedAt)],
      ['Dead-lettered', format.time(letter.failedAt)],
      ['Routing key', h('code', {}, letter.key)],
      ['Message id', letter.messageId && h('code', {}, letter.messageId)],
      ['Occurrence', letter.occurrenceId && h('code', {}, letter.occurrenceId)],
      ['Workspace', letter.workspaceId && h('code', {}, letter.workspaceId)],
      ['Stream sequence', format.count(Number(letter.originSequence))],
    ]),
    h('h3', {}, 'Content', ' ', whole.message ? '' : badge('not a JSON object', 'warn')),
    whole.message ? jsonText(whole.message) : h('pre', { class: 'json', tabindex: '0' }, whole.raw ?? ''),
    h(
      'div',
      { class: 'actions' },
      button('Discard', { kind: 'danger', on: { click: async () => (await discard(letter, again)) && close() } }),
      button('Redrive', { kind: 'primary', on: { click: async () => (await redrive(letter, again)) && close() } }),
    ),
  ])
}
