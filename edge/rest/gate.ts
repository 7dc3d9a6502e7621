import type { Request } from 'express'
import { Caller } from '../../gen/platform/options/v1/options_pb.ts'
import { accessOf } from '../../services/kernel/access.option.ts'
import { bearerToken } from '../../services/kernel/bearer.ts'
import { UnauthorizedError } from '../../services/kernel/errors.ts'
import type { Route } from './routes.ts'

/** Whether an access token holds; false for anything that is none. */
export type TokenCheck = (token: string) => boolean

/**
 * Refuses a call without a credential, or with a token that does not hold, before its body is looked at (DECISIONS 54:
 * 401 comes before validation) or written to a disk. Services check again, and are the ones to judge service keys.
 */
export function requireHolding({ method }: Route, { headers }: Request, holds: TokenCheck): void {
  if (accessOf(method).callers.includes(Caller.PUBLIC)) return
  const { authorization } = headers
  if (authorization === undefined) {
    if (headers['x-api-key'] === undefined) throw new UnauthorizedError()
    return
  }
  const token = bearerToken(authorization)
  if (!token || !holds(token)) throw new UnauthorizedError()
}
