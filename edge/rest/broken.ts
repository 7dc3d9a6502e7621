import { type Client, ConnectError } from '@connectrpc/connect'
import type { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { toRpcError } from '../../services/kernel/base/errors.ts'
import { copyLimitHeaders, quotaFields } from '../../services/kernel/rpc/limits/quota.ts'

type Answer = Parameters<typeof copyLimitHeaders>[1]

/** A refused request: its route's path, its client's address, the error, and the answer that takes the limit headers. */
type RefusedRequest = { path: string; address: string | undefined; thrown: unknown; answer: Answer }

/** @returns the error to send: the one that was thrown, or a 429 */
export type CountRefusal = (request: RefusedRequest) => Promise<unknown>

/** The statuses of a body that can't be read, fails its schema, is too large, or has the wrong type. */
const countedStatuses: ReadonlySet<number> = new Set([400, 413, 415])

/** Whether the service counted the request before it refused it: its refusal then has limit headers. */
const isCounted = (thrown: unknown): boolean =>
  thrown instanceof ConnectError && quotaFields.some(name => thrown.metadata.has(name))

/**
 * Has the authentication service count requests below /auth that are refused before it counts them itself. Otherwise
 * broken requests would be unlimited. While the service is away, the refusal alone is the answer.
 */
export function refusalCounter(client: Client<typeof AccountService>): CountRefusal {
  return async ({ path, address, thrown, answer }) => {
    if (!path.startsWith('/auth/') || isCounted(thrown) || !countedStatuses.has(toRpcError(thrown).info.status))
      return thrown
    const clientIp = address?.slice(0, 64)
    const onHeader = (headers: Headers) => copyLimitHeaders(headers, answer)
    try {
      await client.countBroken(
        { ...(clientIp ? { clientIp } : {}), isSignIn: path.startsWith('/auth/login') },
        { onHeader },
      )
      return thrown
    } catch (error) {
      return toRpcError(error).info.status === 429 ? error : thrown
    }
  }
}
