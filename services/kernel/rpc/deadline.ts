import type { Interceptor } from '@connectrpc/connect'
import { ServiceUnavailableError } from '../base/errors.ts'

/**
 * Longest time that a call may take, in ms, wherever it runs. Setting up a hotel calls four
 * providers of five seconds each, twice in the worst case; nothing honest takes longer.
 */
export const longestCallMs = 60_000

/** Ends the wait for a unary call after `ms` with a 503. The handler's own work is not cut: what it writes, it writes whole. */
export const deadline =
  (ms: number = longestCallMs): Interceptor =>
  next =>
  request => {
    if (request.stream) return next(request)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ServiceUnavailableError('The call took too long')), ms)
      // A refusal may be thrown at once, too, and must not leave the timer running.
      const answer = async () => next(request)
      answer()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }
