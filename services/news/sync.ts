import { SyncService } from '../../gen/platform/news/v1/sync_pb.ts'
import { tenantOf } from '../kernel/access/access.ts'
import { timestamp } from '../kernel/base/fields.ts'
import { implement } from '../kernel/rpc/implement.ts'
import type { Rpc } from '../kernel/rpc/server.ts'
import type { News } from './context.ts'

/** The cache of members (document 3, "Statistics and synchronisation"). */
export const syncService = ({ members }: News): Rpc =>
  implement(SyncService, {
    async syncMembers(_request, context) {
      const { workspaceId } = tenantOf(context)
      members.forget()
      const ids = await members.audience(workspaceId)
      await members.authors(ids)
      return { workspaceId, membersCount: ids.length, syncedAt: timestamp(new Date()) }
    },
  })
