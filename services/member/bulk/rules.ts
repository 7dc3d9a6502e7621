import type { HandlerContext } from '@connectrpc/connect'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { RpcError } from '../../kernel/base/errors.ts'
import { isBlank, isOneLine } from '../../kernel/base/texts/visible.ts'
import type { Context } from '../context.ts'
import type { Inviter } from '../onboarding/cancel.ts'

/** The workspace and the caller of a bulk call. */
export type BulkCall = Pick<Context, 'db' | 'bus' | 'links'> & {
  tenant: Tenant
  caller: Inviter
  context: HandlerContext
}

/** Result of one row. */
export type BulkResult = {
  index: number
  success: boolean
  memberId?: string
  email?: string
  error?: string
  message?: string
}

/** The HTML form of an address, the same as for single requests. */
const address =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

export const isAddress = (text: string): boolean => text.length <= 254 && address.test(text)
/** Why a name cannot be stored; undefined if it can. The same rules as for single requests. */
export function nameFault(text: string): string | undefined {
  if (isBlank(text)) return 'is required'
  if (!isOneLine(text)) return 'must be one line without control characters'
  return Array.from(text).length > 255 ? 'must have at most 255 characters' : undefined
}

/** Turns an expected error into the result of a row; an unexpected one is rethrown and fails the whole call. */
export function toFailure(
  index: number,
  error: unknown,
  identity: Pick<BulkResult, 'memberId' | 'email'> = {},
): BulkResult {
  if (!(error instanceof RpcError) || error.info.status >= 500) throw error
  return { index, success: false, ...identity, error: error.info.class, message: error.rawMessage }
}

/** The results in the order of the request, with totals. */
export function bulkReport(results: BulkResult[]) {
  const succeededCount = results.filter(one => one.success).length
  const orderedResults = results.toSorted((a, b) => a.index - b.index)
  return {
    results: orderedResults,
    total: results.length,
    succeeded: succeededCount,
    failed: results.length - succeededCount,
  }
}

/** Runs a check once per key, so that rows with the same key share its outcome. */
export function oncePerKey<R>(check: (key: string) => Promise<R>): (key: string) => Promise<R> {
  const checks = new Map<string, Promise<R>>()
  return key => {
    const outcome = checks.get(key) ?? check(key)
    checks.set(key, outcome)
    return outcome
  }
}
