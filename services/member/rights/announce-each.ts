import { MemberRoleUpdatedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { type EventActor, emitAll } from '../../kernel/bus/events.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Trx } from '../rows.ts'

type Membership = { member_id: string; workspace_role: string; is_admin: number; permissions: string[] }

/** Tells members what they may do now, each by an event of their own (the frame role:updated of document 2). */
export async function announceRights(
  trx: Trx,
  { workspaceId, ecosystemId, workspaceName }: Tenant,
  memberships: Membership[],
  actor: EventActor,
): Promise<void> {
  const occurrenceId = newId()
  await emitAll(
    trx,
    MemberRoleUpdatedSchema,
    memberships.map(({ member_id: memberId, workspace_role: workspaceRole, is_admin, permissions }) => ({
      payload: { id: memberId, memberId, workspaceId, workspaceRole, permissions, isAdmin: is_admin === 1 },
      around: {
        workspaceId,
        ecosystemId,
        workspaceName,
        channels: ['socket'],
        actor,
        receiverIds: [memberId],
        occurrenceId,
      },
    })),
  )
}
