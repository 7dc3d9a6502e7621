/** Whether this run is the smallest, which shows that a benchmark still runs; its figures mean nothing. */
export const isSmallest = process.argv.includes('--smallest')
const isQuick = process.argv.includes('--quick')

/** The value for a whole run, for `--quick`, or for `--smallest`. */
export function bySize(complete: number, quick: number, smallest: number): number
export function bySize<T extends unknown[] | []>(complete: T, quick: T, smallest: T): T
export function bySize(complete: unknown, quick: unknown, smallest: unknown): unknown {
  if (isSmallest) return smallest
  return isQuick ? quick : complete
}
