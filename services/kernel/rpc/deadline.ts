import { Code, type Interceptor } from '@connectrpc/connect'
import { RpcError } from '../base/errors.ts'

/**
 * Longest duration of a call, in ms, wherever it runs. Setting up a hotel, the longest legitimate call, calls four
 * providers of five seconds each, at worst twice.
 */
export const longestCallMs = 60_000

export const lateError = (): RpcError =>
  new RpcError('ServiceUnavailableError', 503, Code.DeadlineExceeded, 'The call took too long')

/**
 * Ends the wait for a call after `ms` with a 503. A handler isn't interrupted: it completes its writes.
 * @param call gets a signal that aborts when the time is up
 */
export function within<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(lateError())
      deadline.abort()
    }, ms)
    // A refusal thrown synchronously must not leave the timer running either.
    const answer = async () => call(deadline.signal)
    answer()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** Ends the wait for a unary call after `ms`. */
export const deadline =
  (ms: number = longestCallMs): Interceptor =>
  next =>
  request =>
    request.stream ? next(request) : within(ms, () => next(request))
