import type { Provider } from './state.ts'

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
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

/** An error in the shape the provider gives it, for faults, unknown routes and unreadable bodies. */
export function providerError(provider: Provider, status: number, message = words[status] ?? 'Error'): unknown {
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
  return { cod: status, message }
}
