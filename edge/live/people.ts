import type { MemberAccess } from '../../services/kernel/access/rights.ts'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'

/** The person of a socket. */
export type Identity = {
  token: string
  claims: AccessClaims
  /** Member id; undefined for a legacy Administrator account. */
  memberId: string | undefined
  /** Workspaces that see whether the member is online. */
  workspaceIds: string[]
  /** The member has chosen not to appear online. */
  isInvisible: boolean
  /** The id that counts a person's sockets: the member id, or else the user id. */
  personId: string
}

/** A person's current rights. */
export type CurrentRights = { access: MemberAccess | undefined; isPlatform: boolean }

/** A person whose token is being checked, without a socket yet that a revocation could close. */
export type VerifiedClaims = { claims: AccessClaims; isRevoked: boolean }
