/** A fault that the user can fix: shown as its message alone, without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Prints one line of progress. */
export type Print = (line: string) => void

/** A duration for people: 0.3 s, 12 s. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}
