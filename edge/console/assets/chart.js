import { areaPath, linePath, ticksTo, timeTicks } from './chart-scale.js'
import { fill, h } from './dom.js'
import * as format from './format.js'

const margin = { top: 10, right: 8, bottom: 24 }
/** Width of a character on the axes. */
const characterWidth = 7
const nothing = 'Nothing in this time'

/**
 * A chart over time: lines, or bars that stand on each other. Values are read by pointer, by the arrow keys, or from the
 * table below it.
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
  const plot = h('div', {
    class: 'plot',
    tabindex: '0',
    role: 'group',
    'aria-roledescription': 'chart',
    'data-key': `chart-${label}`,
  })
  const tip = h('div', { class: 'tip', hidden: true })
  const said = h('p', { class: 'unseen', 'aria-live': 'polite' })
  const legend = h('ul', { class: 'legend' })
  const values = h('div', {
    class: 'table-scroll short',
    tabindex: '0',
    role: 'region',
    'aria-label': `${label}, values`,
  })
  const details = h('details', { class: 'chart-values' }, h('summary', {}, 'Show as table'), values)
  const drawing = h('div', { class: 'drawing' })
  plot.append(drawing, tip)
  const node = h('figure', { class: 'chart' }, legend, plot, said, details)
  let data = { times: [], series: [] }
  let at
  let place

  const timeText = time => (day ? format.dayOf(time) : format.exactTime(time))
  const axisText = time =>
    data.times.at(-1) - data.times[0] > 86_400_000 * 1.5 ? format.dayOf(time) : format.clockTime(time)

  function draw() {
    const width = Math.max(240, plot.clientWidth || 600)
    const { times, series } = data
    const [right, base] = [width - margin.right, height - margin.bottom]
    const tops = times.map((_, i) => {
      const all = series.map(one => one.values[i] ?? 0)
      return kind === 'bars' ? all.reduce((sum, one) => sum + one, 0) : Math.max(0, ...all)
    })
    const ticks = ticksTo(Math.max(0, ...tops), isWhole, unit)
    const most = ticks.at(-1)
    const left = 14 + characterWidth * Math.max(3, ...ticks.map(value => show(value).length))
    const y = value => base - (value / most) * (base - margin.top)
    const [first, last] = [times[0], times.at(-1)]
    const slot = (right - left) / Math.max(1, times.length)
    const span = Math.max(1, last - first)
    const x =
      kind === 'bars'
        ? time => left + (times.indexOf(time) + 0.5) * slot
        : time => left + ((time - first) / span) * (right - left)
    place = { x, y, width, base, slot, left }
    const lines = ticks.map(value => [
      h('line', { class: 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }),
      h('text', { class: 'axis', x: left - 8, y: y(value) + 4, 'text-anchor': 'end' }, show(value)),
    ])
    fill(
      drawing,
      h(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
        lines,
        timeAxis(times),
        kind === 'bars' ? bars() : curves(),
        isEmpty(tops) &&
          h(
            'text',
            { class: 'axis', x: (left + right) / 2, y: (margin.top + base) / 2, 'text-anchor': 'middle' },
            nothing,
          ),
        h('g', { class: 'cursor' }),
      ),
    )
    plot.setAttribute('aria-label', `${label}. ${summary()} Arrow keys read single values.`)
    if (at !== undefined) point(at)
  }

  function timeAxis(times) {
    const { x, base, width, left } = place
    if (times.length === 0) return null
    const wanted = Math.max(2, Math.floor(width / 110))
    const shown =
      kind === 'bars'
        ? times.filter((_, i) => i % Math.ceil(times.length / wanted) === 0)
        : timeTicks(times[0], times.at(-1), wanted)
    const far = width - margin.right - 14
    return shown.map(time =>
      h(
        'text',
        { class: 'axis', x: Math.min(far, Math.max(left + 12, x(time))), y: base + 18, 'text-anchor': 'middle' },
        axisText(time),
      ),
    )
  }

  /** Bars of nothing are not to be seen, lines of nothing are. */
  const isEmpty = tops => (kind === 'bars' ? !tops.some(Boolean) : tops.length === 0)

  const curves = () =>
    data.series.map(({ tone, values: own, fill: isFilled }) => {
      const points = data.times.map((time, i) => [
        place.x(time),
        own[i] === null || own[i] === undefined ? null : place.y(own[i]),
      ])
      return [
        isFilled && h('path', { class: `area tone-${tone}`, d: areaPath(points, place.base) }),
        h('path', { class: `curve tone-${tone}`, d: linePath(points) }),
      ]
    })

  function bars() {
    const width = Math.max(1, Math.min(28, place.slot * 0.7))
    return data.times.map((time, i) => {
      let sum = 0
      return data.series.map(({ tone, values: own }) => {
        const value = own[i] ?? 0
        if (value <= 0) return null
        const top = place.y(sum + value)
        const bar = h('rect', {
          class: `bar tone-${tone}`,
          x: (place.x(time) - width / 2).toFixed(1),
          y: top.toFixed(1),
          width: width.toFixed(1),
          height: Math.max(1, place.y(sum) - top).toFixed(1),
          rx: Math.min(1.5, width / 4),
        })
        sum += value
        return bar
      })
    })
  }

  const summary = () =>
    data.series
      .map(({ name, values: own }) => {
        const known = own.filter(value => value !== null && value !== undefined)
        return known.length > 0
          ? `${name}: now ${show(known.at(-1))}, highest ${show(Math.max(...known))}.`
          : `${name}: no values.`
      })
      .join(' ')

  /** Marks one moment and says its values. */
  function point(index) {
    const time = data.times[index]
    const cursor = drawing.querySelector('.cursor')
    if (time === undefined || !cursor) return hide()
    at = index
    const x = place.x(time)
    fill(
      cursor,
      h('line', { class: 'cursor-line', x1: x, x2: x, y1: margin.top, y2: place.base }),
      kind === 'lines' &&
        data.series.map(({ tone, values: own }) =>
          own[index] === null || own[index] === undefined
            ? null
            : h('circle', { class: `spot tone-${tone}`, cx: x, cy: place.y(own[index]), r: 4 }),
        ),
    )
    fill(
      tip,
      h('p', { class: 'tip-time' }, timeText(time)),
      data.series.map(({ name, tone, values: own }) =>
        h(
          'p',
          {},
          h('span', { class: `swatch tone-${tone}` }),
          h('span', { class: 'tip-name' }, name),
          h('b', {}, show(own[index] ?? null)),
        ),
      ),
    )
    tip.hidden = false
    const isRight = x > place.width / 2
    tip.style.left = isRight ? 'auto' : `${x + 12}px`
    tip.style.right = isRight ? `${place.width - x + 12}px` : 'auto'
  }

  function hide() {
    at = undefined
    tip.hidden = true
    fill(drawing.querySelector('.cursor') ?? said)
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
    said.textContent = `${timeText(data.times[at])}: ${spoken.join(', ')}`
  })
  details.addEventListener('toggle', () => details.open && list())
  new ResizeObserver(() => draw()).observe(plot)

  function list() {
    const rows = data.times
      .map((time, i) => [timeText(time), ...data.series.map(one => show(one.values[i] ?? null))])
      .toReversed()
    fill(
      values,
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['Time', ...data.series.map(one => one.name)].map((text, i) =>
              h('th', { scope: 'col', class: i > 0 && 'number' }, text),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(row =>
            h(
              'tr',
              {},
              row.map((text, i) => h('td', { class: i > 0 && 'number' }, text)),
            ),
          ),
        ),
      ),
    )
  }

  return {
    node,
    update(next) {
      data = next
      fill(
        legend,
        next.series.map(({ name, tone, values: own }) =>
          h(
            'li',
            {},
            h('span', { class: `swatch tone-${tone}` }),
            name,
            kind === 'lines' && h('b', {}, show(own.findLast(value => value !== null && value !== undefined) ?? null)),
          ),
        ),
      )
      draw()
      if (details.open) list()
    },
  }
}
