import { AsyncLocalStorage } from 'node:async_hooks'
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { networkFailure, ProviderFailure, statusFailure } from '../../kernel/provider/failure.ts'
import type { Provider } from '../../kernel/provider/provider.ts'

export type BucketSettings = {
  bucket: string
  region: string
  /** Address of an S3-compatible server; defaults to Amazon's for the region. */
  endpoint?: string | undefined
  /** Defaults to the SDK's own lookup: environment, files, the machine's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/**
 * An S3 client whose calls, including those of the SDK's upload, go through the provider's retries and limits. All are
 * safe to repeat: storing a part or object again replaces it, and abandoned uploads are deleted later.
 */
export function bucketClient({ region, endpoint, credentials }: BucketSettings, provider: Provider): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 1,
    // Other S3-compatible servers may not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
  })
  const attemptSignals = new AsyncLocalStorage<AbortSignal>()
  abortTimedOutAttempts(client, attemptSignals)
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      async input => {
        const call = { operation: commandName.replace(/Command$/, ''), isRepeatable: true }
        const attempt = async (signal: AbortSignal) => {
          try {
            return await attemptSignals.run(signal, () => next(input))
          } catch (error) {
            throw failureOf(error)
          }
        }
        try {
          return await provider.call(call, attempt)
        } catch (error) {
          throw refusalOf(error)
        }
      },
    { name: 'provider', step: 'initialize', priority: 'high' },
  )
  return client
}

/** Aborts the requests of an attempt that timed out; SDK middleware can't reach them otherwise. */
function abortTimedOutAttempts(
  { config: { requestHandler } }: S3Client,
  attemptSignals: AsyncLocalStorage<AbortSignal>,
): void {
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) => {
    const callerSignal = options && 'abortSignal' in options ? options.abortSignal : undefined
    const signals = [callerSignal, attemptSignals.getStore()].filter(signal => signal instanceof AbortSignal)
    return handle(request, { ...options, abortSignal: AbortSignal.any(signals) })
  }
}

/** Classifies an SDK error: a temporary failure, which is retried, or the error itself, which the caller gets. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { $metadata, $response } = error as Partial<S3ServiceException>
  const status = $metadata?.httpStatusCode ?? $response?.statusCode
  if (status === undefined) return networkFailure(error)
  if (status < 300) return new ProviderFailure('unreadable', { cause: error })
  return statusFailure(status, $response?.headers['retry-after'] ?? null, undefined) ?? error
}

/** The error for the caller: a 502 for a failing store, whose own message goes to the log only. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ProviderFailure)
    return new ExternalServiceError('The storage is not responding, try again', { retryAfterSeconds: 1, cause: error })
  return error
}
