import type { ColumnType, Generated, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

type Created = ColumnType<Date, Date | undefined, never>
type Updated = Generated<Date>
type Flag = Generated<number>

type HotelTypes = {
  id: string
  name: string
  description: string | null
  icon: string | null
  created_at: Created
  updated_at: Updated
}

type HotelGroups = {
  id: string
  name: string
  description: string | null
  logo_url: string | null
  created_at: Created
  updated_at: Updated
  deleted_at: Date | null
}

type HotelSettings = {
  id: string
  timezone: string
  language: string
  currency: string
  enable_push: Flag
  enable_email: Flag
  enable_sms: Flag
  check_in_time: string
  check_out_time: string
  primary_color: string
  secondary_color: string
  logo_url: string | null
  /** Greets people at the sign-in. */
  picture_url: string | null
  created_at: Created
  updated_at: Updated
}

type Hotels = {
  /** Also the ecosystem's id. */
  id: string
  name: string
  address: string | null
  city: string | null
  country: string | null
  phone: string | null
  email: string | null
  website: string | null
  workspace: string | null
  chat_app_id: string | null
  /** Sealed; see kernel/base/secrets.ts. */
  chat_api_token: string | null
  qr_link: string | null
  payment_customer_id: string | null
  subscription_status: string | null
  plan: string | null
  trial_ends_at: Date | null
  group_id: string | null
  setting_id: string | null
  type_id: string | null
  is_active: Flag
  /** Set when all nine steps are done; until then the hotel is invisible. */
  ready_at: Date | null
  deleted_at: Date | null
  /** Set when a deleted hotel can no longer be restored and its resources are freed. */
  ended_at: Date | null
  created_at: Created
  updated_at: Updated
}

export type SetupStatus = 'running' | 'completed' | 'undoing' | 'undone' | 'parked'
type StepStatus = 'pending' | 'started' | 'done' | 'failed' | 'undoing' | 'undone'

type HotelSetups = {
  id: string
  hotel_id: string
  hotel_name: string
  kind: string
  status: SetupStatus
  /** JSON of the request. */
  input: string
  /** JSON of the actor. */
  actor: string
  /** JSON of the first error. */
  error: string | null
  /** Digest of caller and Idempotency-Key. */
  idempotency_key: string | null
  request_digest: string | null
  /** Set while the run is open, so that a hotel isn't deleted twice at once. */
  open_key: string | null
  lease_owner: string | null
  lease_until: Date | null
  retry_at: Date | null
  attempts: Generated<number>
  created_at: Created
  updated_at: Updated
}

type HotelSetupSteps = {
  setup_id: string
  position: number
  name: string
  status: StepStatus
  attempts: Generated<number>
  idempotency_key: string
  /** JSON of the step's result. */
  result: string | null
  error: string | null
  /** 1 when the last call had no clear answer: its effect may exist, or come late. */
  uncertain: Flag
  /** A name under which only one step may run at a time. */
  claim: string | null
  started_at: Date | null
  finished_at: Date | null
}

export type HotelTables = {
  hotel_types: HotelTypes
  hotel_groups: HotelGroups
  hotel_settings: HotelSettings
  hotels: Hotels
  hotel_setups: HotelSetups
  hotel_setup_steps: HotelSetupSteps
}

export type HotelDb = Kysely<HotelTables>
export type HotelTrx = Transaction<HotelTables>
export type TypeRow = Selectable<HotelTypes>
export type HotelGroupRow = Selectable<HotelGroups>
export type SettingRow = Selectable<HotelSettings>
export type HotelRow = Selectable<Hotels>
export type HotelChange = Updateable<Hotels>
export type SetupRow = Selectable<HotelSetups>
export type StepRow = Selectable<HotelSetupSteps>

export const tenantTables: TenantTablesOf<HotelTables> = { hotels: { tenant: 'id', softDelete: true } }
