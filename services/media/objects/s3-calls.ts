import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { AsyncLocalStorage } from 'node:async_hooks'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { networkFailure, ProviderFailure, statusFailure } from '../../kernel/provider/failure.ts'
import type { Provider } from '../../kernel/provider/provider.ts'

export type BucketSettings = {
  bucket: string
  region: string
  /** Address of an S3-compatible server; without it the region's own at Amazon. */
  endpoint?: string | undefined
  /** Without it the SDK looks where it always does: environment, files, the machine's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/**
 * A client of S3 whose calls, those of the SDK's own upload among them, run as calls to any provider do. All of them can
 * be repeated: a part or an object that is stored twice is stored once, and an upload that nobody ends is swept.
 */
export function bucketClient({ region, endpoint, credentials }: BucketSettings, provider: Provider): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 1,
    // Servers that only speak S3's language know no newer checksums than they must.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
  })
  const tries = new AsyncLocalStorage<AbortSignal>()
  breakOffWith(client, tries)
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      async input => {
        const call = { operation: commandName.replace(/Command$/, ''), repeatable: true }
        const attempt = async (signal: AbortSignal) => {
          try {
            return await tries.run(signal, () => next(input))
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

/** Requests of a try that came too late are broken off: middleware of the SDK has no other way to reach them. */
function breakOffWith({ config: { requestHandler } }: S3Client, tries: AsyncLocalStorage<AbortSignal>): void {
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) => {
    const own = options && 'abortSignal' in options ? options.abortSignal : undefined
    const signals = [own, tries.getStore()].filter(signal => signal instanceof AbortSignal)
    return handle(request, { ...options, abortSignal: AbortSignal.any(signals) })
  }
}

/** What an error of the SDK means: a failure that passes, or the answer that it is. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { $metadata, $response } = error as Partial<S3ServiceException>
  const status = $metadata?.httpStatusCode ?? $response?.statusCode
  if (status === undefined) return networkFailure(error)
  if (status < 300) return new ProviderFailure('unreadable', { cause: error })
  return statusFailure(status, $response?.headers['retry-after'] ?? null, undefined) ?? error
}

/** A store that fails is no fault of the client's, and its own words are for the log. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ProviderFailure)
    return new ExternalServiceError('The storage does not answer, try again', { retryAfterSeconds: 1, cause: error })
  return error
}
