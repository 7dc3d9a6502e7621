import { areaPath, linePath } from './chart-scale.js'
import { h } from './dom.js'

/** A small line without axes beside a figure that says the value; decoration for everybody else. */
export function spark(values, tone = '1') {
  const [width, height] = [120, 32]
  const known = values.filter(value => value !== null && value !== undefined)
  if (known.length < 2) return h('span', { class: 'spark' })
  const most = Math.max(...known, Number.EPSILON)
  const points = values.map((value, i) => [
    (i / (values.length - 1)) * width,
    value === null || value === undefined ? null : height - 2 - (value / most) * (height - 6),
  ])
  return h(
    'svg',
    { class: 'spark', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('path', { class: `area tone-${tone}`, d: areaPath(points, height) }),
    h('path', { class: `curve tone-${tone}`, d: linePath(points) }),
  )
}
