import type { Client } from '@connectrpc/connect'
import type {
  AccessService,
  GetAccessResponse,
  GetWorkspaceTenantResponse,
} from '../../../gen/platform/access/v1/access_pb.ts'
import { toRpcError } from '../base/errors.ts'
import { answerCache } from '../base/share.ts'
import type { Bus } from '../bus/bus.ts'
import { retryOnce } from './retry-once.ts'

/** Rights of one member in all tenants. */
export type MemberAccess = GetAccessResponse

/** The workspaces and ecosystems open to a caller, with the caller's rights in each. */
export type OpenTenants = Pick<MemberAccess, 'workspaces' | 'ecosystems'>

/** Looks up rights. */
export type Rights = {
  /**
   * Rights of the member behind a user; undefined when there is no active member.
   * @param ecosystemId of the credential that the user owns. A platform administrator holds every right in it
   */
  ofUser(userId: string, ecosystemId?: string): Promise<MemberAccess | undefined>
  /** Rights of a member; undefined when there is no such active member. */
  ofMember(memberId: string): Promise<MemberAccess | undefined>
  /** Name and ecosystem of a workspace, independent of the caller. */
  workspace(workspaceId: string): Promise<GetWorkspaceTenantResponse | undefined>
  /** Drops the cache. Called when rights change. */
  evict(): void
}

/**
 * Cached rights, accounts, credentials and audiences are younger than this: a change takes effect everywhere within a
 * second, as documented, even if its message is lost.
 */
export const maxAccessAgeMs = 800
/** Every call waits for its rights: while the member service hangs, they fail long before a call's own limit. */
export const maxLookUpMs = 5_000

async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await retryOnce(ask)
  } catch (error) {
    if (toRpcError(error).info.status === 404) return undefined
    throw error
  }
}

/**
 * Rights from the member service, cached for less than a second and until `evict`.
 * @param timeoutMs limit of a lookup, in ms; a ServiceUnavailableError beyond it
 */
export function rightsFrom(client: () => Client<typeof AccessService>, timeoutMs = maxLookUpMs): Rights {
  const cache = answerCache({ max: 10_000, ttl: maxAccessAgeMs })
  const limited = { timeoutMs }
  return {
    ofUser: (userId, ecosystemId = '') =>
      cache.get(`u${userId}${ecosystemId}`, () =>
        orUndefined(() => client().getAccess({ userId, ecosystemId }, limited)),
      ),
    ofMember: memberId => cache.get(`m${memberId}`, () => orUndefined(() => client().getAccess({ memberId }, limited))),
    workspace: workspaceId =>
      cache.get(`w${workspaceId}`, () => orUndefined(() => client().getWorkspaceTenant({ workspaceId }, limited))),
    evict: () => cache.clear(),
  }
}

/** Core subject that makes every process drop cached rights. */
export const rightsChangedSubject = 'internal.rights-changed'

/**
 * Reads a message on that subject: the members whose rights changed. No member means all of the workspace; no workspace
 * either, everyone.
 */
export function readRightsChange(data: Uint8Array): { memberIds: string[]; workspaceId: string | undefined } {
  const { memberIds, workspaceId } = Object(data.length === 0 ? {} : JSON.parse(Buffer.from(data).toString()))
  return {
    memberIds: Array.isArray(memberIds) ? memberIds.filter(id => typeof id === 'string') : [],
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
  }
}

/**
 * The bus, with this process's cached rights dropped before a change is published: the next call in this process
 * already sees the change. Other processes follow a moment later.
 */
export const dropRightsFirst = (bus: Bus, rights: Pick<Rights, 'evict'>): Bus => ({
  ...bus,
  publishCore(subject, data) {
    if (subject === rightsChangedSubject) rights.evict()
    return bus.publishCore(subject, data)
  },
})
