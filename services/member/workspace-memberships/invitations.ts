import { MemberInvitationCancelledSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { type EventActor, emitAll } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { invitationCancelled } from '../audit/values.ts'
import { workspaceScope } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'

/** Records cancelled invitations and publishes them, so that mails that still wait aren't sent [R54]. */
export async function publishCancelledInvitations(
  trx: Trx,
  tenant: Tenant,
  ids: readonly string[],
  { actor, memberId }: { actor: EventActor; memberId?: string },
): Promise<void> {
  if (ids.length === 0) return
  await audit(
    trx,
    tenant,
    ids.map(id => ({ ...invitationCancelled(actor, id), ...(memberId === undefined ? {} : { memberId }) })),
  )
  await emitAll(
    trx,
    MemberInvitationCancelledSchema,
    ids.map(id => ({ payload: { id }, envelope: workspaceScope(tenant, actor) })),
  )
}
