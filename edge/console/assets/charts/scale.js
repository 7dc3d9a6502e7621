/** A round step so that about `wanted` of them reach `most`: 1, 2 or 5 times a power of ten. */
function stepFor(most, wanted) {
  const rough = most / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map(one => one * power).find(step => step >= rough) ?? rough
}

/** Values of the grid lines from 0 up, round in a unit; whole numbers if `isWhole`. */
export function ticksTo(most, isWhole, unit = 1) {
  if (unit !== 1) return ticksTo(most / unit, isWhole).map(tick => tick * unit)
  if (!(most > 0)) return [0, 1]
  const step = isWhole ? Math.max(1, stepFor(most, 4)) : stepFor(most, 4)
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

const minute = 60_000
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080].map(one => one * minute)

/** At most `wanted` round moments between two, in UTC. */
export function timeTicks(from, to, wanted) {
  const step = timeSteps.find(one => (to - from) / one <= wanted) ?? timeSteps.at(-1)
  const first = Math.ceil(from / step) * step
  const ticks = []
  for (let at = first; at <= to; at += step) ticks.push(at)
  return ticks
}

/** A path through points; a missing value is a gap. @param points [x, y or null] */
export function linePath(points) {
  let path = ''
  let isOpen = false
  for (const [x, y] of points) {
    if (y === null) {
      isOpen = false
      continue
    }
    path += `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    isOpen = true
  }
  return path
}

/** The path closed at a base line: one area per stretch without a gap. */
export function areaPath(points, base) {
  const stretches = [[]]
  for (const point of points) {
    if (point[1] === null) stretches.push([])
    else stretches.at(-1).push(point)
  }
  return stretches
    .filter(one => one.length > 1)
    .map(one => `${linePath(one)}L${one.at(-1)[0].toFixed(1)} ${base}L${one[0][0].toFixed(1)} ${base}Z`)
    .join('')
}
