import { ConnectError } from '@connectrpc/connect'

const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

/** Retries a read once when the answering process went away midway: another one may be there. */
export async function retryOnce<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const cause = error instanceof ConnectError ? error.cause : undefined
    if (!(cause instanceof Error && 'code' in cause && closedCodes.has(cause.code))) throw error
    return ask()
  }
}
