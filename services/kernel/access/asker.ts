import { create, type DescMethod, type Message } from '@bufbuild/protobuf'
import { type ContextValues, createContextValues, type HandlerContext } from '@connectrpc/connect'
import { type Asker, AskerSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { accessOf, authorize } from './access.ts'
import { type Actor, actorKey } from './actor.ts'
import type { Rights } from './rights.ts'
import type { AccessClaims } from './tokens.ts'

/** The caller, as stored until the request takes effect. Undefined for services. */
export function askerOf(context: Pick<HandlerContext, 'values'>): Asker | undefined {
  const actor = context.values.get(actorKey)
  if (actor.kind === 'credential') {
    const { userId, credentialId, ecosystemId, permissions } = actor.credential
    return create(AskerSchema, { userId, credentialId, ecosystemId, permissions })
  }
  if (actor.kind !== 'person') return undefined
  const { userId, kind, workspaceId } = actor.claims
  return create(AskerSchema, {
    userId,
    isAdministrator: kind === 'administrator',
    workspaceId: workspaceId ?? undefined,
  })
}

/** The claims of a token that the asker would get now. */
export const claimsOfAsker = ({ userId, isAdministrator, workspaceId }: Asker): AccessClaims => ({
  userId,
  email: '',
  isAdmin: false,
  memberId: null,
  workspaceId: workspaceId ?? null,
  roles: [],
  permissions: [],
  sessionId: null,
  kind: isAdministrator ? 'administrator' : 'modern',
  iat: Math.floor(Date.now() / 1_000),
  exp: 0,
})

function actorOfAsker(asker: Asker): Actor {
  const { userId, credentialId, ecosystemId, permissions } = asker
  if (!credentialId) return { kind: 'person', claims: claimsOfAsker(asker) }
  return { kind: 'credential', credential: { credentialId, userId, ecosystemId: ecosystemId ?? '', permissions } }
}

/**
 * Checks the access option of a method as if the asker called it now. Throws a ForbiddenError or a NotFoundError. Whether
 * their account and credential still exist is for the caller to check.
 * @returns the values of that call
 */
export async function authorizeAsker(
  asker: Asker,
  method: DescMethod,
  message: Message | undefined,
  rights: Rights,
): Promise<ContextValues> {
  const values = createContextValues().set(actorKey, actorOfAsker(asker))
  await authorize(accessOf(method), message, values, rights)
  return values
}
