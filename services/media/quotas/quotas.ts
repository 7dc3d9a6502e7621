import type { ServiceImpl } from '@connectrpc/connect'
import type { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { ecosystemOf } from '../../kernel/access/access.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { bytesPerMo } from '../config.ts'
import type { MediaDb } from '../tables.ts'
import { findStorage, removeQuota, setQuota } from './storage.sql.ts'

type Handlers = Pick<ServiceImpl<typeof MediaService>, 'getMediaUsage' | 'setMediaQuota' | 'removeMediaQuota'>

/** Tenant for the ecosystem that a calling service names. */
export const serviceTenant = (ecosystemId: string) =>
  systemTenant('', ecosystemId, 'a service names the ecosystem it sets up')

/** Used space and quota of an ecosystem. */
export function quotaHandlers({ db, defaultQuotaBytes }: { db: MediaDb; defaultQuotaBytes: number }): Handlers {
  return {
    async getMediaUsage(_request, context) {
      const owner = ecosystemOf(context)
      const row = await findStorage(db, owner)
      const max = row?.max_bytes ?? defaultQuotaBytes
      const usedBytes = (row?.used_bytes ?? 0) + (row?.reserved_bytes ?? 0)
      return {
        ecosystemId: owner.ecosystemId,
        maxSize: Math.floor(max / bytesPerMo),
        unit: 'MO',
        usedBytes,
        availableBytes: Math.max(0, max - usedBytes),
        filesCount: row?.files_count ?? 0,
      }
    },
    async setMediaQuota({ ecosystemId, maxSize }) {
      await setQuota(db, serviceTenant(ecosystemId), maxSize * bytesPerMo)
      return {}
    },
    async removeMediaQuota({ ecosystemId }) {
      await removeQuota(db, serviceTenant(ecosystemId))
      return {}
    },
  }
}
