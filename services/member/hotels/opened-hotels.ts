import { z } from 'zod'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { type BusMessage, claimEvent, readPayload } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { findHotelWorkspace, lockWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { publishWorkspace } from '../workspaces/message.ts'
import { joinOrInvite } from './admit.ts'
import { pendingMemberIds } from './hotel-members.sql.ts'

const durable = 'member-opened-hotels'

/**
 * Announces the workspace of an opened hotel and admits its pending members. Earlier, the set-up could still be undone.
 */
export const openedHotels = ({ db, bus, links }: Context) => ({
  durable,
  subject: 'platform.notification.hotel.created',
  async handle(message: BusMessage): Promise<void> {
    const { hotelId } = readPayload(message, { hotelId: z.string() })
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, message.id))) return
      const hotelWorkspace = await findHotelWorkspace(trx, { ecosystemId: hotelId })
      if (!hotelWorkspace) return
      const workspace = await lockWorkspace(trx, { workspaceId: hotelWorkspace.id })
      if (workspace.announced_at !== null) return
      await publishWorkspace(trx, workspace, [])
      const openedTenant = systemTenant(workspace.id, workspace.ecosystem_id, 'the hotel that was set up')
      const tenant = { ...openedTenant, workspaceName: workspace.name }
      for (const memberId of await pendingMemberIds(trx, tenant))
        await joinOrInvite(trx, { bus, links }, tenant, memberId)
    })
  },
})
