/** A fault that the user can fix: shown as its message alone, without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
