const placesWith = (place: string): string[] | undefined => {
  const places = process.env['FAILPOINT']?.split(',')
  return places?.includes(place) ? places : undefined
}

/** For crash tests: kills the process here, without cleanup, when FAILPOINT names this place. */
export function failpoint(place: string): void {
  if (placesWith(place)) process.kill(process.pid, 'SIGKILL')
}

const reachedPlaces = new Set<string>()

/**
 * Like `failpoint`, for several comma-separated places in FAILPOINT. Each place holds its first arrival, which awaits
 * this, and notifies the parent process. The last place reached kills the process.
 */
export function sharedFailpoint(place: string): Promise<void> | undefined {
  const places = placesWith(place)
  if (!places || reachedPlaces.has(place)) return undefined
  reachedPlaces.add(place)
  if (reachedPlaces.size === places.length) process.kill(process.pid, 'SIGKILL')
  process.send?.({ type: 'held', place })
  return new Promise(() => undefined)
}
