/** Offset of a time zone from UTC at a moment, in ms. */
function offsetAt(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: string) => Number(parts.find(part => part.type === type)?.value)
  const wall = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return wall - Math.floor(at.getTime() / 1_000) * 1_000
}

/** Start of the day and of the month of `now` in a time zone. */
export function startsIn(zone: string, now: Date): { day: Date; month: Date } {
  const wall = new Date(now.getTime() + offsetAt(zone, now))
  const startOf = (date: number): Date => {
    const midnight = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), date)
    // The offset at midnight can differ from the present one when the clocks change in between.
    const first = new Date(midnight - offsetAt(zone, new Date(midnight)))
    return new Date(midnight - offsetAt(zone, first))
  }
  return { day: startOf(wall.getUTCDate()), month: startOf(1) }
}
