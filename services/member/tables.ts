import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { TenantTablesOf } from '../kernel/database/tenant-guard.ts'

type Created = ColumnType<Date, Date | undefined, never>
type Updated = ColumnType<Date, Date | undefined, Date>
/** A JSON column, which the driver returns as text. */
type JsonText = string

type Record = { id: string; created_at: Created; updated_at: Updated }
type Deletable = { deleted_at: Date | null }

export type MembersTable = Record &
  Deletable & {
    user_id: string | null
    /** The account before member or account were deleted; null once erased. */
    former_user_id: Generated<string | null>
    first_name: string
    last_name: string
    /** In the original spelling. */
    email: string
    /** Normalised while the member is live, null afterwards: deletion frees the address. */
    live_email: string | null
    phone: string | null
    photo_url: string | null
    is_super_admin: Generated<number>
    /**
     * 0 while the member rests with a deleted hotel or is switched off platform-wide. Hotels keep theirs in
     * HotelValues.
     */
    is_active: Generated<number>
    /** Set while the member is inactive because all of their hotels are deleted. */
    rested_at: Generated<Date | null>
    /** The hotel that created the record: its administrators may change names, phone and picture. */
    home_ecosystem_id: Generated<string | null>
    registered_at: Date | null
    /** Until then the member doesn't count as an administrator, since they are deleting their account. */
    departing_until: Date | null
  }

export type WorkspacesTable = Record &
  Deletable & {
    name: string
    description: string | null
    ecosystem_id: string
    ecosystem_type: Generated<string>
    logo_url: string | null
    settings: JsonText | null
    is_default: Generated<number>
    /** 0 while deactivated by its administrators. */
    is_active: Generated<number>
    /** When its hotel was suspended or deleted; null while the hotel is open. */
    closed_at: Generated<Date | null>
    /** 1 while its hotel is deleted: it is gone for the platform, too, which still reads that of a suspended hotel. */
    is_hotel_deleted: Generated<number>
    /** Number of current memberships; updated in the transaction that changes them. */
    members_count: Generated<number>
    /** When workspace.created was published; for a hotel's workspace only once the hotel is open. */
    announced_at: Generated<Date | null>
  }

export type MembershipStatus = 'active' | 'pending' | 'suspended'

export type WorkspaceMembersTable = {
  member_id: string
  workspace_id: string
  workspace_role: string
  permission_slugs: JsonText
  status: MembershipStatus
  is_admin: Generated<number>
  joined_at: Date
  left_at: Date | null
  /** Copies of the member's and hotel's values for lists (hotel-memberships/copy.ts): one index sorts and filters them. */
  sort_last: Generated<string>
  sort_first: Generated<string>
  /** Folded names and address for searches (hotel-memberships/copy.ts), at most 880 bytes. */
  search_text: Generated<Buffer | string>
  member_active: Generated<number>
  superior_id: Generated<string | null>
  /** 1 until the person accepts: names and search text are then as the inviter typed them. */
  is_veiled: Generated<number>
  /** The address that the inviter typed; null once the person accepts. */
  typed_email: Generated<string | null>
  /** The revision of the workspace that last changed the row or its member. */
  revision: Generated<number>
  created_at: Created
  updated_at: Updated
}

export type WorkspaceRevisions = { workspace_id: string; revision: number }

export type WorkspaceRolesTable = Record &
  Deletable & {
    workspace_id: string
    name: string
    slug: string
    /** The slug while the role is live, null afterwards. */
    live_slug: string | null
    description: string | null
    is_system: Generated<number>
    is_default: Generated<number>
  }

export type PermissionsTable = Record & {
  slug: string
  name: string
  description: string | null
  category: string
  resource: string
  action: string
  level: 'ecosystem' | 'workspace'
}

export type RolePermissions = {
  role_id: string
  permission_id: string
  conditions: JsonText | null
  created_at: Created
}

/** Values that one hotel's administrators set for a member. */
export type HotelValues = {
  is_active: Generated<number>
  dashboard_access: Generated<number>
  mobile_access: Generated<number>
  superior_id: Generated<string | null>
}

export type EcosystemMembershipsTable = HotelValues & {
  member_id: string
  ecosystem_id: string
  ecosystem_type: Generated<string>
  permissions: JsonText
  role: 'owner' | 'admin' | 'member'
  is_owner: Generated<number>
  /** Whether the person's record was created with this membership, and is removed when the set-up is undone. */
  brought_member: Generated<number>
  /** Pending until a person known to another hotel accepts: without rights, and shown as the inviter typed them. */
  status: Generated<'active' | 'pending'>
  /** As the inviter typed them; null once the person accepts. */
  first_name: Generated<string | null>
  last_name: Generated<string | null>
  /** Normalised. */
  email: Generated<string | null>
  created_at: Created
  updated_at: Updated
}

