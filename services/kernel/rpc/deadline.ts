import type { Interceptor } from '@connectrpc/connect'
import { ServiceUnavailableError } from '../base/errors.ts'

/**
 * Longest duration of a call, in ms, wherever it runs. Setting up a hotel, the longest legitimate call, calls four
 * providers of five seconds each, at worst twice.
 */
export const longestCallMs = 60_000

/** Ends the wait for a unary call after `ms` with a 503. The handler isn't interrupted: it completes its writes. */
export const deadline =
  (ms: number = longestCallMs): Interceptor =>
  next =>
  request => {
    if (request.stream) return next(request)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ServiceUnavailableError('The call took too long')), ms)
      // A refusal thrown synchronously must not leave the timer running either.
      const answer = async () => next(request)
      answer()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }
