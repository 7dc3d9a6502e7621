const taken = new Set<string>()

/**
 * Kills the process here, without a chance to clean up, when FAILPOINT names this place: for tests of sudden death. Of
 * several places, with commas between, each keeps the first who comes and awaits this, and tells the parent process; the
 * last one that is taken kills.
 */
export function failpoint(place: string): Promise<void> | undefined {
  const places = process.env['FAILPOINT']?.split(',')
  if (!places?.includes(place) || taken.has(place)) return undefined
  taken.add(place)
  if (taken.size === places.length) process.kill(process.pid, 'SIGKILL')
  process.send?.({ type: 'held', place })
  return new Promise(() => undefined)
}
