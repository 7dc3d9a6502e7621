import { ConnectError } from '@connectrpc/connect'

const goneCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

/** Asks what only reads once more when the process that was asked went away in the middle: another one may be there. */
export async function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const cause = error instanceof ConnectError ? error.cause : undefined
    if (!(cause instanceof Error && 'code' in cause && goneCodes.has(cause.code))) throw error
    return ask()
  }
}
