import { create } from '@bufbuild/protobuf'
import { createContextValues } from '@connectrpc/connect'
import { AccessSchema, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { authorize } from '../../services/kernel/access/access.ts'
import { actorKey } from '../../services/kernel/access/actor.ts'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'
import { ForbiddenError, toRpcError, UnauthorizedError } from '../../services/kernel/base/errors.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'

/** The parts of the host that identify a caller, the same for every route of the platform. */
type Doors = Pick<Host, 'tokens' | 'accounts' | 'rights'>

const administrators = create(AccessSchema, { callers: [Caller.PLATFORM_ADMIN], scope: Scope.IDENTITY })

/**
 * Admits a platform administrator with a valid session, by the rule of administrators' RPCs. Throws an
 * UnauthorizedError or a ForbiddenError.
 */
export async function admit(doors: Doors, token: string | undefined): Promise<AccessClaims> {
  const claims = token ? doors.tokens.verify(token) : undefined
  if (!claims || !(await doors.accounts.isValid(claims))) throw new UnauthorizedError()
  const values = createContextValues().set(actorKey, { kind: 'person', claims })
  try {
    await authorize(administrators, undefined, values, doors.rights)
  } catch (error) {
    if (toRpcError(error).info.status !== 403) throw error
    throw new ForbiddenError('The console is for platform administrators')
  }
  return claims
}
