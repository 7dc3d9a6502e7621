import type { Client } from '@connectrpc/connect'
import type { AccountService, GetAccountStateResponse } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { ServiceUnavailableError, toRpcError } from '../base/errors.ts'
import { answerCache } from '../base/share.ts'
import { retryOnce } from './retry-once.ts'
import { maxAccessAgeMs } from './rights.ts'
import type { AccessClaims } from './tokens.ts'

/** Checks whether the account and the session behind a token are still valid. */
export type Accounts = {
  /**
   * False once the account is off, the session has ended or the token is older than a revocation. Throws a
   * ServiceUnavailableError.
   */
  isValid(claims: AccessClaims): Promise<boolean>
  /** Drops the cached state of one account, or of all accounts. */
  evict(userId?: string): void
}

type Options = {
  /** For tests only: people unknown to the authentication service count as signed in. */
  strangers?: boolean
  now?: () => number
}

type State = Pick<GetAccountStateResponse, 'isActive' | 'sessionActive' | 'tokensValidFrom'> | 'unknown' | 'unreachable'

const patienceMs = 1_000

/** How long a modern token is valid on its own while the authentication service is away, in seconds [D124]. */
const graceSeconds = 900

/** Account states from the authentication service, cached for less than a second and until `evict`. */
export function accountsFrom(client: () => Client<typeof AccountService>, options: Options = {}): Accounts {
  const { strangers = false, now = Date.now } = options
  const cache = answerCache({ max: 10_000, ttl: maxAccessAgeMs })

  const load = async ({ userId, sessionId, kind }: AccessClaims): Promise<State> => {
    try {
      const request = { userId, isLegacy: kind === 'legacy', ...(sessionId ? { sessionId } : {}) }
      return await retryOnce(() => client().getAccountState(request, { timeoutMs: patienceMs }))
    } catch (error) {
      const { status } = toRpcError(error).info
      return status === 404 || status === 400 ? 'unknown' : 'unreachable'
    }
  }
  const judge = (state: State, { kind, iat }: AccessClaims): boolean => {
    if (state === 'unknown') return strangers
    if (state === 'unreachable') {
      if (kind === 'modern' && iat + graceSeconds > now() / 1000) return true
      throw new ServiceUnavailableError()
    }
    // Token times are whole seconds: a token issued in the second of a revocation, after it, must be valid.
    const validFrom = Number(state.tokensValidFrom?.seconds ?? 0)
    return state.isActive && state.sessionActive && iat >= validFrom
  }

  return {
    async isValid(claims) {
      const key = `${claims.userId} ${claims.sessionId ?? ''} ${claims.kind}`
      return judge(await cache.get(key, () => load(claims)), claims)
    },
    evict: userId => cache.clear(userId),
  }
}

/** Core subject that notifies every process of ended sign-ins: {userId}. */
export const signInsEndedSubject = 'internal.sign-ins-ended'
/** The account events, which report the same once they are relayed. */
const accountEvents = 'platform.auth.user.*'

type CoreBus = { subscribeCore(subject: string, handler: (data: Uint8Array) => void): () => void }

/** Drops cached accounts when an account event arrives. */
export function dropEndedSignIns(bus: CoreBus, accounts: Accounts): void {
  for (const subject of [signInsEndedSubject, accountEvents])
    bus.subscribeCore(subject, data => accounts.evict(userIdOf(data)))
}

/** The account that a message names. Undefined for an unreadable message, which drops all. */
function userIdOf(data: Uint8Array): string | undefined {
  try {
    const { userId, payload } = JSON.parse(Buffer.from(data).toString())
    const id: unknown = userId ?? payload?.userId
    return typeof id === 'string' && id ? id : undefined
  } catch {
    return undefined
  }
}
