import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { cursorAt, isMissing, picture, placesOf } from './draw.js'

/**
 * A chart over time: lines, or stacked bars. Values are read by pointer, by the arrow keys, or from the table below it.
 * @param options label, kind ('lines' or 'bars'), height, show(value), isWhole, day (times are days)
 * @returns node and update({times, series: [{name, tone, values, fill?}]}); tone 1 to 6, good, warn or bad
 */
export function chart({
  label,
  kind = 'lines',
  height = 220,
  show = format.rate,
  isWhole = false,
  unit = 1,
  day = false,
}) {
  const parts = partsOf(label)
  const { plot, drawing, tip, announced, legend, values, details } = parts
  let data = { times: [], series: [] }
  /** Index of the selected moment. */
  let at
  let place

  const timeText = time => (day ? format.dayOf(time) : `${format.exactTime(time)} ${format.zone}`)
  const axisText = time =>
    data.times.at(-1) - data.times[0] > 86_400_000 * 1.5 ? format.dayOf(time) : format.clockTime(time)

  function draw() {
    const width = Math.max(240, plot.clientWidth || 600)
    place = placesOf(data, { kind, width, height, show, isWhole, unit })
    fill(drawing, picture(data, place, { kind, show, axisText }))
    plot.setAttribute('aria-label', `${label}. ${summaryOf(data, show)} Arrow keys read single values.`)
    if (at !== undefined) point(at)
  }

  /** Marks one moment and shows its values. */
  function point(index) {
    const time = data.times[index]
    const cursor = drawing.querySelector('.cursor')
    if (time === undefined || !cursor) return hide()
    at = index
    fill(cursor, cursorAt(index, data, place, kind))
    fill(tip, h('p', { class: 'tip-time' }, timeText(time)), tipOf(index, data, show))
    tip.hidden = false
    const x = place.x(time)
    const isRight = x > place.width / 2
    tip.style.left = isRight ? 'auto' : `${x + 12}px`
    tip.style.right = isRight ? `${place.width - x + 12}px` : 'auto'
  }

  function hide() {
    at = undefined
    tip.hidden = true
    fill(drawing.querySelector('.cursor') ?? announced)
  }

  plot.addEventListener('pointermove', event => {
    if (data.times.length === 0) return
    const x = event.clientX - drawing.getBoundingClientRect().left
    const distances = data.times.map(time => Math.abs(place.x(time) - x))
    point(distances.indexOf(Math.min(...distances)))
  })
  plot.addEventListener('pointerleave', hide)
  plot.addEventListener('blur', hide)
  plot.addEventListener('keydown', event => {
    const last = data.times.length - 1
    const moves = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }
    if (event.key === 'Escape') return hide()
    if (!(event.key in moves) || last < 0) return
    event.preventDefault()
    point(Math.min(last, Math.max(0, moves[event.key])))
    const spoken = data.series.map(({ name, values: own }) => `${name} ${show(own[at] ?? null)}`)
    announced.textContent = `${timeText(data.times[at])}: ${spoken.join(', ')}`
  })
  const list = () => fill(values, valuesTable(data, timeText, show))
  details.addEventListener('toggle', () => details.open && list())
  new ResizeObserver(() => draw()).observe(plot)

  return {
    node: parts.node,
    update(next) {
      data = next
      fill(legend, legendOf(data, kind, show))
      draw()
      if (details.open) list()
    },
  }
}

/** The elements of a chart, empty. */
function partsOf(label) {
  const drawing = h('div', { class: 'drawing' })
  const tip = h('div', { class: 'tip', hidden: true })
  const plot = h(
    'div',
    {
      class: 'plot',
      tabindex: '0',
      role: 'group',
      'aria-roledescription': 'chart',
      'data-key': `chart-${label}`,
    },
    drawing,
    tip,
  )
  const announced = h('p', { class: 'unseen', 'aria-live': 'polite' })
  const legend = h('ul', { class: 'legend' })
  const values = h('div', {
    class: 'table-scroll short',
    tabindex: '0',
    role: 'region',
    'aria-label': `${label}, values`,
  })
  const details = h('details', { class: 'chart-values' }, h('summary', {}, 'Show as table'), values)
  const node = h('figure', { class: 'chart' }, legend, plot, announced, details)
  return { node, plot, drawing, tip, announced, legend, values, details }
}

const swatch = tone => h('span', { class: `swatch tone-${tone}` })

const legendOf = ({ series }, kind, show) =>
  series.map(({ name, tone, values }) =>
    h(
      'li',
      {},
      swatch(tone),
      name,
      kind === 'lines' && h('b', {}, show(values.findLast(value => !isMissing(value)) ?? null)),
    ),
  )

const tipOf = (index, { series }, show) =>
  series.map(({ name, tone, values }) =>
    h('p', {}, swatch(tone), h('span', { class: 'tip-name' }, name), h('b', {}, show(values[index] ?? null))),
  )

/** The chart's text for screen readers. */
const summaryOf = ({ series }, show) =>
  series
    .map(({ name, values }) => {
      const known = values.filter(value => !isMissing(value))
      return known.length > 0
        ? `${name}: now ${show(known.at(-1))}, highest ${show(Math.max(...known))}.`
        : `${name}: no values.`
    })
    .join(' ')

/** Every value, latest first. */
function valuesTable({ times, series }, timeText, show) {
  const rows = times.map((time, i) => [timeText(time), ...series.map(one => show(one.values[i] ?? null))]).toReversed()
  const cells = (tag, texts, more = {}) =>
    h(
      'tr',
      {},
      texts.map((text, i) => h(tag, { ...more, class: i > 0 && 'number' }, text)),
    )
  return h(
    'table',
    {},
    h('thead', {}, cells('th', ['Time', ...series.map(one => one.name)], { scope: 'col' })),
    h(
      'tbody',
      {},
      rows.map(row => cells('td', row)),
    ),
  )
}
