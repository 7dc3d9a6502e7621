/** A fault that the user can fix: shown as its message alone, without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch says only that it failed, and its cause why: for a name with two addresses as a code alone.
  if (error.message === 'fetch failed' && error.cause) return messageOf(error.cause)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

/** Prints one line of progress. */
export type Print = (line: string) => void

/** A duration for people: 0.3 s, 12 s. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}
