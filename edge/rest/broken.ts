import { type Client, ConnectError } from '@connectrpc/connect'
import type { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { toPlatformError } from '../../services/kernel/base/errors.ts'
import { passQuota, quotaFields } from '../../services/kernel/rpc/limits/quota.ts'

/** Receives the limit headers. */
type Answer = Parameters<typeof passQuota>[1]

/** A refused request: the path of its route, its address, its refusal and its answer. */
export type RefusedRequest = { path: string; address: string | undefined; thrown: unknown; answer: Answer }

/** @returns the final refusal of the request */
export type CountBroken = (refused: RefusedRequest) => Promise<unknown>

/** Bodies that can't be read, fail their schema, are too large, or have another type. */
const brokenStatuses: ReadonlySet<number> = new Set([400, 413, 415])

/** Whether the service counted the request before it refused it: its refusal then has limit headers. */
const isCounted = (thrown: unknown): boolean =>
  thrown instanceof ConnectError && quotaFields.some(name => thrown.metadata.has(name))

/**
 * Has the authentication service count requests below /auth that are refused before it counts them itself. Otherwise
 * broken requests would be unlimited. While the service is away, the refusal alone is the answer.
 */
export function brokenCounter(client: Client<typeof AccountService>): CountBroken {
  return async ({ path, address, thrown, answer }) => {
    if (!path.startsWith('/auth/') || isCounted(thrown) || !brokenStatuses.has(toPlatformError(thrown).info.status))
      return thrown
    const clientIp = address?.slice(0, 64)
    const onHeader = (headers: Headers) => passQuota(headers, answer)
    try {
      await client.countBroken(
        { ...(clientIp ? { clientIp } : {}), isSignIn: path.startsWith('/auth/login') },
        { onHeader },
      )
      return thrown
    } catch (error) {
      return toPlatformError(error).info.status === 429 ? error : thrown
    }
  }
}
