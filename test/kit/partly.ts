import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import { NotFoundError } from '../../services/kernel/base/errors.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Rpc } from '../../services/kernel/rpc/implement.ts'
import { implement } from '../../services/kernel/rpc/implement.ts'
import { type RpcServer, startRpcServer } from '../../services/kernel/rpc/server.ts'

/** A stand-in for a service: methods without a handler answer 501. */
export const partly = <S extends DescService>(service: S, handlers: Partial<ServiceImpl<S>>): Rpc =>
  implement(service, handlers as ServiceImpl<S>)

/** What the member service answers about a user. Without an ecosystem, they belong to none. */
export type StandInMember = { memberId: string; ecosystemId: string; permissions: string[]; isSuperAdmin: boolean }

/** A new member of a new ecosystem without rights. */
export const standInMember = (fields: Partial<StandInMember>): StandInMember => ({
  memberId: newId(),
  ecosystemId: newId(),
  permissions: [],
  isSuperAdmin: false,
  ...fields,
})

/** Stands in for the member service, answering from a table of members by user id. */
export function startMemberStandIn(
  members: ReadonlyMap<string, StandInMember>,
  handlers: Partial<ServiceImpl<typeof AccessService>> = {},
): Promise<RpcServer> {
  const access = partly(AccessService, {
    async getAccess({ userId }) {
      const member = members.get(userId)
      if (!member) throw new NotFoundError('Member not found')
      const { memberId, ecosystemId, permissions, isSuperAdmin } = member
      const ecosystems = ecosystemId ? [{ ecosystemId, role: 'member', isOwner: false, permissions }] : []
      return { memberId, userId, isSuperAdmin, ecosystems }
    },
    ...handlers,
  })
  return startRpcServer({ rpcs: [access], interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })
}
