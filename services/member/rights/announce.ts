import { MemberAccessChangedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import { emit, type EventActor, systemActor } from '../../kernel/bus/events.ts'
import { rightsChangedSubject } from '../../kernel/access/rights.ts'
import type { Trx } from '../rows.ts'

/** Whose rights changed, and where: in one workspace, or in the whole ecosystem when none is named. */
export type AccessChange = { memberIds: string[]; workspaceId?: string; ecosystemId: string }

/** More than these are told of as everybody. */
const mostNamed = 1000

/**
 * Says that rights changed: an event for those who keep records, and a word over the bus at
 * commit, so that caches and sockets of every process follow at once.
 */
export async function announceAccess(trx: Trx, bus: Bus, change: AccessChange): Promise<void> {
  const { workspaceId, ecosystemId } = change
  const memberIds = change.memberIds.length > mostNamed ? [] : change.memberIds
  await emit(
    trx,
    MemberAccessChangedSchema,
    { id: memberIds[0] ?? workspaceId ?? ecosystemId, memberIds, workspaceId, ecosystemId },
    {
      workspaceId: workspaceId ?? '',
      ecosystemId,
      channels: ['socket'],
      actor: systemActor,
      receiverIds: memberIds,
    },
  )
  forgetRights(trx, bus, { memberIds, workspaceId })
}

/** Tells every process, at commit, to forget what it remembers of these rights; without members, of all. */
export const forgetRights = (
  trx: Trx,
  bus: Bus,
  stale: { memberIds: string[]; workspaceId?: string | undefined },
): void => afterCommit(trx, () => bus.publishCore(rightsChangedSubject, JSON.stringify(stale)))

/** A member as the actor of an event. */
export const memberActor = (member: { id: string; first_name: string; last_name: string }): EventActor => ({
  id: member.id,
  name: `${member.first_name} ${member.last_name}`,
  type: 'member',
})
