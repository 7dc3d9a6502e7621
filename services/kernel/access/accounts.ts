import type { Client } from '@connectrpc/connect'
import { LRUCache } from 'lru-cache'
import type { AccountService, GetAccountStateResponse } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { ServiceUnavailableError, toPlatformError } from '../base/errors.ts'
import { retryOnce } from './retried-once.ts'
import type { AccessClaims } from './tokens.ts'

/** Checks whether the account and the session behind a token are still valid. */
export type Accounts = {
  /**
   * False once the account is off, the session has ended or the token is older than a revocation. Throws a
   * ServiceUnavailableError.
   */
  stand(claims: AccessClaims): Promise<boolean>
  /** Drops the cached state of one account, or of all accounts. */
  evict(userId?: string): void
}

type Options = {
  /** For tests only: people unknown to the authentication service count as signed in. */
  strangers?: boolean
  now?: () => number
}

type Entry = { state: Promise<State>; from: number; isBeingLoaded: boolean }
type State = Pick<GetAccountStateResponse, 'isActive' | 'sessionActive' | 'tokensValidFrom'> | 'unknown' | 'unreachable'

/** As with rights, a revocation takes effect everywhere within a second, even if its message is lost. */
const maxAgeMs = 800
/** Entries in use are refreshed before they expire, so that no call waits. */
const renewedAfterMs = 400
const patienceMs = 1_000

/** How long a modern token is valid on its own while the authentication service is away, in seconds [D124]. */
const graceSeconds = 900

/** Account states from the authentication service, cached for less than a second and until `evict`. */
export function accountsFrom(client: () => Client<typeof AccountService>, options: Options = {}): Accounts {
  const { strangers = false, now = Date.now } = options
  const cache = new LRUCache<string, Entry>({ max: 10_000, ttl: maxAgeMs })

  const load = async (userId: string, sessionId: string | null): Promise<State> => {
    try {
      const asked = sessionId ? { userId, sessionId } : { userId }
      return await retryOnce(() => client().getAccountState(asked, { timeoutMs: patienceMs }))
    } catch (error) {
      const { status } = toPlatformError(error).info
      return status === 404 || status === 400 ? 'unknown' : 'unreachable'
    }
  }
  const stateOf = ({ userId, sessionId }: AccessClaims): Promise<State> => {
    const key = `${userId} ${sessionId ?? ''}`
    const held = cache.get(key)
    if (held) {
      renew(key, held, userId, sessionId)
      return held.state
    }
    const state = load(userId, sessionId)
    const entry: Entry = { state, from: performance.now(), isBeingLoaded: true }
    cache.set(key, entry)
    void state.then(() => {
      entry.isBeingLoaded = false
    })
    return state
  }
  const renew = (key: string, held: Entry, userId: string, sessionId: string | null): void => {
    const from = performance.now()
    if (held.isBeingLoaded || from - held.from < renewedAfterMs) return
    held.isBeingLoaded = true
    const state = load(userId, sessionId)
    void state.then(settled => {
      // If it was forgotten meanwhile or the service was unreachable, the next call asks. Age counts from the question.
      if (settled !== 'unreachable' && cache.peek(key) === held)
        cache.set(key, { state, from, isBeingLoaded: false }, { start: from })
    })
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
    stand: async claims => judge(await stateOf(claims), claims),
    evict(userId) {
      if (userId === undefined) return cache.clear()
      for (const key of cache.keys()) if (key.startsWith(userId)) cache.delete(key)
    },
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
    const named: unknown = userId ?? payload?.userId
    return typeof named === 'string' && named ? named : undefined
  } catch {
    return undefined
  }
}
