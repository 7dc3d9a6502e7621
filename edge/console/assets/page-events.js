import { get } from './api.js'
import { chart } from './chart.js'
import { jsonText, sheet } from './dialogs.js'
import { breakable, fill, h } from './dom.js'
import * as format from './format.js'
import { published } from './status.js'
import { badge, button, card, empty, facts, input, skeleton, table, when } from './widgets.js'

/** Maximum of events on the page: scrolling back drops the newest. */
const most = 500

/** The live event stream, newest first, without payloads. */
export function events({ query, go, again }) {
  let held = []
  let bounds
  let isBack = false
  let drawn
  let wanted = query.get('type') ?? ''
  const perSecond = chart({ label: 'Events per second', height: 150 })
  const list = h('div', {}, skeleton(8))
  const known = h('datalist', { id: 'event-types' })
  const filter = input('Type', { value: wanted, placeholder: 'page.created', list: 'event-types' }, type => {
    wanted = type
    go('events', { type })
    again()
  })
  const node = h(
    'div',
    { class: 'stack' },
    card('Events per second', { hint: 'Stored on the bus, last hour' }, perSecond.node),
    card(
      'Stream',
      {
        hint: 'Envelopes only, with the id of the record',
        extra: h('div', { class: 'filters' }, filter, known),
      },
      list,
    ),
  )

  async function refresh({ samples }) {
    perSecond.update({
      times: samples.map(({ at }) => at),
      series: [{ name: 'Events', tone: '2', values: published(samples), fill: true }],
    })
    if (!isBack) await follow()
    draw()
  }

  async function follow() {
    const newest = held[0]?.sequence
    const page = await get('/console/api/events', { limit: newest === undefined ? 50 : 100, after: newest })
    // The stream was recreated, or has more new events than one answer holds: the list starts over.
    const isGap =
      newest !== undefined &&
      (page.last < newest || (page.data.length === 100 && page.data.at(-1).sequence > newest + 1))
    held = [...page.data, ...(isGap ? [] : held)].slice(0, most)
    bounds = page
  }

  async function older() {
    const page = await get('/console/api/events', { limit: 100, before: held.at(-1)?.sequence })
    isBack ||= held.length + page.data.length > most
    held = [...held, ...page.data].slice(-most)
    draw()
  }

  const toNewest = () => {
    isBack = false
    held = []
    again()
  }

  function draw() {
    // Skips redrawing hundreds of unchanged rows.
    const now = [held[0]?.sequence, held.length, bounds.first, bounds.last, isBack, wanted].join()
    if (drawn === now) return
    drawn = now
    fill(
      known,
      [...new Set(held.map(nameOf))].toSorted((a, b) => a.localeCompare(b)).map(type => h('option', { value: type })),
    )
    const shown = held.filter(event => nameOf(event).includes(wanted) || event.key.includes(wanted))
    const isMore = held.length > 0 && held.at(-1).sequence > bounds.first
    fill(
      list,
      shown.length > 0
        ? table('Events', columns, shown, { key: one => one.sequence, onRow: details, isDense: true })
        : empty(
            held.length > 0 ? 'No events of this type' : 'No events yet',
            held.length > 0 ? 'None among the loaded events.' : 'New events appear here.',
          ),
      h(
        'div',
        { class: 'below' },
        h(
          'span',
          { class: 'quiet' },
          `${format.count(shown.length)} of ${format.count(held.length)} loaded, ${format.short(Math.max(0, bounds.last - bounds.first + 1))} on the bus`,
        ),
        isBack && button('Back to newest', { kind: 'small', 'data-key': 'newest', on: { click: toNewest } }),
        isMore &&
          button('Load older', { kind: 'small', 'data-key': 'older', on: { click: () => void older().catch(again) } }),
      ),
    )
  }
  return { node, refresh }
}

const nameOf = event => event.type ?? event.key.replace(/^platform\.\w+\./, '')

const columns = [
  { head: '#', cell: one => format.count(one.sequence), number: true },
  { head: 'Time', cell: one => h('time', { datetime: one.at, title: format.time(one.at) }, format.exactTime(one.at)) },
  { head: 'Type', cell: one => h('b', {}, breakable(nameOf(one))), wide: true },
  { head: 'Routing key', cell: one => h('code', {}, one.key), minor: true },
  { head: 'Channels', cell: one => one.channels.map(name => badge(name)), wide: true },
  { head: 'Receivers', cell: one => format.count(one.receivers), number: true, minor: true },
  { head: 'Size', cell: one => format.bytes(one.bytes), number: true, minor: true },
]

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
      ['Record', event.recordId && h('code', {}, event.recordId)],
      ['Workspace', event.workspaceId && h('code', {}, event.workspaceId)],
      [
        'Hotel',
        event.ecosystemId && h('a', { href: `#/hotels?hotel=${event.ecosystemId}` }, h('code', {}, event.ecosystemId)),
      ],
      ['Caused by', event.actorType],
      ['Redriven for', event.redrivenFor],
    ]),
    h('h3', {}, 'Envelope'),
    jsonText(event),
  ])
