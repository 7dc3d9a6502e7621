/** Milliseconds by which the wall clock of a zone is ahead of UTC at a moment. */
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

/** The moments at which the day and the month of `now` began by the clocks of a zone. */
export function startsIn(zone: string, now: Date): { day: Date; month: Date } {
  const wall = new Date(now.getTime() + offsetAt(zone, now))
  const startOf = (date: number): Date => {
    const midnight = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), date)
    // The offset at midnight may differ from the present one: clocks change in between.
    const first = new Date(midnight - offsetAt(zone, new Date(midnight)))
    return new Date(midnight - offsetAt(zone, first))
  }
  return { day: startOf(wall.getUTCDate()), month: startOf(1) }
}
