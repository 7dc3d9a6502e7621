import type { Client } from '@connectrpc/connect'
import type { AccountService, VerifyCredentialResponse } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { toRpcError } from '../base/errors.ts'
import { digest } from '../base/secrets.ts'
import { answerCache } from '../base/share.ts'
import { retryOnce } from './retry-once.ts'
import { type MemberAccess, maxAccessAgeMs, maxLookUpMs, type OpenTenants } from './rights.ts'

/** The credential that a pair of X-API-Key and X-API-Secret identifies. */
export type Credential = Pick<VerifyCredentialResponse, 'credentialId' | 'userId' | 'ecosystemId' | 'permissions'>

/** Checks a pair. Undefined when it is unknown, wrong, revoked or expired, or its owner is inactive. */
export type VerifyCredential = (apiKey: string, apiSecret: string) => Promise<Credential | undefined>

/** Credentials from the authentication service, cached under their digest for less than a second. */
export function credentialsFrom(client: () => Client<typeof AccountService>): VerifyCredential {
  const cache = answerCache({ max: 1_000, ttl: maxAccessAgeMs })
  return (apiKey, apiSecret) =>
    cache.get(digest(`${apiKey}\n${apiSecret}`), () =>
      retryOnce(() => client().verifyCredential({ apiKey, apiSecret }, { timeoutMs: maxLookUpMs })).catch(
        (error: unknown) => {
          const { status } = toRpcError(error).info
          if (status === 401 || status === 400) return undefined
          throw error
        },
      ),
    )
}

/**
 * The tenants open to a credential: those of its owner within one ecosystem, with only the permissions that the
 * credential carries. It administers none of them.
 */
export function tenantsOfCredential(credential: Credential, owner: MemberAccess): OpenTenants {
  const carried = new Set(credential.permissions)
  const narrowed = <T extends { ecosystemId: string; permissions: string[] }>(memberships: T[]): T[] =>
    memberships
      .filter(one => one.ecosystemId === credential.ecosystemId)
      .map(one => ({ ...one, permissions: one.permissions.filter(slug => carried.has(slug)) }))
  return {
    workspaces: narrowed(owner.workspaces).map(one => ({
      ...one,
      role: one.role === 'admin' ? 'member' : one.role,
      isAdmin: false,
    })),
    // Owners and administrators hold every ecosystem permission by role; a credential holds only what it carries.
    ecosystems: narrowed(
      owner.ecosystems.map(one =>
        one.isOwner || one.role === 'admin' ? { ...one, permissions: credential.permissions } : one,
      ),
    ).map(one => ({ ...one, role: 'member', isOwner: false })),
  }
}
