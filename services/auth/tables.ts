import type { ColumnType, Generated } from 'kysely'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

/** tinyint: 0 or 1. */
type Flag = Generated<number>
/** Set only at insertion. */
type Fixed<T> = ColumnType<T, T, never>
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>

export interface UsersTable {
  id: Fixed<string>
  email: Nullable<string>
  former_email: Nullable<string>
  password_hash: string
  first_name: Nullable<string>
  last_name: Nullable<string>
  photo_url: Nullable<string>
  is_tmp_password: Flag
  is_first_login: Flag
  is_forced: Flag
  is_active: Flag
  is_admin: Flag
  email_verified: Flag
  invitation_id: Nullable<string>
  sign_up_pending: Flag
  tokens_valid_from: Nullable<Date>
  last_login_at: Nullable<Date>
  created_at: Fixed<Date>
  updated_at: Date
  deleted_at: Nullable<Date>
}

export interface AdministratorsTable {
  id: Fixed<string>
  user_id: Nullable<string>
  email: string
  password_hash: string
  created_at: Fixed<Date>
  updated_at: Date
}

export interface SessionsTable {
  id: Fixed<string>
  user_id: Nullable<string>
  administrator_id: Nullable<string>
  member_id: Nullable<string>
  app_type: Nullable<string>
  user_agent: Nullable<string>
  ip: Nullable<string>
  device: Nullable<string>
  os: Nullable<string>
  is_active: Flag
  last_activity: Date
  expires_at: Nullable<Date>
  created_at: Fixed<Date>
  updated_at: Date
}

export type TokenKind = 'modern' | 'legacy' | 'administrator'

export interface RefreshTokensTable {
  id: Fixed<string>
  token_digest: Fixed<string>
  session_id: Fixed<string>
  kind: Fixed<TokenKind>
  is_revoked: Flag
  used_at: Nullable<Date>
  expires_at: Fixed<Date>
  created_at: Fixed<Date>
  updated_at: Date
}

export interface PasswordResetsTable {
  id: Fixed<string>
  /** claim: for an invited person whose address already had an account. */
  kind: Fixed<'modern' | 'claim' | 'legacy' | 'create'>
  email: Fixed<string>
  user_id: Nullable<string>
  token_digest: Fixed<string>
  sealed_code: Nullable<string>
  sealed_token: Nullable<string>
  wrong_codes: Generated<number>
  is_used: Flag
  expires_at: Fixed<Date>
  created_at: Fixed<Date>
  updated_at: Date
}

export interface EmailVerificationsTable {
  id: Fixed<string>
  user_id: Fixed<string>
  email: Fixed<string>
  token_digest: Fixed<string>
  is_used: Flag
  /** Whether using it changes the account's address to this one. */
  is_change: Flag
  /** JSON of the Asker of a change. */
  asker: Fixed<string | null>
  expires_at: Fixed<Date>
  created_at: Fixed<Date>
}

export interface EcosystemCredentialsTable {
  id: Fixed<string>
  user_id: Fixed<string>
  ecosystem_id: Fixed<string>
  api_key: Fixed<string>
  api_secret: string
  /** JSON, which the driver returns as text. */
  permissions: string
  /** JSON: those of `permissions` that were none when the credential was created, and grant nothing [R80]. */
  unknown_permissions: Nullable<string>
  is_active: Flag
  expires_at: Nullable<Date>
  created_at: Fixed<Date>
}

export interface RateCountersTable {
  name: Fixed<string>
  hits: number
  ends_at: Date
}

export interface MailsTable {
  id: Fixed<string>
  slug: Fixed<string>
  sealed: Fixed<string>
  is_decoy: Flag
  attempts: Generated<number>
  next_attempt_at: Date
  created_at: Fixed<Date>
}

export interface UserLogsTable {
  id: Fixed<string>
  timestamp: Fixed<Date>
  user_id: Nullable<string>
  level: Fixed<'error' | 'warn' | 'info' | 'debug'>
  message: Fixed<string>
  meta: Nullable<string>
}

export interface RouteUsageTable {
  day: Fixed<string>
  route: Fixed<string>
  client: Fixed<string>
  calls: number
  last_called_at: Date
}

/** The tables of the authentication service's own database. */
export interface AuthTables {
  users: UsersTable
  administrators: AdministratorsTable
  sessions: SessionsTable
  refresh_tokens: RefreshTokensTable
  password_resets: PasswordResetsTable
  email_verifications: EmailVerificationsTable
  ecosystem_credentials: EcosystemCredentialsTable
  rate_counters: RateCountersTable
  mails: MailsTable
  user_logs: UserLogsTable
  route_usage: RouteUsageTable
}

/** Accounts belong to no tenant; only ecosystem credentials do. */
export const tenantTables: TenantTablesOf<AuthTables> = {
  ecosystem_credentials: { tenant: 'ecosystem_id' },
}
