import type { Response } from 'express'
import type { ProviderName } from './state.ts'

const googleStatus: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
}

const words: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  410: 'Gone',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

const s3Code: Record<number, string> = { 400: 'BadRequest', 404: 'NoSuchKey', 413: 'EntityTooLarge', 429: 'SlowDown' }

/**
 * An error in the provider's format, for faults, unknown routes and unreadable bodies: an object for JSON, or XML text.
 */
export function providerError(provider: ProviderName, status: number, message = words[status] ?? 'Error'): unknown {
  if (provider === 'email') return { errors: [{ message, field: null, help: null }] }
  if (provider === 'onesignal') return { errors: [message] }
  if (provider === 'fcm') {
    return { error: { code: status, message, status: googleStatus[status] ?? 'INTERNAL' } }
  }
  if (provider === 'chat') {
    const code = status === 429 ? 500910 : status >= 500 ? 500901 : status === 404 ? 400201 : 400111
    return { error: true, code, message }
  }
  if (provider === 'payment') {
    return {
      error: {
        type: status >= 500 ? 'api_error' : 'invalid_request_error',
        ...(status === 429 && { code: 'rate_limit' }),
        message,
      },
    }
  }
  if (provider === 'storage') return errorXml(s3Code[status] ?? 'InternalError', message)
  if (provider === 'errors') return { detail: message }
  if (provider === 'webpush') return { code: status, errno: status, message }
  return { cod: status, message }
}

/** Answers with an error of the provider. */
export function sendProviderError(res: Response, status: number, error: unknown): void {
  res.status(status)
  if (typeof error === 'string') res.type('application/xml').end(error)
  else res.type('application/json').end(JSON.stringify(error))
}

/** An error in S3's format. */
export const errorXml = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
