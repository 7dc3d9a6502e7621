import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type CreateHotelResponse,
  CreateHotelResponseSchema,
  type GetHotelResponseSchema,
  type HotelSummarySchema,
} from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { messageFields, optional } from '../kernel/base/fields.ts'
import type { JoinedHotel } from './hotels.sql.ts'
import { defaults } from './references/setting-fields.ts'

const group = ({ group_id: id, group_name: name }: JoinedHotel) =>
  id !== null && name !== null ? { group: { id, name } } : {}

const type = ({ type_id: id, type_name: name, type_icon: icon }: JoinedHotel) =>
  id !== null && name !== null ? { type: { id, name, icon: optional(icon) } } : {}

/** A hotel without a profile has the documented defaults. */
const settings = ({ setting_id, timezone, currency, primary_color, logo_url, picture_url }: JoinedHotel) => ({
  settings: {
    id: optional(setting_id),
    timezone: timezone ?? defaults.timezone,
    currency: currency ?? defaults.currency,
    primaryColor: primary_color ?? defaults.primary_color,
    logoUrl: optional(logo_url),
    pictureUrl: optional(picture_url),
  },
})

/** Fields that lists and single responses share. */
const sharedFields = (row: JoinedHotel) => ({
  ...messageFields(row),
  ...type(row),
})

/** A hotel in a list. */
export const toSummary = (row: JoinedHotel): MessageInitShape<typeof HotelSummarySchema> => ({
  ...sharedFields(row),
  ...group(row),
})

/** A single hotel. The sealed chat token is never returned. */
export const toHotel = (row: JoinedHotel): MessageInitShape<typeof GetHotelResponseSchema> => ({
  ...sharedFields(row),
  ...group(row),
  ...settings(row),
})

/** The response to a hotel's creation. */
export const toCreated = (row: JoinedHotel, administrator: { id: string; email: string }): CreateHotelResponse =>
  create(CreateHotelResponseSchema, {
    ...sharedFields(row),
    ...settings(row),
    administrator,
  })
