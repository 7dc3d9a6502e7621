import { z } from 'zod'
import { systemTenant } from '../../kernel/access/tenant.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type BusMessage, claimEvent, readPayload } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { findHotelWorkspace, lockWorkspace } from '../memberships/workspace.sql.ts'
import type { Links } from '../onboarding/invite.ts'
import type { Db } from '../tables.ts'
import { announceWorkspace } from '../workspaces/message.ts'
import { letIn } from './let-in.ts'
import { pendingMemberIds } from './members.sql.ts'

const durable = 'member-opened-hotels'

/**
 * Announces the workspace of an opened hotel and admits its pending members. Earlier, the set-up could still be undone.
 */
export const openedHotels = (db: Db, bus: Bus, links: Links) => ({
  durable,
  subject: 'platform.notification.hotel.created',
  async handle(message: BusMessage): Promise<void> {
    const { hotelId } = readPayload(message, { hotelId: z.string() })
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, message.id))) return
      const found = await findHotelWorkspace(trx, { ecosystemId: hotelId })
      if (!found) return
      const workspace = await lockWorkspace(trx, { workspaceId: found.id })
      if (workspace.announced_at !== null) return
      await announceWorkspace(trx, workspace, [])
      const opened = systemTenant(workspace.id, workspace.ecosystem_id, 'the hotel that was set up')
      const tenant = { ...opened, workspaceName: workspace.name }
      for (const memberId of await pendingMemberIds(trx, tenant)) await letIn(trx, { bus, links }, tenant, memberId)
    })
  },
})
