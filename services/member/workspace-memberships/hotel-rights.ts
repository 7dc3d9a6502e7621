import type { Selectable } from 'kysely'
import type { EventActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import type { EcosystemMembershipsTable, Trx } from '../tables.ts'
import { findHotelWorkspace } from './workspace.sql.ts'

type Hotel = Selectable<EcosystemMembershipsTable>

/** Records changed rights in a hotel in its own workspace, where its administrators read the log. */
export async function auditRights(trx: Trx, actor: EventActor, before: Hotel, after: Hotel): Promise<void> {
  const { ecosystem_id: ecosystemId, member_id: memberId } = before
  const home = await findHotelWorkspace(trx, { ecosystemId })
  await audit(trx, home && { workspaceId: home.id }, {
    actor,
    action: 'ecosystem.updated',
    entityId: ecosystemId,
    memberId,
    before: rightsValues(before),
    after: rightsValues(after),
  })
}

const rightsValues = (row: Hotel) => ({ role: row.role, permissions: JSON.parse(row.permissions) as string[] })
