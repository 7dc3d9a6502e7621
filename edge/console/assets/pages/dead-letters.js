import { call, get, Refused } from '../api.js'
import { confirm, jsonText, sheet, toast } from '../dialogs.js'
import { breakable, fill, h } from '../dom.js'
import * as format from '../format.js'
import { arePending, ask, follow, redrivesCard, soonMs } from '../redrives.js'
import { selection } from '../selection.js'
import {
  badge,
  button,
  card,
  changing,
  empty,
  facts,
  input,
  pager,
  segments,
  skeleton,
  table,
  when,
} from '../widgets.js'

const path = '/api/v1/dead-letters'

/** Dead letters: their reason, their content, and the possible actions. */
export function deadLetters({ query, go, again }) {
  const asked = name => query.get(name) ?? ''
  let filter = { type: asked('type'), reason: asked('reason'), consumer: asked('consumer') }
  let page = 1
  let isGrouped = asked('by') === 'reason'
  let answer
  const redrives = h('div', {})
  const list = h('div', {}, skeleton())
  const actions = h('div', { class: 'row-actions' })
  const chosen = selection(nameOf, () => draw())
  const change = (next, toPage = 1) => {
    filter = { ...filter, ...next }
    page = toPage
    go('dead-letters', { ...filter, by: isGrouped ? 'reason' : '' })
    again()
  }
  const fields = Object.fromEntries(
    [
      ['type', 'Type', 'page.created'],
      ['reason', 'Reason', 'not found'],
      ['consumer', 'Consumer', 'notification'],
    ].map(([name, text, placeholder]) => [
      name,
      input(text, { value: filter[name], placeholder }, value => change({ [name]: value })),
    ]),
  )
  const view = segments(
    'View',
    [
      ['list', 'List'],
      ['reason', 'By reason'],
    ],
    isGrouped ? 'reason' : 'list',
    value => {
      isGrouped = value === 'reason'
      change({})
    },
  )
  /** Shows the dead letters of one reason. */
  const ofReason = ({ reason }) => {
    isGrouped = false
    fields.reason.querySelector('input').value = reason
    view.querySelector('[data-key="segment-list"]').click()
    change({ reason })
  }
  const node = h(
    'div',
    { class: 'stack' },
    redrives,
    card(
      'Dead letters',
      {
        hint: 'Fix the cause, then redrive. Only the consumer that failed receives the message again. Filters match a part of the text.',
        extra: h('div', { class: 'filters' }, Object.values(fields), view),
      },
      actions,
      list,
    ),
  )
  const open = id => void details(id, again)
  if (asked('id')) open(asked('id'))

  async function refresh() {
    await ask()
    answer = await get(path, { ...filter, page, limit: 20 })
    chosen.keep(answer.data)
    draw()
    return arePending() ? soonMs : undefined
  }

  function draw() {
    const { data, meta, reasons } = answer
    const isFiltered = Object.values(filter).some(Boolean)
    fill(redrives, redrivesCard(open, again))
    fill(actions, isGrouped ? null : actionsOn(chosen, { filter, isFiltered, total: meta.total, data }, again))
    if (meta.total === 0)
      return fill(
        list,
        empty('No dead letters', isFiltered ? 'Nothing matches the filter.' : 'All messages were processed.'),
      )
    if (isGrouped)
      return fill(
        list,
        table('Reasons', reasonColumns(filter, again), reasons, { key: one => one.reason, onRow: ofReason }),
      )
    fill(
      list,
      table('Dead letters', columns(again), data, {
        key: one => one.id,
        onRow: one => open(one.id),
        marks: chosen.marks,
      }),
      pager('dead letters', meta, to => change({}, to)),
    )
  }
  return { node, refresh }
}

const nameOf = letter => letter.type ?? letter.key

/** The number of a dead letter, and of the one that was redriven to it. */
const numbers = one =>
  h('p', { class: 'hint' }, `#${one.id}${one.redrivenFrom ? `, redriven from #${one.redrivenFrom}` : ''}`)

const columns = again => [
  { head: 'Type', cell: one => breakable(nameOf(one)), below: numbers, wide: true },
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
        changing('Redrive', {
          kind: 'small',
          'data-key': `redrive-${one.id}`,
          'aria-label': `Redrive dead letter ${one.id}`,
          on: { click: () => redrive(one, again) },
        }),
        changing('Discard', {
          kind: 'small danger',
          'data-key': `discard-${one.id}`,
          'aria-label': `Discard dead letter ${one.id}`,
          on: { click: () => discard(one, again) },
        }),
      ),
  },
]

const reasonColumns = (filter, again) => [
  { head: 'Reason', cell: one => one.reason, wide: true },
  { head: 'Dead letters', cell: one => format.count(one.count), number: true },
  { head: 'Latest', cell: one => when(one.failedAt) },
  {
    head: 'Action',
    acts: true,
    cell: one =>
      changing(`Redrive all ${format.count(one.count)}`, {
        kind: 'small',
        'data-key': `redrive-reason-${one.reason}`,
        'aria-label': `Redrive all ${format.count(one.count)}: ${one.reason}`,
        on: { click: () => redriveReason(one, filter, again) },
      }),
  },
]

