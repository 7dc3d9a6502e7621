import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type {
  CreateSettingRequest,
  SettingSchema,
  UpdateSettingRequest,
} from '../../../gen/platform/hotel/v1/settings_pb.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { defaultTimeZone, requireTimeZone } from '../../kernel/base/time-zone.ts'
import type { SettingRow } from '../tables.ts'

type Values = Omit<SettingRow, 'id' | 'created_at' | 'updated_at'>
type Column = keyof Values

/** The documented defaults. */
export const defaults: Values = {
  timezone: defaultTimeZone,
  language: 'fr',
  currency: 'EUR',
  enable_push: 1,
  enable_email: 1,
  enable_sms: 0,
  check_in_time: '14:00',
  check_out_time: '11:00',
  primary_color: '#1E40AF',
  secondary_color: '#10B981',
  logo_url: null,
  picture_url: null,
}

const isColumn = (path: string): path is Column => Object.hasOwn(defaults, path)

type Fields = CreateSettingRequest | UpdateSettingRequest

/** The column values of the request; undefined for those it doesn't contain. */
const requestValues = (request: Fields): { [C in Column]: Values[C] | undefined } => ({
  timezone: request.timezone === undefined ? undefined : requireTimeZone('timezone', request.timezone),
  language: request.language,
  currency: request.currency,
  enable_push: flag(request.enablePush),
  enable_email: flag(request.enableEmail),
  enable_sms: flag(request.enableSms),
  check_in_time: request.checkInTime,
  check_out_time: request.checkOutTime,
  primary_color: request.primaryColor,
  secondary_color: request.secondaryColor,
  logo_url: request.logoUrl,
  picture_url: request.pictureUrl,
})

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))

/** All columns of a new profile: given values, else the defaults. */
export function newValues(request: CreateSettingRequest): Values {
  const definedValues = Object.entries(requestValues(request)).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(definedValues) }
}

/** The columns that a PATCH names; null in the body restores the default. */
export function changedValues(request: UpdateSettingRequest): Partial<Values> {
  const values = requestValues(request)
  const columns: Partial<Values> = {}
  for (const path of request.updateMask?.paths ?? []) {
    if (!isColumn(path)) throw invalid(path, 'cannot be changed', 'unknown_field')
    Object.assign(columns, { [path]: values[path] ?? defaults[path] })
  }
  return columns
}

/** Changed columns under their names in the request body, for the event. */
export const shownChanges = (columns: Partial<Values>): JsonObject =>
  Object.fromEntries(
    Object.entries(columns).map(([key, value]) => [key, key.startsWith('enable_') ? value === 1 : (value ?? null)]),
  )

/** The values in which two profiles differ; undefined stands for the defaults. */
export function differences(before: SettingRow | undefined, after: SettingRow | undefined): Partial<Values> {
  const [valuesBefore, valuesAfter] = [before ?? defaults, after ?? defaults]
  const names = Object.keys(defaults).filter(isColumn)
  return Object.fromEntries(
    names.filter(name => valuesBefore[name] !== valuesAfter[name]).map(name => [name, valuesAfter[name]]),
  )
}

/** The values of a profile in these columns. */
export const valuesIn = (row: SettingRow, columns: Partial<Values>): Partial<Values> =>
  Object.fromEntries(
    Object.keys(columns)
      .filter(isColumn)
      .map(name => [name, row[name]]),
  )

/** Maps a profile to its response; without a row, the defaults. */
export const toSetting = (row: SettingRow | undefined): MessageInitShape<typeof SettingSchema> => {
  const values = row ?? defaults
  return {
    id: row?.id ?? '',
    timezone: values.timezone,
    language: values.language,
    currency: values.currency,
    enablePush: values.enable_push === 1,
    enableEmail: values.enable_email === 1,
    enableSms: values.enable_sms === 1,
    checkInTime: values.check_in_time,
    checkOutTime: values.check_out_time,
    primaryColor: values.primary_color,
    secondaryColor: values.secondary_color,
    ...(values.logo_url !== null && { logoUrl: values.logo_url }),
    ...(values.picture_url !== null && { pictureUrl: values.picture_url }),
    ...(row && { createdAt: timestamp(row.created_at), updatedAt: timestamp(row.updated_at) }),
  }
}
