import { get } from '../api.js'
import { jsonText, sheet } from '../dialogs.js'
import { breakable, fill, h } from '../dom.js'
import * as format from '../format.js'
import { badge, button, card, empty, facts, input, skeleton, table, when } from '../widgets.js'

/** Maximum of events on the page: scrolling back drops the newest. */
const most = 500

/** The live event stream, newest first, without payloads. */
export function events({ query, go, again }) {
  let held = []
  let bounds
  /** The searched sequences: all of them between these two. */
  let searched
  let isBack = false
  let drawn
  let filter = { type: query.get('type') ?? '', about: query.get('about') ?? '' }
  const list = h('div', {}, skeleton(8))
  const known = h('datalist', { id: 'event-types' })
  const change = next => {
    filter = { ...filter, ...next }
    go('events', filter)
    toNewest()
  }
  const node = h(
    'div',
    { class: 'stack' },
    card(
      'Stream',
      {
        hint: 'Envelopes only, with the id of the record. Types match by a part of the text, ids as a whole.',
        extra: h(
          'div',
          { class: 'filters' },
          input('Type', { value: filter.type, placeholder: 'page.created', list: 'event-types' }, type =>
            change({ type }),
          ),
          input('Id', { value: filter.about, placeholder: 'hotel, record …' }, about => change({ about })),
          known,
        ),
      },
      list,
    ),
  )
  const read = which =>
    get('/console/api/events', { type: filter.type, about: filter.about.split(/[\s,]+/), limit: 100, ...which })

  async function refresh() {
    if (!isBack) await follow()
    draw()
  }

  async function follow() {
    const wanted = filter
    const page = await read(searched ? { after: searched.to } : { limit: 50 })
    if (wanted !== filter) return
    // The stream was recreated, or one answer didn't hold all new events: the list starts over.
    const isGap = searched && (page.last < searched.to || page.from > searched.to + 1)
    held = [...page.data, ...(isGap ? [] : held)].slice(0, most)
    searched = { from: !searched || isGap ? page.from : searched.from, to: Math.max(page.to, page.last) }
    if (held.length === most) searched.from = held.at(-1).sequence
    bounds = page
  }

  async function older() {
    const wanted = filter
    const page = await read({ before: searched.from })
    if (wanted !== filter) return
    isBack ||= held.length + page.data.length > most
    held = [...held, ...page.data].slice(-most)
    searched = { ...searched, from: page.from }
    draw()
  }

  const toNewest = () => {
    // Answers under way belong to the list before.
    filter = { ...filter }
    isBack = false
    held = []
    searched = undefined
    again()
  }

  function draw() {
    if (!searched) return
    // Skips redrawing hundreds of unchanged rows.
    const now = [
      held[0]?.sequence,
      held.length,
      bounds.first,
      bounds.last,
      searched.from,
      isBack,
      filter.type,
      filter.about,
    ].join()
    if (drawn === now) return
    drawn = now
    fill(
      known,
      [...new Set(held.map(nameOf))].toSorted((a, b) => a.localeCompare(b)).map(type => h('option', { value: type })),
    )
    const isFiltered = Boolean(filter.type || filter.about)
    const isMore = searched.from > bounds.first
    const stored = Math.max(0, bounds.last - bounds.first + 1)
    const looked = Math.max(0, searched.to - searched.from + 1)
    fill(
      list,
      held.length > 0
        ? table('Events', columns, held, { key: one => one.sequence, onRow: details })
        : isFiltered
          ? empty(
              'No matching events',
              isMore ? `None among the latest ${format.count(looked)}.` : 'None among all stored events.',
            )
          : empty('No events yet', 'New events appear here.'),
      h(
        'div',
        { class: 'below' },
        h(
          'span',
          { class: 'quiet' },
          isFiltered
            ? `${format.count(held.length)} matching among the latest ${format.count(looked)} of ${format.short(stored)} on the bus`
            : `${format.count(held.length)} loaded, ${format.short(stored)} on the bus`,
        ),
        isBack && button('Back to newest', { kind: 'small', 'data-key': 'newest', on: { click: toNewest } }),
        isMore &&
          button(isFiltered ? 'Search older' : 'Load older', {
            kind: 'small',
            'data-key': 'older',
            on: { click: () => void older().catch(again) },
          }),
      ),
    )
  }
  return { node, refresh }
}

const nameOf = event => event.type ?? event.key

const columns = [
  { head: 'Type', cell: one => breakable(nameOf(one)), wide: true },
  {
    head: `Time (${format.zone})`,
    cell: one => h('time', { datetime: one.at, title: format.time(one.at) }, timeOf(one.at)),
  },
  { head: 'Number', cell: one => format.count(one.sequence), number: true },
  { head: 'Routing key', cell: one => h('code', {}, one.key), minor: true },
  { head: 'Channels', cell: one => one.channels.map(name => badge(name)) },
  { head: 'Receivers', cell: one => format.count(one.receivers), number: true, minor: true },
  { head: 'Size', cell: one => format.bytes(one.bytes), number: true, minor: true },
]

/** The time, with the day of events of another day. */
function timeOf(at) {
  const [day, today] = [at, Date.now()].map(format.dayOf)
  return day === today ? format.exactTime(at) : `${day}, ${format.exactTime(at)}`
}

/** An event on one line, for the overview. */
export const eventRow = event =>
  h(
    'li',
    {},
    h('b', {}, breakable(nameOf(event))),
    h('code', {}, event.key),
    h('span', { class: 'quiet' }, when(event.at)),
  )

const details = event =>
  sheet(nameOf(event), () => [
    facts([
      ['Sequence', format.count(event.sequence)],
      ['Stored', format.time(event.at)],
      ['Routing key', h('code', {}, event.key)],
      ['Message id', event.id && h('code', {}, event.id)],
      ['Record', event.recordId && h('a', { href: `#/events?about=${event.recordId}` }, h('code', {}, event.recordId))],
      ['Workspace', event.workspaceId && h('code', {}, event.workspaceId)],
      [
        'Hotel',
        event.ecosystemId && h('a', { href: `#/hotels/${event.ecosystemId}` }, h('code', {}, event.ecosystemId)),
      ],
      ['Caused by', event.actorType],
      ['Redriven for', event.redrivenFor],
      ['Redriven from', event.redrivenFrom && `dead letter #${event.redrivenFrom}`],
    ]),
    h('h3', {}, 'Envelope'),
    jsonText(event),
  ])
