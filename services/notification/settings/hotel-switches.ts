import type { Client } from '@connectrpc/connect'
import { LRUCache } from 'lru-cache'
import type { SettingService } from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { toPlatformError } from '../../kernel/base/errors.ts'
import { keptAnswers } from '../../kernel/base/share.ts'
import type { Log } from '../../kernel/process/log.ts'
import { allChannels, email, maskOf, push } from '../channels.ts'

/** The channels that a hotel allows, as bits [D39]. */
export type HotelSwitches = (ecosystemId: string | null) => Promise<number>

const everything = maskOf(allChannels)
const keptMs = 5_000
const patienceMs = 1_000

/**
 * Reads enable_push and enable_email of a hotel's settings, cached for some seconds. While the hotel service is away,
 * its last answer applies; without one, all channels are open.
 */
export function hotelSwitches(client: Client<typeof SettingService>, log: Log): HotelSwitches {
  const known = keptAnswers({ max: 2_000, ttl: keptMs })
  const last = new LRUCache<string, number>({ max: 2_000 })

  const ask = async (hotelId: string): Promise<number> => {
    try {
      const { setting } = await client.getHotelSetting({ hotelId }, { timeoutMs: patienceMs })
      const closed = (setting?.enablePush === false ? push : 0) | (setting?.enableEmail === false ? email : 0)
      last.set(hotelId, everything & ~closed)
      return everything & ~closed
    } catch (thrown) {
      const { status } = toPlatformError(thrown).info
      if (status !== 404)
        log.warn({ hotelId, status }, 'channel switches of a hotel not read; using the last known ones, else all')
      return last.get(hotelId) ?? everything
    }
  }

  return async ecosystemId => (ecosystemId ? known.get(ecosystemId, () => ask(ecosystemId)) : everything)
}
