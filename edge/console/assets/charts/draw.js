import { h } from '../dom.js'
import { areaPath, linePath, ticksTo, timeTicks } from './scale.js'

export const margin = { top: 10, right: 8, bottom: 24 }
/** Width of a character on the axes. */
const characterWidth = 7
const nothing = 'No data in this period'

export const isMissing = value => value === null || value === undefined

/** The height of each moment: its highest line, or the sum of its bars. */
const topsOf = ({ times, series }, kind) =>
  times.map((_, i) => {
    const all = series.map(one => one.values[i] ?? 0)
    return kind === 'bars' ? all.reduce((sum, one) => sum + one, 0) : Math.max(0, ...all)
  })

/**
 * The layout: x of a time and y of a value, the edges of the plot, the width of a bar's slot, the values of the grid
 * lines.
 */
export function placesOf(data, { kind, width, height, show, isWhole, unit }) {
  const { times } = data
  const [right, base] = [width - margin.right, height - margin.bottom]
  const tops = topsOf(data, kind)
  const ticks = ticksTo(Math.max(0, ...tops), isWhole, unit)
  const most = ticks.at(-1)
  const left = 14 + characterWidth * Math.max(3, ...ticks.map(value => show(value).length))
  const slot = (right - left) / Math.max(1, times.length)
  const [first, last] = [times[0], times.at(-1)]
  const span = Math.max(1, last - first)
  return {
    y: value => base - (value / most) * (base - margin.top),
    x:
      kind === 'bars'
        ? time => left + (times.indexOf(time) + 0.5) * slot
        : time => left + ((time - first) / span) * (right - left),
    width,
    height,
    left,
    right,
    base,
    slot,
    ticks,
    /** Bars of zero are invisible, lines at zero are not. */
    isEmpty: kind === 'bars' ? !tops.some(Boolean) : tops.length === 0,
  }
}

/** The picture, with an empty group for the cursor. */
export function picture(data, place, { kind, show, axisText }) {
  const { width, height, left, right, base } = place
  return h(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    valueAxis(place, show),
    timeAxis(data.times, place, kind, axisText),
    kind === 'bars' ? bars(data, place) : curves(data, place),
    place.isEmpty &&
      h('text', { class: 'axis', x: (left + right) / 2, y: (margin.top + base) / 2, 'text-anchor': 'middle' }, nothing),
    h('g', { class: 'cursor' }),
  )
}

const valueAxis = ({ ticks, left, right, y }, show) =>
  ticks.map(value => [
    h('line', { class: 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }),
    h('text', { class: 'axis', x: left - 8, y: y(value) + 4, 'text-anchor': 'end' }, show(value)),
  ])

function timeAxis(times, { x, base, width, left }, kind, axisText) {
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

const curves = ({ times, series }, { x, y, base }) =>
  series.map(({ tone, values, fill: isFilled }) => {
    const points = times.map((time, i) => [x(time), isMissing(values[i]) ? null : y(values[i])])
    return [
      isFilled && h('path', { class: `area tone-${tone}`, d: areaPath(points, base) }),
      h('path', { class: `curve tone-${tone}`, d: linePath(points) }),
    ]
  })

function bars({ times, series }, { x, y, slot }) {
  const width = Math.max(1, Math.min(28, slot * 0.7))
  return times.map((time, i) => {
    let sum = 0
    return series.map(({ tone, values }) => {
      const value = values[i] ?? 0
      if (value <= 0) return null
      const top = y(sum + value)
      const bar = h('rect', {
        class: `bar tone-${tone}`,
        x: (x(time) - width / 2).toFixed(1),
        y: top.toFixed(1),
        width: width.toFixed(1),
        height: Math.max(1, y(sum) - top).toFixed(1),
        rx: Math.min(1.5, width / 4),
      })
      sum += value
      return bar
    })
  })
}

/** The cursor of one moment: a line, and a dot on each curve. */
export const cursorAt = (index, { times, series }, { x, y, base }, kind) => {
  const at = x(times[index])
  return [
    h('line', { class: 'cursor-line', x1: at, x2: at, y1: margin.top, y2: base }),
    kind === 'lines' &&
      series.map(({ tone, values }) =>
        isMissing(values[index])
          ? null
          : h('circle', { class: `spot tone-${tone}`, cx: at, cy: y(values[index]), r: 4 }),
      ),
  ]
}

/** A sparkline without axes beside a figure that shows the value, so it is decoration for screen readers. */
export function spark(values, tone = '1') {
  const [width, height] = [120, 32]
  const known = values.filter(value => !isMissing(value))
  if (known.length < 2) return h('span', { class: 'spark' })
  const most = Math.max(...known, Number.EPSILON)
  const points = values.map((value, i) => [
    (i / (values.length - 1)) * width,
    isMissing(value) ? null : height - 2 - (value / most) * (height - 6),
  ])
  return h(
    'svg',
    { class: 'spark', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('path', { class: `area tone-${tone}`, d: areaPath(points, height) }),
    h('path', { class: `curve tone-${tone}`, d: linePath(points) }),
  )
}
