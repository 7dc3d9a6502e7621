import type { Client } from '@connectrpc/connect'
import { LRUCache } from 'lru-cache'
import type { SettingService } from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { Language } from '../../kernel/base/language.ts'
import { answerCache } from '../../kernel/base/share.ts'
import { webAddress } from '../../kernel/base/text.ts'
import type { Log } from '../../kernel/process/log.ts'
import { languageOf } from '../audience.ts'
import { allChannels, emailBit, maskOf, pushBit } from '../channels.ts'
import { oneLine } from '../texts/rendering.ts'

/** How a mail looks: the hotel's name, picture and colour. */
export type MailBrand = {
  name: string
  /** http or https address of the logo. */
  logo: string | undefined
  /** #RRGGBB or #RGB. */
  colour: string
}

export type HotelChannels = {
  /** The channels that a hotel allows, as bits. */
  channels(ecosystemId: string | null): Promise<number>
  /** Undefined for an unknown hotel. */
  brand(ecosystemId: string | null): Promise<MailBrand | undefined>
  /** The language of a hotel's settings; undefined without settings. */
  language(ecosystemId: string | null): Promise<Language | undefined>
}

type Hotel = { channels: number; brand: MailBrand | undefined; language: Language | undefined }

const allBits = maskOf(allChannels)
const cachedMs = 5_000
const timeoutMs = 1_000
const defaultHotel: Hotel = { channels: allBits, brand: undefined, language: undefined }

/**
 * Reads channel switches and look of hotels, cached for some seconds. While the hotel service is away, its last answer
 * applies; without one, all channels are open and mails look like the platform's.
 */
export function hotelsRead(client: Client<typeof SettingService>, log: Log): HotelChannels {
  const hotelCache = answerCache({ max: 2_000, ttl: cachedMs })
  const lastKnownHotels = new LRUCache<string, Hotel>({ max: 2_000 })

  const loadHotel = async (hotelId: string): Promise<Hotel> => {
    try {
      const { setting, hotelName } = await client.getHotelSetting({ hotelId }, { timeoutMs })
      const closedBits = (setting?.enablePush === false ? pushBit : 0) | (setting?.enableEmail === false ? emailBit : 0)
      const logo = setting?.logoUrl === undefined ? undefined : webAddress(setting.logoUrl)
      const brand = setting && { name: oneLine(hotelName), logo, colour: setting.primaryColor }
      const language = setting?.id ? languageOf(setting.language) : undefined
      const hotel = { channels: allBits & ~closedBits, brand, language }
      lastKnownHotels.set(hotelId, hotel)
      return hotel
    } catch (thrown) {
      const { status } = toRpcError(thrown).info
      if (status !== 404) log.warn({ hotelId, status }, 'settings of a hotel not read; using the last known ones')
      return lastKnownHotels.get(hotelId) ?? defaultHotel
    }
  }
  const read = async (ecosystemId: string | null) =>
    ecosystemId ? hotelCache.get(ecosystemId, () => loadHotel(ecosystemId)) : defaultHotel

  return {
    channels: async ecosystemId => (await read(ecosystemId)).channels,
    brand: async ecosystemId => (await read(ecosystemId)).brand,
    language: async ecosystemId => (await read(ecosystemId)).language,
  }
}
