/** Whether this run is the smallest, which shows that a benchmark still runs; its figures mean nothing. */
export const isSmallest = process.argv.includes('--smallest')
const isQuick = process.argv.includes('--quick')

/** The value for a whole run, for `--quick`, or for `--smallest`. */
export function sized(whole: number, quick: number, smallest: number): number
export function sized<T extends unknown[] | []>(whole: T, quick: T, smallest: T): T
export function sized(whole: unknown, quick: unknown, smallest: unknown): unknown {
  if (isSmallest) return smallest
  return isQuick ? quick : whole
}
