import { ConnectError } from '@connectrpc/connect'

/** Retries a read once when the answering process went away midway: another one may be there. */
export async function retryOnce<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const cause = error instanceof ConnectError ? error.cause : undefined
    // An error of gRPC has metadata; one of a call that found no connection hasn't.
    if (!(cause instanceof Error && 'metadata' in cause)) throw error
    return ask()
  }
}