export type Teams = Record &
  Deletable & {
    workspace_id: string
    name: string
    description: string | null
    color: string | null
    icon: string | null
    leader_id: string | null
    is_active: Generated<number>
  }

export type TeamMembers = {
  team_id: string
  member_id: string
  workspace_id: string
  role: 'leader' | 'member'
  joined_at: Date
}

export type Departments = Record &
  Deletable & {
    workspace_id: string
    name: string
    description: string | null
    code: string | null
    parent_id: string | null
    manager_id: string | null
    is_active: Generated<number>
  }

export type DepartmentMembers = {
  department_id: string
  member_id: string
  workspace_id: string
  role: string
  joined_at: Date
}

export type OnboardingStatus = 'pending' | 'accepted' | 'expired' | 'cancelled'

export type OnboardingsTable = Record & {
  email: string
  /** The address in lower case, generated by the database. */
  email_key: ColumnType<string, never, never>
  first_name: string | null
  last_name: string | null
  /** SHA-256 of the token, so that a leaked table can't be used to accept invitations. */
  token_digest: string
  invited_by: string | null
  workspace_id: string
  ecosystem_id: string
  workspace_role: string
  permissions: JsonText
  status: OnboardingStatus
  accepted_at: Date | null
  expires_at: Date
  invitation_data: JsonText | null
  /** "workspace email" while pending, null afterwards: one open invitation per person and workspace. */
  open_key: string | null
  /** Why the last acceptance was refused; null once renewed. */
  refusal: Generated<string | null>
}

export type MemberSettingsTable = {
  member_id: string
  /** Hidden from the list of online members. */
  is_invisible: Generated<number>
  /** Encrypted. */
  chat_access_token: string | null
  settings: JsonText
  preferences: JsonText
  updated_at: Updated
}

export type MemberActivity = { member_id: string; seen_at: Date }

/** The audit log. */
export type AuditEntriesTable = {
  position: Generated<number>
  id: string
  /** Null for a change that concerns no single workspace. */
  workspace_id: string | null
  actor_id: string
  actor_name: string
  actor_type: 'member' | 'system'
  /** The credential with which the actor made the change. */
  credential_id: string | null
  action: string
  entity:
    | 'member'
    | 'membership'
    | 'role'
    | 'permission'
    | 'invitation'
    | 'workspace'
    | 'team'
    | 'department'
    | 'settings'
    | 'ecosystem'
    | 'hotel'
    | 'account'
    | 'webhook'
  entity_id: string
  member_id: string | null
  /** JSON, which the driver returns as text. */
  old_values: string | null
  new_values: string | null
  created_at: ColumnType<Date, Date | undefined, never>
  /** The request that made the change. */
  request_id: string | null
}

export type AuditTotals = { workspace_id: string; counted_until: Date; total: number }

/** Every table of the member database. */
export type MemberTables = {
  members: MembersTable
  workspaces: WorkspacesTable
  workspace_members: WorkspaceMembersTable
  workspace_revisions: WorkspaceRevisions
  workspace_roles: WorkspaceRolesTable
  permissions: PermissionsTable
  role_permissions: RolePermissions
  ecosystem_memberships: EcosystemMembershipsTable
  teams: Teams
  team_members: TeamMembers
  departments: Departments
  department_members: DepartmentMembers
  onboardings: OnboardingsTable
  member_settings: MemberSettingsTable
  member_activity: MemberActivity
  audit_entries: AuditEntriesTable
  audit_totals: AuditTotals
}

export type Db = Kysely<MemberTables>
export type Trx = Transaction<MemberTables>

/** Tables whose rows belong to one workspace or ecosystem; the tenant guard checks their queries. */
export const tenantTables: TenantTablesOf<MemberTables> = {
  workspaces: { tenant: ['id', 'ecosystem_id'], softDelete: true },
  workspace_members: { tenant: 'workspace_id', owner: null },
  workspace_roles: { tenant: 'workspace_id', softDelete: true },
  ecosystem_memberships: { tenant: ['ecosystem_id', 'member_id'], owner: null },
  teams: { tenant: 'workspace_id', softDelete: true },
  team_members: { tenant: 'workspace_id', owner: null },
  departments: { tenant: 'workspace_id', softDelete: true },
  department_members: { tenant: 'workspace_id', owner: null },
  onboardings: { tenant: 'workspace_id' },
  audit_entries: { tenant: 'workspace_id', owner: null },
  audit_totals: { tenant: 'workspace_id' },
  workspace_revisions: { tenant: 'workspace_id' },
}
