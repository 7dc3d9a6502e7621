/** A fault the person at the keyboard can mend: shown as its message alone, without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
