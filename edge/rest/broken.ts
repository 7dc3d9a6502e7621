import { type Client, ConnectError } from '@connectrpc/connect'
import type { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { toPlatformError } from '../../services/kernel/base/errors.ts'
import { passQuota, quotaFields } from '../../services/kernel/rpc/limits/quota.ts'

/** Where answers say what is left of a limit. */
type Answer = Parameters<typeof passQuota>[1]

/** A request that was refused: the path of its route, whom it came from, what it is refused with, and its answer. */
export type Refused = { path: string; address: string | undefined; thrown: unknown; answer: Answer }

/** @returns what the request is refused with in the end */
export type CountBroken = (refused: Refused) => Promise<unknown>

/** Bodies that cannot be read, fail their schema, are too large, or are of another type. */
const broken: ReadonlySet<number> = new Set([400, 413, 415])

/** Whether the service counted the request before it refused it: it then tells of the limit. */
const isCounted = (thrown: unknown): boolean =>
  thrown instanceof ConnectError && quotaFields.some(name => thrown.metadata.has(name))

/**
 * Has the authentication service count requests below /auth that it never came to count itself, or somebody could send
 * broken ones for ever (document 1, "Limits"; decision 260). While it is away the refusal alone is the answer.
 */
export function brokenCounter(client: Client<typeof AccountService>): CountBroken {
  return async ({ path, address, thrown, answer }) => {
    if (!path.startsWith('/auth/') || isCounted(thrown) || !broken.has(toPlatformError(thrown).info.status))
      return thrown
    const clientIp = address?.slice(0, 64)
    const onHeader = (told: Headers) => passQuota(told, answer)
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