/** Actions on the selected dead letters, or on all that match. */
function actionsOn(chosen, { filter, isFiltered, total, data }, again) {
  const ids = chosen.ids()
  if (ids.length === 0)
    return (
      total > 0 &&
      changing(`Redrive all ${format.count(total)}${isFiltered ? ' matching' : ''}`, {
        kind: 'primary',
        'data-key': 'redrive-all',
        on: { click: () => redriveMany(given(filter), { total, data }, again) },
      })
    )
  return [
    h('span', { class: 'chosen', role: 'status' }, `${format.count(ids.length)} selected`),
    changing('Redrive selected', {
      kind: 'primary',
      'data-key': 'redrive-selected',
      on: { click: () => redriveMany({ ids }, { total: ids.length, data }, again) },
    }),
    changing('Discard selected', {
      kind: 'danger',
      'data-key': 'discard-selected',
      on: { click: () => discardMany(ids, again) },
    }),
    button('Clear selection', { 'data-key': 'select-none', on: { click: () => (chosen.clear(), again()) } }),
  ]
}

const given = filter => Object.fromEntries(Object.entries(filter).filter(([, value]) => value))

/**
 * Asks for confirmation and acts. When two users act on one letter, the second one is notified.
 * @returns whether it is done
 */
async function deal(question, act, again) {
  let isGone = false
  const isDone = await confirm(question, () =>
    act().catch(error => {
      isGone = error.status === 404
      throw isGone ? new Refused(404, 'Another user has already redriven or discarded it.') : error
    }),
  )
  again()
  return isDone || isGone
}

const redrive = (letter, again) =>
  deal(
    {
      title: 'Redrive this message?',
      text: `${nameOf(letter)} is redelivered to ${letter.consumer}. If it fails again, it returns to this list under a new number.`,
      action: 'Redrive',
    },
    async () => {
      const { id, sequence } = await call('POST', `${path}/${letter.id}/redrive`)
      follow([{ id, sequence, name: nameOf(letter) }])
      toast(`Dead letter ${id} redriven; its outcome is pending.`, 'info')
    },
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
    async () => {
      await call('DELETE', `${path}/${letter.id}`)
      toast(`Dead letter ${letter.id} discarded.`)
    },
    again,
  )

/** Redrives the dead letters of a filter, or those with the given ids. */
async function redriveMany(which, { total, data: listed = [], text }, again) {
  const question = {
    title: `Redrive ${format.many(total, 'dead letter')}?`,
    text: text ?? 'Each one is redelivered to its consumer, oldest first.',
    action: 'Redrive',
  }
  await confirm(question, async () => {
    const { data, redriven, remaining } = await call('POST', `${path}/redrive`, which)
    const names = new Map(listed.map(one => [one.id, nameOf(one)]))
    follow(data.map(one => ({ ...one, name: names.get(one.id) ?? '' })))
    const rest = remaining > 0 ? ` ${format.count(remaining)} remaining: redrive again.` : ''
    toast(`${format.many(redriven, 'dead letter')} redriven; outcomes are pending.${rest}`, 'info')
  })
  again()
}

const redriveReason = ({ reason, count }, { type, consumer }, again) =>
  redriveMany(
    // Type and consumer match parts of a text, the reason must be this one.
    type || consumer ? given({ type, consumer, reason }) : { reason, exact: true },
    {
      total: count,
      text: `All dead letters with the reason “${reason}” are redelivered to their consumers, oldest first.`,
    },
    again,
  )

async function discardMany(ids, again) {
  let gone = 0
  const isDone = await confirm(
    {
      title: `Discard ${format.many(ids.length, 'dead letter')}?`,
      text: 'The selected messages are deleted permanently. This cannot be undone.',
      action: 'Discard',
      tone: 'danger',
    },
    async () => {
      for (const id of ids)
        await call('DELETE', `${path}/${id}`).catch(error => {
          if (error.status !== 404) throw error
          gone++
        })
    },
  )
  const note = gone > 0 ? ` ${format.count(gone)} had already been handled by another user.` : ''
  if (isDone) toast(`${format.many(ids.length - gone, 'dead letter')} discarded.${note}`)
  again()
}

async function details(id, again) {
  const whole = await get(`${path}/${id}`).catch(error => {
    toast(error.status === 404 ? `Dead letter ${id} has been redriven or discarded.` : error.message, 'bad')
    again()
  })
  if (!whole) return
  const letter = whole.deadLetter
  sheet(nameOf(letter), close => [
    h('p', { class: 'reason' }, letter.reason),
    facts([
      ['Number', `#${letter.id}`],
      ['Redriven from', letter.redrivenFrom && `#${letter.redrivenFrom}`],
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
      changing('Discard', { kind: 'danger', on: { click: async () => (await discard(letter, again)) && close() } }),
      changing('Redrive', { kind: 'primary', on: { click: async () => (await redrive(letter, again)) && close() } }),
    ),
  ])
}
