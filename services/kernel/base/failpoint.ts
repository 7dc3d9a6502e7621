const named = (place: string): string[] | undefined => {
  const places = process.env['FAILPOINT']?.split(',')
  return places?.includes(place) ? places : undefined
}

/** Kills the process here, without a chance to clean up, when FAILPOINT names this place: for tests of sudden death. */
export function failpoint(place: string): void {
  if (named(place)) process.kill(process.pid, 'SIGKILL')
}

const taken = new Set<string>()

/**
 * The same where several may stand at places of their own, with commas between in FAILPOINT: each keeps the first who
 * comes and awaits this, and tells the parent process; the last one that is taken kills.
 */
export function sharedFailpoint(place: string): Promise<void> | undefined {
  const places = named(place)
  if (!places || taken.has(place)) return undefined
  taken.add(place)
  if (taken.size === places.length) process.kill(process.pid, 'SIGKILL')
  process.send?.({ type: 'held', place })
  return new Promise(() => undefined)
}
