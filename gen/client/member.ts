// Written by npm run gen from gen/openapi/member.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** The membership that the invitation made. */
export type AcceptInvitationResponse = {
  /** Invitation id. */
  id: string
  /** accepted. */
  status: string
  /** Member id of the invitee. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Role slug granted. */
  workspaceRole: string
  /** Permission slugs granted directly. */
  permissions: string[]
  /** Time of acceptance. */
  acceptedAt: string | null
}

/** Counts of what happened lately, by days of the workspace's time zone. */
export type ActivityFigures = {
  /** Members who joined in the present month. */
  newMembersThisMonth: number
  /** Members seen today. */
  activeToday: number
}

/** The membership of the department. */
export type AddDepartmentMemberResponse = {
  /** Department id. */
  departmentId: string
  /** Member id. */
  memberId: string
  /** manager or member. */
  role: string
  /** Since when. */
  joinedAt: string | null
}

/** Whom to add to which hotel. */
export type AddHotelMemberRequest = {
  /** Hotel id. */
  hotelId: string
  /** E-mail address. */
  email: string
  /** First name, 1 to 120 characters. */
  firstName: string
  /** Last name, 1 to 120 characters. */
  lastName: string
  /** Whether they may sign in to the dashboard; false when absent. */
  dashboardAccess?: boolean | null
  /** Makes them owner of the ecosystem and administrator of its workspace; false when absent. */
  isAdmin?: boolean | null
}

/** The membership of the team. */
export type AddTeamMemberResponse = {
  /** Team id. */
  teamId: string
  /** Member id. */
  memberId: string
  /** leader or member. */
  role: string
  /** Since when. */
  joinedAt: string | null
}

/** Who made a change. */
export type AuditActor = {
  /** Member id, or the name of the service. */
  id: string
  /** Name at the time of the change. */
  name: string
  /** member or system. */
  type: string
  /** API credential by which the member acted; null for the member in person. */
  credentialId: string | null
}

/** One change. */
export type AuditEntry = {
  /** Entry id. */
  id: string
  /** Workspace concerned; null for a change beyond one workspace. */
  workspaceId: string | null
  /** Who did it. */
  actor: AuditActor | null
  /** What was done: membership.added, role.updated, invitation.cancelled … */
  action: string
  /** Kind of record: member, membership, role, permission, invitation, workspace, team, department, settings or ecosystem. */
  entity: string
  /** Id of the record. */
  entityId: string
  /** Member concerned; null when no single one is. */
  memberId: string | null
  /** The changed fields before; null for a creation. */
  before: Record<string, unknown> | null
  /** The changed fields after; null for a deletion. */
  after: Record<string, unknown> | null
  /** When. */
  createdAt: string | null
}

/** Members to create. */
export type BulkAddMembersRequest = {
  /** Workspace that they join; the caller's own when absent. */
  workspaceId?: string | null
  /** Rows, 1 to 1000. */
  members: BulkMember[]
}

/** What became of them. */
export type BulkAddMembersResponse = {
  /** One result per row, in the order of the request. */
  results: BulkResult[]
  /** Rows in the request. */
  total: number
  /** Rows that took effect. */
  succeeded: number
  /** Rows that failed. */
  failed: number
}

/** Permissions to grant, and to whom. */
export type BulkAssignPermissionsRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Member ids, 1 to 1000; each is checked by itself. */
  memberIds: string[]
  /** Permission slugs of the level workspace, 1 to 100. */
  permissions: string[]
}

/** What became of them. */
export type BulkAssignPermissionsResponse = {
  /** One result per member id, in the order of the request. */
  results: BulkResult[]
  /** Member ids in the request. */
  total: number
  /** Those who got the permissions. */
  succeeded: number
  /** Those who failed. */
  failed: number
}

/** A member to create. Lengths and forms are checked row by row. */
export type BulkMember = {
  /** E-mail address. */
  email?: string
  /** First name, 1 to 120 characters. */
  firstName?: string
  /** Last name, 1 to 120 characters. */
  lastName?: string
  /** Role slug; member when absent. */
  workspaceRole?: string | null
  /** What keeps the row from being read; set by the edge alone. */
  fault?: string | null
}

/** What became of one row. */
export type BulkResult = {
  /** Place of the row in the request, from 0. */
  index: number
  /** True when the row took effect. */
  success: boolean
  /** Member id; null when there is none. */
  memberId: string | null
  /** E-mail of the row or of the member; null when unknown. */
  email: string | null
  /** Error class such as ConflictError; null on success. */
  error: string | null
  /** What is wrong, for a person; null on success. */
  message: string | null
}

/** A role to give. Forms are checked row by row. */
export type BulkRole = {
  /** Member id. */
  memberId?: string
  /** Role slug. */
  workspaceRole?: string
  /** What keeps the row from being read; set by the edge alone. */
  fault?: string | null
}

/** Roles to give. */
export type BulkUpdateRolesRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Rows, 1 to 1000. */
  members: BulkRole[]
}

/** What became of them. */
export type BulkUpdateRolesResponse = {
  /** One result per row, in the order of the request. */
  results: BulkResult[]
  /** Rows in the request. */
  total: number
  /** Rows that took effect. */
  succeeded: number
  /** Rows that failed. */
  failed: number
}

/** Says what was cancelled. */
export type CancelInvitationResponse = {
  /** For a person. */
  message: string
  /** Invitation id. */
  id: string
}

/** Fields of a new department. */
export type CreateDepartmentRequest = {
  /** Workspace that gets the department; the caller's own when absent. */
  workspaceId?: string | null
  /** Name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Short code, at most 120 characters. */
  code?: string | null
  /** Department above, of the same workspace; none for the root. */
  parentId?: string | null
  /** Manager, a member of the workspace. */
  managerId?: string | null
}

/** Fields of a new member. */
export type CreateMemberRequest = {
  /** First name, 1 to 120 characters. */
  firstName: string
  /** Last name, 1 to 120 characters. */
  lastName: string
  /** E-mail address; stored in lower case. */
  email: string
  /** Phone number, at most 40 characters. */
  phone?: string | null
  /** Workspace that they join; the caller's own when absent. */
  workspaceId?: string | null
  /** Role slug in that workspace; member when absent. */
  workspaceRole?: string | null
  /** Member id of the manager, a member of the same workspace. */
  superior?: string | null
  /** Whether they may sign in to the dashboard; false when absent. */
  dashboardAccess?: boolean | null
  /** Address of the picture. */
  photo_url?: string | null
}

/** Fields of a new permission. */
export type CreatePermissionRequest = {
  /** Slug: lower-case letters, digits, - and _, at most 64. */
  slug: string
  /** Display name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Category, such as members, content or settings. */
  category: string
  /** Kind of thing that it is about, such as member, page or workspace. */
  resource: string
  /** create, read, update, delete or manage. */
  action: 'create' | 'read' | 'update' | 'delete' | 'manage'
  /** ecosystem or workspace; workspace when absent. */
  level?: 'ecosystem' | 'workspace' | null | null
}

/** Fields of a new role. */
export type CreateRoleRequest = {
  /** Workspace that gets the role; the caller's own when absent. */
  workspaceId?: string | null
  /** Name, 1 to 120 characters. */
  name: string
  /** Slug: lower-case letters, digits, - and _, at most 64; made from the name when absent. */
  slug?: string | null
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Permission slugs of the level workspace, at most 100. */
  permissions?: string[]
}

/** Fields of a session. */
export type CreateSessionRequest = {
  /** Member id. */
  memberId: string
  /** User-Agent header, at most 1000 characters. */
  userAgent?: string | null
  /** Client address, at most 64 characters. */
  ip?: string | null
  /** mobile or dashboard. */
  appType: 'mobile' | 'dashboard'
  /** Whether the session is live; true when absent. */
  isActive?: boolean | null
}

/** Fields of a new team. */
export type CreateTeamRequest = {
  /** Workspace that gets the team. */
  workspaceId: string
  /** Name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Colour as #RRGGBB or #RGB. */
  color?: string | null
  /** Icon name or emoji, at most 64 characters. */
  icon?: string | null
  /** Leader, a member of the workspace. */
  leaderId?: string | null
}

/** Fields of a new workspace. */
export type CreateWorkspaceRequest = {
  /** Name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Ecosystem (hotel) that gets the workspace. */
  ecosystemId: string
  /** Kind of ecosystem; hotel when absent. */
  ecosystemType?: string | null
  /** Makes it the default workspace of the ecosystem in place of the present one; false when absent. */
  isDefault?: boolean | null
  /** Settings: timezone (IANA name), language (fr, en …) and whatever a client keeps. */
  settings?: Record<string, unknown> | null
  /** Address of the logo. */
  logo_url?: string | null
}

/** Says what was deleted. */
export type DeleteDepartmentResponse = {
  /** For a person. */
  message: string
  /** Department id. */
  id: string
}

/** Says who was deleted. */
export type DeleteMemberResponse = {
  /** For a person. */
  message: string
  /** Member id. */
  id: string
}

/** Says what was deleted. */
export type DeleteRoleResponse = {
  /** For a person. */
  message: string
  /** Role id. */
  id: string
}

/** Says what was deleted. */
export type DeleteTeamResponse = {
  /** For a person. */
  message: string
  /** Team id. */
  id: string
}

/** Says what was deleted. */
export type DeleteWorkspaceResponse = {
  /** For a person. */
  message: string
  /** Workspace id. */
  id: string
}

/** A department as answered after a change. */
export type Department = {
  /** Department id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Name; several departments may bear it. */
  name: string
  /** Free text. */
  description: string | null
  /** Short code; several departments may bear it. */
  code: string | null
  /** Department above; null at the root. */
  parentId: string | null
  /** Member id of the manager. */
  managerId: string | null
  /** False when the department is at rest. */
  isActive: boolean
  /** Live members, without those of sub-departments. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Counts of departments. */
export type DepartmentFigures = {
  /** Departments on all levels. */
  total: number
}

/** A member as seen in a department. */
export type DepartmentMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address. */
  email: string
  /** Address of the picture. */
  photo_url: string | null
  /** manager or member. */
  role: string
}

/** A department with what is below it. */
export type DepartmentNode = {
  /** Department id. */
  id: string
  /** Name. */
  name: string
  /** Short code. */
  code: string | null
  /** The manager; null without one. */
  manager: MemberRef | null
  /** Live members, without those of sub-departments. */
  membersCount: number
  /** Departments below, by name. */
  subDepartments: DepartmentNode[]
  /** Free text. */
  description: string | null
  /** Department above; null at the root. */
  parentId: string | null
  /** False when the department is at rest. */
  isActive: boolean
  /** Workspace id. */
  workspaceId: string
}

/** A membership of an ecosystem. */
export type EcosystemMember = {
  /** Member id. */
  memberId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Kind of ecosystem, such as hotel. */
  ecosystemType: string
  /** owner, admin or member. Owners and administrators hold every ecosystem permission. */
  role: string
  /** True for owners. */
  isOwner: boolean
  /** Ecosystem permissions granted directly, such as access_live_chat. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Says who was erased. */
export type EraseMemberResponse = {
  /** For a person. */
  message: string
  /** Member id, which stays as the anonymous author of what remains. */
  id: string
}

/** All that is kept about one member. */
export type ExportMemberDataResponse = {
  /** The member with teams and departments. */
  member: MemberDetail | null
  /** Settings. */
  settings: MemberSettings | null
  /** Preferences. */
  preferences: MemberPreferences | null
  /** Memberships, ended ones too. */
  memberships: Membership[]
  /** Invitations to the member's e-mail. */
  invitations: Invitation[]
  /** Recorded changes that concern the member or were made by them, newest first; at most 10,000. */
  audit: AuditEntry[]
  /** Time of the export. */
  exportedAt: string | null
  /** When they were last seen, to five minutes; null when never. */
  lastSeenAt: string | null
}

/** A member, above and below. */
export type GetMemberHierarchyResponse = {
  /** The member asked for. */
  member: MemberRef | null
  /** Their manager; null at the top. */
  manager: MemberRef | null
  /** Their subordinates by last name, each with their own. */
  subordinates: HierarchyNode[]
}

/** Effective permissions of a member in a workspace. */
export type GetMemberPermissionsResponse = {
  /** Member id. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Role slug. */
  workspaceRole: string
  /** Role united with direct ones, without duplicates; empty unless the membership is active. */
  permissions: string[]
  /** Where they come from. */
  source: PermissionSource | null
}

/** The caller's own effective permissions in a workspace. */
export type GetMyPermissionsResponse = {
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Role slug. */
  workspaceRole: string
  /** Role united with direct ones, without duplicates. */
  permissions: string[]
  /** Where they come from. */
  source: PermissionSource | null
}

/** Figures of a workspace. */
export type GetWorkspaceAnalyticsResponse = {
  /** Workspace id. */
  workspaceId: string
  /** Members. */
  members: MemberFigures | null
  /** Teams. */
  teams: TeamFigures | null
  /** Departments. */
  departments: DepartmentFigures | null
  /** Recent activity. */
  activity: ActivityFigures | null
}

/** A subordinate with those below. */
export type HierarchyNode = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** Direct subordinates by last name; empty at the bottom. */
  subordinates: HierarchyNode[]
}

/** A member of a hotel. */
export type HotelMember = {
  /** Member id. */
  id: string
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Phone number. */
  phone: string | null
  /** Address of the picture. */
  photo_url: string | null
  /** Hotel id. */
  hotelId: string
  /** Role in the ecosystem: owner, admin or member. */
  role: string
  /** The hotel's own workspace; null for who is not in it. */
  workspaceId: string | null
  /** Role slug in that workspace; null for who is not in it. */
  workspaceRole: string | null
  /** Administrator flag of that membership. */
  isAdmin: boolean
  /** True when they may sign in to the dashboard. */
  dashboardAccess: boolean
  /** False once deactivated. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** An invitation as listed, without its token. */
export type Invitation = {
  /** Invitation id. */
  id: string
  /** E-mail address of the invitee, normalised. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Member id of the inviter; null when a service invited. */
  invitedBy: string | null
  /** Workspace id. */
  workspaceId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Role slug that it grants. */
  workspaceRole: string
  /** Permission slugs that it grants directly. */
  permissions: string[]
  /** pending, accepted, expired or cancelled. */
  status: string
  /** Time of acceptance; null before. */
  acceptedAt: string | null
  /** When the token ends. */
  expiresAt: string | null
  /** What the inviter sent along; null without. */
  invitationData: Record<string, unknown> | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Whom to invite, and as what. */
export type InviteRequest = {
  /** E-mail address of the invitee. */
  email: string
  /** First name, at most 120 characters. */
  firstName?: string | null
  /** Last name, at most 120 characters. */
  lastName?: string | null
  /** Workspace; the caller's own when absent. */
  workspaceId?: string | null
  /** Ecosystem of the workspace; found from it when absent. */
  ecosystemId?: string | null
  /** Role slug; member when absent. */
  workspaceRole?: string | null
  /** Permission slugs to grant directly, at most 100. */
  permissions?: string[]
  /** Whatever the inviter wants to keep with the invitation. */
  invitationData?: Record<string, unknown> | null
}

/** Confirms. */
export type LeaveWorkspaceResponse = {
  /** Confirmation. */
  message: string
  /** Workspace id. */
  id: string
}

/** A page of entries. */
export type ListAuditEntriesResponse = {
  /** Entries, newest first. */
  data: AuditEntry[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** The members of a department. */
export type ListDepartmentMembersResponse = {
  /** Members by last name. */
  data: DepartmentMember[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The departments of a workspace. */
export type ListDepartmentsResponse = {
  /** Departments of the root by name, each with those below. */
  data: DepartmentNode[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** Members of the hotel. */
export type ListHotelMembersResponse = {
  /** Members by last name. */
  data: HotelMember[]
  /** Position in the whole list; when all are answered, one page of them. */
  meta: PageMeta | null
}

/** A page of invitations. */
export type ListInvitationsResponse = {
  /** Invitations, newest first. */
  data: Invitation[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** A page of members. */
export type ListMembersResponse = {
  /** Members by last name, first name and id. */
  data: MemberListItem[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** The caller's workspaces. */
export type ListMyWorkspacesResponse = {
  /** Workspaces, oldest membership first. */
  data: MyWorkspace[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** All permissions. */
export type ListPermissionsResponse = {
  /** Permissions by category and slug. */
  data: Permission[]
  /** The slugs of each category: {"members": ["invite_members", …], …}. */
  categories: Record<string, unknown> | null
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of such entries. */
export type ListPlatformAuditEntriesResponse = {
  /** Entries, newest first. */
  data: AuditEntry[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** The roles of a workspace. */
export type ListRolesResponse = {
  /** Roles, system roles first. */
  data: Role[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The members of a team. */
export type ListTeamMembersResponse = {
  /** Members by last name. */
  data: TeamMember[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The teams of a workspace. */
export type ListTeamsResponse = {
  /** Teams by name. */
  data: Team[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of memberships. */
export type ListWorkspaceMembersResponse = {
  /** Memberships by last name, first name and id. */
  data: WorkspaceMemberItem[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** A page of workspaces. */
export type ListWorkspacesResponse = {
  /** Workspaces by name. */
  data: Workspace[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** Names the member. */
export type MarkRegisteredRequest = {
  /** Member id. */
  memberId: string
}

/** The member is registered. */
export type MarkRegisteredResponse = {
  /** For a person. */
  message: string
  /** Member id. */
  memberId: string
  /** Time of the first sign-in. */
  registeredAt: string | null
}

/** A member as answered after a change. */
export type Member = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Memberships in the caller's tenants. */
  workspaces: MemberWorkspace[]
  /** Member id of the manager in the hotel that is asked about. */
  superior: string | null
  /** True when that hotel lets them sign in to the dashboard. */
  dashboardAccess: boolean
  /** Phone number. */
  phone: string | null
  /** Address of the picture. */
  photo_url: string | null
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** False once deactivated in the hotel that is asked about. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A member with everything around them. */
export type MemberDetail = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Phone number. */
  phone: string | null
  /** Address of the picture. */
  photo_url: string | null
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** True when the hotel that is asked about lets them sign in to the dashboard. */
  dashboardAccess: boolean
  /** The manager; null without one. */
  manager: MemberRef | null
  /** Those who have this member as manager, by last name. */
  subordinates: MemberRef[]
  /** Memberships, oldest first. */
  workspaces: MemberDetailWorkspace[]
  /** Ecosystem memberships, oldest first. */
  ecosystems: MemberDetailEcosystem[]
  /** Teams by name. */
  teams: MemberDetailTeam[]
  /** Departments by name. */
  departments: MemberDetailDepartment[]
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** False once deactivated in the hotel that is asked about. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A department of the member asked for. */
export type MemberDetailDepartment = {
  /** Department id. */
  departmentId: string
  /** Name of the department. */
  departmentName: string
  /** manager or member. */
  role: string
}

/** An ecosystem membership of the member asked for. */
export type MemberDetailEcosystem = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** owner, admin or member. */
  role: string
  /** Ecosystem-level permission slugs. */
  permissions: string[]
}

/** A team of the member asked for. */
export type MemberDetailTeam = {
  /** Team id. */
  teamId: string
  /** Name of the team. */
  teamName: string
  /** leader or member. */
  role: string
}

/** A membership of the member asked for. */
export type MemberDetailWorkspace = {
  /** Workspace id. */
  workspaceId: string
  /** Name of the workspace. */
  workspaceName: string
  /** Role slug. */
  workspaceRole: string
  /** Effective permission slugs: role united with direct ones; empty unless the membership is active. */
  permissions: string[]
  /** Administrator flag of the membership. */
  isAdmin: boolean
  /** active, pending or suspended. */
  status: string
}

/** Counts of memberships. */
export type MemberFigures = {
  /** Memberships that have not ended, without people of other hotels who were asked and have not accepted. */
  total: number
  /** Active ones. */
  active: number
  /** Pending ones. */
  pending: number
  /** Memberships by role slug; roles without any are not listed. */
  byRole: Record<string, number>
  /** Suspended ones. */
  suspended: number
}

/** A member as listed. */
export type MemberListItem = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Address of the picture. */
  photo_url: string | null
  /** Memberships in the caller's tenants. */
  workspaces: MemberWorkspace[]
  /** False once deactivated in the hotel that is asked about. */
  isActive: boolean
}

/** Preferences: how clients show themselves to the member. */
export type MemberPreferences = {
  /** Member id. */
  memberId: string
  /** light, dark or system; system by default. */
  theme: string
  /** Workspace that a client opens first; null for the oldest membership. */
  defaultWorkspaceId: string | null
  /** Form of dates: DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD; DD/MM/YYYY by default. */
  dateFormat: string
  /** Form of times: 24h or 12h; 24h by default. */
  timeFormat: string
  /** First day of the week: monday, saturday or sunday; monday by default. */
  weekStart: string
  /** Whatever a client keeps; an empty object by default. */
  custom: Record<string, unknown> | null
  /** Creation time; null while all are defaults. */
  createdAt: string | null
  /** Time of the last change; null while all are defaults. */
  updatedAt: string | null
  /** visible or invisible: invisible members do not appear online, whatever sockets they have; visible by default. */
  presence: string
}

/** Who somebody is, in short. */
export type MemberRef = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
}

/** Settings: how the platform treats the member. */
export type MemberSettings = {
  /** Member id. */
  memberId: string
  /** Language of mails and notifications: fr, en or with a region; fr by default. */
  language: string
  /** Time zone, an IANA name; Europe/Paris by default. */
  timezone: string
  /** Whether the hotel that is asked about lets them sign in to the mobile application; true by default. */
  mobileAccess: boolean
  /** Creation time; null while all are defaults. */
  createdAt: string | null
  /** Time of the last change; null while all are defaults. */
  updatedAt: string | null
}

/** A membership in short. */
export type MemberWorkspace = {
  /** Workspace id. */
  workspaceId: string
  /** Role slug: admin, manager, member, viewer or a custom one. */
  workspaceRole: string
  /** Permissions granted directly, beside those of the role. */
  permissionSlugs: string[]
  /** active, pending or suspended. */
  status: string
  /** Administrator flag of the membership. */
  isAdmin: boolean
}

/** A membership as answered. */
export type Membership = {
  /** Member id. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Role slug: admin, manager, member, viewer or a custom one. */
  workspaceRole: string
  /** Permissions granted directly. */
  permissionSlugs: string[]
  /** active, pending or suspended. */
  status: string
  /** Administrator flag. */
  isAdmin: boolean
  /** Member since. */
  joinedAt: string | null
  /** End of the membership; null while it lasts. */
  leftAt: string | null
  /** Effective permission slugs: role united with direct ones; empty unless active. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A workspace with the caller's place in it. */
export type MyWorkspace = {
  /** Workspace id. */
  id: string
  /** Name. */
  name: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Address of the logo. */
  logo_url: string | null
  /** True for the workspace that was made with the ecosystem. */
  isDefault: boolean
  /** The caller's role slug. */
  workspaceRole: string
  /** The caller's effective permission slugs; empty unless the membership is active. */
  permissions: string[]
  /** Administrator flag of the caller's membership. */
  isAdmin: boolean
  /** active, pending or suspended. */
  status: string
  /** Member since. */
  joinedAt: string | null
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** A permission as answered. */
export type Permission = {
  /** Permission id. */
  id: string
  /** Slug, unique on the platform. */
  slug: string
  /** Display name. */
  name: string
  /** Free text. */
  description: string | null
  /** Category, such as members, content or settings. */
  category: string
  /** Kind of thing that it is about, such as member, page or workspace. */
  resource: string
  /** create, read, update, delete or manage. */
  action: string
  /** ecosystem or workspace. */
  level: string
}

/** Where permissions come from. */
export type PermissionSource = {
  /** Slugs of the role. */
  role: string[]
  /** Slugs granted directly. */
  direct: string[]
}

/** A profile. Rights are those of the first active membership, the workspace that tokens name; dashboardAccess and mobileAccess are what the hotel of hotelId says, and isActive is false once no hotel has them active. */
export type Profile = {
  /** Member id. */
  id: string
  /** First name. */
  firstname: string
  /** Last name. */
  lastname: string
  /** Address of the picture. */
  picture: string | null
  /** First ecosystem membership; null without one. */
  hotelId: string | null
  /** Active memberships, oldest first. */
  workspaces: ProfileWorkspace[]
  /** Role slugs in the first workspace. */
  roles: string[]
  /** Effective permission slugs in the first workspace. */
  permissions: string[]
  /** Token of the member at the chat provider; null without one and for people. */
  chatAccessToken: string | null
  /** Time of deletion. Deleted members are not found, so this is null. */
  deleted_at: string | null
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** E-mail address, normalised. */
  email: string
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** Administrator flag of the first membership. */
  isAdmin: boolean
  /** True when they may sign in to the dashboard. */
  dashboardAccess: boolean
  /** True when they may sign in to the mobile application; true by default. */
  mobileAccess: boolean
  /** False once deactivated: no sign-in. */
  isActive: boolean
  /** Time of the first sign-in; null before. */
  registeredAt: string | null
}

/** A workspace of the profile. */
export type ProfileWorkspace = {
  /** Workspace id. */
  id: string
  /** Name of the workspace. */
  name: string
  /** Role slug of the member in it. */
  role: string
}

/** Says who was removed. */
export type RemoveDepartmentMemberResponse = {
  /** For a person. */
  message: string
  /** Department id. */
  departmentId: string
  /** Member id. */
  memberId: string
}

/** Says who was removed. */
export type RemoveTeamMemberResponse = {
  /** For a person. */
  message: string
  /** Team id. */
  teamId: string
  /** Member id. */
  memberId: string
}

/** Says who was removed. */
export type RemoveWorkspaceMemberResponse = {
  /** For a person. */
  message: string
  /** Workspace id. */
  workspaceId: string
  /** Member id. */
  memberId: string
}

/** A role as answered. */
export type Role = {
  /** Role id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Name, such as Manager. */
  name: string
  /** Slug, unique in the workspace. */
  slug: string
  /** Free text. */
  description: string | null
  /** True for a role that cannot be changed: admin, manager, member, viewer. */
  isSystem: boolean
  /** True for the role that a new membership gets. */
  isDefault: boolean
  /** Permissions by slug. */
  permissions: RolePermission[]
  /** Live memberships with this role. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A permission of a role. */
export type RolePermission = {
  /** Permission slug. */
  slug: string
  /** Display name. */
  name: string
  /** Category, such as members. */
  category: string
}

/** An invitation with its token, for the inviter. */
export type SentInvitation = {
  /** Invitation id. */
  id: string
  /** E-mail address of the invitee, normalised. */
  email: string
  /** Token, valid until expiresAt; it is answered here and never again. */
  token: string
  /** pending. */
  status: string
  /** When the token ends. */
  expiresAt: string | null
  /** Link with the token, as in the e-mail. */
  invitationLink: string
}

/** A session as answered (document 1, "UserSession"). */
export type Session = {
  /** Session id. */
  id: string
  /** Member id. */
  memberId: string
  /** User-Agent header. */
  userAgent: string | null
  /** Client address. */
  ip: string | null
  /** mobile or dashboard. */
  appType: string
  /** Start of the session. */
  timestamp: string | null
  /** False once ended. */
  isActive: boolean
  /** Last use. */
  lastActivity: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** What the caller has already. */
export type SyncMembersRequest = {
  /** Workspace id; a person's own when absent, required of a service. */
  workspaceId?: string | null
  /** Cursor of the last answer; absent for the full list. */
  cursor?: string | null
  /** At most so many members in one answer; all when absent. When hasMore is true, ask again with the cursor. */
  limit?: number | null
}

/** Members, and where to go on. */
export type SyncMembersResponse = {
  /** Active members in the order of their last change; without a cursor, by id. */
  members: SyncedMember[]
  /** Time by the database's clock at which the answer was true. */
  syncedAt: string | null
  /** Where the next call goes on; opaque. */
  cursor: string
  /** Ids of members who left, were suspended or were deleted since the cursor; empty without one. */
  removed: string[]
  /** True when limit cut the answer short. */
  hasMore: boolean
}

/** A member as others keep them. */
export type SyncedMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Address of the picture. */
  photo_url: string | null
}

/** A team as answered. */
export type Team = {
  /** Team id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Name; several teams may bear it. */
  name: string
  /** Free text. */
  description: string | null
  /** Colour as #RRGGBB or #RGB. */
  color: string | null
  /** Icon name or emoji. */
  icon: string | null
  /** Member id of the leader. */
  leaderId: string | null
  /** False when the team is at rest. */
  isActive: boolean
  /** Live members. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Counts of teams. */
export type TeamFigures = {
  /** Teams. */
  total: number
  /** Members per team, rounded to two decimals; 0 without teams. */
  averageSize: number
}

/** A member as seen in a team. */
export type TeamMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address. */
  email: string
  /** Address of the picture. */
  photo_url: string | null
  /** leader or member. */
  role: string
}

/** A workspace as answered. */
export type Workspace = {
  /** Workspace id. */
  id: string
  /** Name; several workspaces may bear it. */
  name: string
  /** Free text. */
  description: string | null
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Kind of ecosystem, such as hotel. */
  ecosystemType: string
  /** Address of the logo. */
  logo_url: string | null
  /** Settings such as timezone and language; null without any. */
  settings: Record<string, unknown> | null
  /** True for the workspace that was made with the ecosystem. */
  isDefault: boolean
  /** False when the workspace is at rest, or its hotel deleted. */
  isActive: boolean
  /** Live memberships. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A workspace with what it holds. */
export type WorkspaceDetail = {
  /** Workspace id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Address of the logo. */
  logo_url: string | null
  /** False when the workspace is at rest, or its hotel deleted. */
  isActive: boolean
  /** Members by last name, at most 1000; membersCount says how many there are. */
  members: WorkspaceDetailMember[]
  /** Teams by name. */
  teams: WorkspaceDetailGroup[]
  /** Departments by name. */
  departments: WorkspaceDetailGroup[]
  /** Roles, system roles first. */
  roles: WorkspaceDetailRole[]
  /** Kind of ecosystem, such as hotel. */
  ecosystemType: string
  /** Settings such as timezone and language; null without any. */
  settings: Record<string, unknown> | null
  /** True for the workspace that was made with the ecosystem. */
  isDefault: boolean
  /** Live memberships. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A team or department inside a workspace asked for. */
export type WorkspaceDetailGroup = {
  /** Id of the team or department. */
  id: string
  /** Name. */
  name: string
  /** Live members. */
  membersCount: number
}

/** A member inside a workspace asked for. */
export type WorkspaceDetailMember = {
  /** Member id. */
  memberId: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** Role slug. */
  workspaceRole: string
  /** Effective permission slugs: role united with direct ones; empty unless the membership is active. */
  permissions: string[]
}

/** A role inside a workspace asked for. */
export type WorkspaceDetailRole = {
  /** Role id. */
  id: string
  /** Name. */
  name: string
  /** Slug, unique in the workspace. */
  slug: string
  /** True for a role that cannot be changed. */
  isSystem: boolean
}

/** A membership as listed, with who it is. */
export type WorkspaceMemberItem = {
  /** Member id. */
  memberId: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** Address of the picture. */
  photo_url: string | null
  /** Role slug. */
  workspaceRole: string
  /** Permissions granted directly. */
  permissionSlugs: string[]
  /** active, pending or suspended. */
  status: string
  /** Administrator flag. */
  isAdmin: boolean
  /** Member since. */
  joinedAt: string | null
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Member service. */
export type MemberOperations = {
  /** Counts members, teams, departments and recent activity.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_analytics` */
  getWorkspaceAnalytics(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetWorkspaceAnalyticsResponse>
  /** Lists what was changed beyond any one workspace, newest first: permissions of the platform, its administrators, members without a workspace.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: what no workspace sees must be seen by somebody. */
  listPlatformAuditEntries(
    input?: {
      /** Only changes that concern this member. */
      memberId?: string
      /** Only changes by this member. */
      actorId?: string
      /** Only this kind of record. */
      entity?:
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
      /** Only this action. */
      action?: string
      /** Only from this time on. */
      from?: string
      /** Only before this time. */
      until?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPlatformAuditEntriesResponse>
  /** Lists what was changed in a workspace, newest first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_reports`
   *
   * Not documented elsewhere: rights are granted by people who must be able to answer for it. */
  listAuditEntries(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Only changes that concern this member. */
      memberId?: string
      /** Only changes by this member. */
      actorId?: string
      /** Only this kind of record. */
      entity?:
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
      /** Only this action. */
      action?: string
      /** Only from this time on. */
      from?: string
      /** Only before this time. */
      until?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListAuditEntriesResponse>
  /** Creates members of a workspace, with the rules of POST /members. A second row with the same e-mail fails.
   *
   * **Body:** at most 1,000,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkAddMembers(
    input: {
      body: BulkAddMembersRequest
    },
    options?: CallOptions,
  ): Promise<BulkAddMembersResponse>
  /** Grants permissions directly to members of a workspace, beside those they have. ValidationError for an unknown slug, ForbiddenError for one that the caller does not hold; a row fails for an unknown member or a repeated one.
   *
   * **Body:** at most 1,000,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkAssignPermissions(
    input: {
      body: BulkAssignPermissionsRequest
    },
    options?: CallOptions,
  ): Promise<BulkAssignPermissionsResponse>
  /** Changes the roles of members of a workspace. A row fails for an unknown member or role, a role above the caller's rights, the last administrator, or a second row for the same member.
   *
   * **Body:** at most 1,000,000 bytes instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkUpdateRoles(
    input: {
      body: BulkUpdateRolesRequest
    },
    options?: CallOptions,
  ): Promise<BulkUpdateRolesResponse>
  /** Creates a department. ConflictError when the parent has a department of that name or the workspace has the code, ValidationError for a parent or manager from elsewhere. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createDepartment(
    input: {
      body: CreateDepartmentRequest
    },
    options?: CallOptions,
  ): Promise<Department>
  /** Deletes a department softly; its sub-departments move to its parent, its members stay in the workspace. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: departments are dissolved. */
  deleteDepartment(
    input: {
      /** Department id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteDepartmentResponse>
  /** Changes the fields that the body names. NotFoundError, ConflictError on a taken name or code, ValidationError for a parent or manager from elsewhere or a cycle.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: departments are renamed and moved. */
  updateDepartment(
    input: {
      /** Department id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New short code. */
        code?: string | null
        /** New department above; null moves it to the root. */
        parentId?: string | null
        /** New manager, a member of the workspace. */
        managerId?: string | null
        /** False puts the department at rest. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Department>
  /** The departments of a workspace as trees, by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listDepartments(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDepartmentsResponse>
  /** Adds a member of the workspace to a department. Adding twice changes the role only. NotFoundError. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: departments have members, and the documents no way to add them. */
  addDepartmentMember(
    input: {
      /** Department id. */
      id: string
      body: {
        /** Member id. */
        memberId: string
        /** manager or member; member when absent. */
        role?: 'manager' | 'member' | null | null
      }
    },
    options?: CallOptions,
  ): Promise<AddDepartmentMemberResponse>
  /** Lists the members of a department by last name, without those of its sub-departments. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members`
   *
   * Not documented elsewhere: the counterpart of a team's list. */
  listDepartmentMembers(
    input: {
      /** Department id. */
      id: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDepartmentMembersResponse>
  /** Removes a member from a department; nothing happens when they are not in it. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the counterpart of add-member. */
  removeDepartmentMember(
    input: {
      /** Department id. */
      id: string
      /** Member id. */
      memberId: string
    },
    options?: CallOptions,
  ): Promise<RemoveDepartmentMemberResponse>
  /** All that is kept about one member, as a JSON file to save: for the member, who needs no permission, and for holders of export_data in a workspace of theirs, who get what lies in their workspaces. NotFoundError.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `export_data`
   *
   * Not documented elsewhere: the right of access and portability (GDPR). */
  exportMemberData(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<ExportMemberDataResponse>
  /** Streams the members of a workspace as a file, by last name: id, names, e-mail, phone, role, status, permissions, teams, departments, joining time. Texts that a spreadsheet would take for a formula are made harmless.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `export_data` */
  exportMembers(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** csv or xlsx; csv when absent. */
      format?: 'csv' | 'xlsx'
    },
    options?: CallOptions,
  ): Promise<Response>
  /** Creates a member in a workspace. Somebody whom another hotel knows is asked by mail: pending, and shown as typed until they accept. ConflictError for an e-mail that cannot be added. ConflictError when the workspace has the e-mail, ValidationError for an unknown role or a superior from elsewhere, ForbiddenError for a role above the caller's rights, and where an open invitation that grants more would be replaced. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createMember(
    input: {
      body: CreateMemberRequest
    },
    options?: CallOptions,
  ): Promise<Member>
  /** Creates the administrator (or, without isAdmin, a plain member) of a hotel: member, ecosystem membership, and membership of the hotel's own workspace, with an invitation e-mail for who has no account. A second call with the same hotel and e-mail answers what is there. Somebody whom another hotel knows is asked by mail, and shown as typed until they accept. ConflictError when the hotel has no workspace, and for an e-mail that cannot be added. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** service key */
  addHotelMember(
    input: {
      body: AddHotelMemberRequest
    },
    options?: CallOptions,
  ): Promise<HotelMember>
  /** Deletes a member softly: memberships end, sign-in is revoked, the e-mail is free again. A member of other tenants leaves the caller's only. NotFoundError, ConflictError for the last administrator of a workspace.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `remove_members` */
  deleteMember(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteMemberResponse>
  /** Erases the personal data of a member for good: names, e-mail, phone and picture are replaced by neutral values, what must stay (authorship, audit) points to the anonymous record. For members themselves and for holders of remove_members when the member has no other tenant; somebody deleted before is erased in the same way, by platform administrators and holders of remove_members wherever they were. The account ends with the record: sign-in, profile, sessions, tokens of before, devices. NotFoundError, ConflictError for a last administrator, ValidationError for a missing or wrong password of somebody who erases themselves, TooManyRequestsError after too many wrong ones, ServiceUnavailableError while that password cannot be checked.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `remove_members`
   *
   * Not documented elsewhere: the right to erasure (GDPR). */
  eraseMember(
    input: {
      /** Member id. */
      id: string
      body: {
        /** The caller's own password; required of members who erase themselves, ignored otherwise. */
        password?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<EraseMemberResponse>
  /** Lists the members of a workspace by last name. Members who left and deleted ones are not listed.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listMembers(
    input?: {
      /** Workspace; the caller's own when absent. */
      workspaceId?: string
      /** Only those with this role slug. */
      workspaceRole?: string
      /** Only active (true) or deactivated (false) members. */
      isActive?: boolean
      /** Part of the name or e-mail, without regard to case and accents; % and _ mean themselves. */
      search?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
      /** Only memberships in this status. */
      status?: 'active' | 'pending' | 'suspended'
    },
    options?: CallOptions,
  ): Promise<ListMembersResponse>
  /** All members of a hotel by last name: those of its ecosystem and of its workspaces. All in one answer unless page or limit is given; RPC clients give one where the members of a hotel may be more than a message holds (8 MiB).
   *
   * **Callers:** service key, person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  listHotelMembers(
    input: {
      /** Hotel id. */
      id: string
      /** Only active (true) or deactivated (false) members. */
      isActive?: boolean
      /** Page, from 1; without page and limit all are answered. */
      page?: number
      /** Members per page; 20 when only page is given, and never more than 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListHotelMembersResponse>
  /** Profile by e-mail with the chat token, for the legacy version. NotFoundError.
   *
   * **Callers:** service key */
  getLightProfile(
    input: {
      /** E-mail address. */
      email: string
      /** The app that somebody signs in to, mobile or dashboard: of several hotels one that lets them in comes first. */
      appType?: 'mobile' | 'dashboard'
    },
    options?: CallOptions,
  ): Promise<Profile>
  /** Profile by e-mail, for the modern version. People read themselves and, with view_members, members of a workspace of theirs; only services see chatAccessToken. NotFoundError.
   *
   * **Callers:** service key, person · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getProfileByEmail(
    input: {
      /** E-mail address. */
      email: string
    },
    options?: CallOptions,
  ): Promise<Profile>
  /** One member with manager, subordinates, memberships, teams and departments, as far as they lie in the caller's tenants. Everybody may read themselves. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getMember(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberDetail>
  /** A member between their manager and all who are below them, over any number of levels. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getMemberHierarchy(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetMemberHierarchyResponse>
  /** Marks a member as registered and, the first time, emits member.registered. Again changes nothing. NotFoundError.
   *
   * **Callers:** service key */
  markRegistered(
    input: {
      body: MarkRegisteredRequest
    },
    options?: CallOptions,
  ): Promise<MarkRegisteredResponse>
  /** The active members of a workspace. Without a cursor, all of them; with the cursor of an earlier answer, those who came or changed since, and the ids of those who went. ValidationError for a cursor of another workspace or one that is too old: start again without.
   *
   * The same as POST /sync/members.
   *
   * **Callers:** service key, person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  syncMembersAlias(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
  /** Changes the fields that the body names; everybody may change their own names, phone and picture, which else belong to the hotel that created the member. superior, dashboardAccess and isActive are each hotel's own: those of the hotel that is asked about change, of a platform administrator's call those of all. NotFoundError, ConflictError on a taken e-mail, ValidationError on a cycle of superiors, ForbiddenError "Cannot manage this member" for a manager who is not above them.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  updateMember(
    input: {
      /** Member id. */
      id: string
      body: {
        /** New first name; cannot be cleared. */
        firstName?: string
        /** New last name; cannot be cleared. */
        lastName?: string
        /** New e-mail address; cannot be cleared. */
        email?: string
        /** New phone number. */
        phone?: string | null
        /** New address of the picture. */
        photo_url?: string | null
        /** New manager, who shares a workspace with the member; null for none. Needs manage_members. */
        superior?: string | null
        /** Whether they may sign in to the dashboard. Needs manage_members. */
        dashboardAccess?: boolean | null
        /** False deactivates the member in the hotel, true brings them back; of a platform administrator everywhere. */
        isActive?: boolean | null
        /** Makes or unmakes a platform administrator; ForbiddenError unless the caller is one. */
        isSuperAdmin?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Member>
  /** Accepts an invitation after its e-mail signed up; the token is enough, a bearer token that is sent along must be of the e-mail. The stored role and permissions are granted. NotFoundError for an unknown token, ConflictError for an accepted or cancelled one or before sign-up, and for an unverified account where the e-mail has a record that opens more than this invitation; ForbiddenError for another's bearer, 410 for an expired one.
   *
   * **Callers:** public */
  acceptInvitation(
    input: {
      /** Token from the invitation mail. */
      token: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<AcceptInvitationResponse>
  /** Cancels an open invitation; its token is dead. NotFoundError, ConflictError unless pending, ForbiddenError for one of somebody else's that grants what the caller does not hold.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `invite_members` */
  cancelInvitation(
    input: {
      /** Invitation id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<CancelInvitationResponse>
  /** Lists the invitations of the workspaces in which the caller may invite, newest first; all of the platform for a platform administrator.
   *
   * **Callers:** person, credential · **Tenant:** own tenants · **Permission:** `invite_members` */
  listInvitations(
    input?: {
      /** Only those in this status. */
      status?: 'pending' | 'accepted' | 'expired' | 'cancelled'
      /** Only those of this workspace; ForbiddenError for a foreign one. */
      workspaceId?: string
      /** Part of the e-mail or name, without regard to case and accents. */
      search?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListInvitationsResponse>
  /** Invites somebody by e-mail: the notification service mails the link. An open invitation of the e-mail into the workspace is renewed with a new token. ConflictError for a present member, ValidationError for an unknown role or slug or an ecosystem that is not the workspace's, ForbiddenError for rights that the caller does not hold. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `invite_members` */
  invite(
    input: {
      body: InviteRequest
    },
    options?: CallOptions,
  ): Promise<SentInvitation>
  /** Mails a pending or expired invitation again with a new token, valid for another 7 days. NotFoundError, ConflictError when accepted or cancelled.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `invite_members`
   *
   * Not documented elsewhere: mails get lost and tokens expire. */
  resendInvitation(
    input: {
      /** Invitation id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<SentInvitation>
  /** Creates a custom permission, which every tenant can then grant. ConflictError on a taken slug. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** platform administrator */
  createPermission(
    input: {
      body: CreatePermissionRequest
    },
    options?: CallOptions,
  ): Promise<Permission>
  /** Lists all permissions by category and slug.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listPermissions(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPermissionsResponse>
  /** The membership of a member in an ecosystem, with what it grants. NotFoundError when they have none there.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem`
   *
   * Not documented elsewhere: what is granted must be seen. */
  getEcosystemMember(
    input: {
      /** Member id. */
      memberId: string
      /** Ecosystem id. */
      ecosystemId: string
    },
    options?: CallOptions,
  ): Promise<EcosystemMember>
  /** Grants and revokes ecosystem permissions, or changes the role. NotFoundError when the member has no membership there, ValidationError for a slug that is no ecosystem permission, ConflictError for the last owner, ForbiddenError for a slug or a role that the caller does not hold, and for who acts on somebody above them.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem`
   *
   * Not documented elsewhere: ecosystem permissions need a way in and out. */
  updateEcosystemMember(
    input: {
      /** Member id. */
      memberId: string
      /** Ecosystem id. */
      ecosystemId: string
      body: {
        /** owner, admin or member. */
        role?: 'owner' | 'admin' | 'member' | null | null
        /** Ecosystem permissions, in place of all that are granted. */
        permissions?: string[]
      }
    },
    options?: CallOptions,
  ): Promise<EcosystemMember>
  /** The effective permissions of a member in a workspace and where they come from. NotFoundError when they have no membership there.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  getMemberPermissions(
    input: {
      /** Member id. */
      memberId: string
      /** Workspace id. */
      workspaceId: string
    },
    options?: CallOptions,
  ): Promise<GetMemberPermissionsResponse>
  /** The caller's own effective permissions in a workspace.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Not documented elsewhere: people without view_members may know their own rights. */
  getMyPermissions(
    input: {
      /** Workspace id. */
      workspaceId: string
    },
    options?: CallOptions,
  ): Promise<GetMyPermissionsResponse>
  /** Creates a custom role. ConflictError when the workspace has the slug or it is that of a system role, ValidationError for an unknown permission slug, ForbiddenError for one that the caller does not hold. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_roles` */
  createRole(
    input: {
      body: CreateRoleRequest
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Lists the roles of a workspace, system roles first, then by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listRoles(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListRolesResponse>
  /** Changes the fields that the body names; memberships follow a new slug. NotFoundError, ForbiddenError for a system role or a permission that the caller does not hold, ConflictError on a taken slug.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_roles` */
  updateRole(
    input: {
      /** Role id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New slug; cannot be cleared. */
        slug?: string
        /** New free text. */
        description?: string | null
        /** Permission slugs in place of all the old ones, at most 100. */
        permissions?: string[]
        /** Makes it the role that a new membership gets. */
        isDefault?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Deletes a custom role. NotFoundError, ForbiddenError for a system role, ConflictError while a membership or an open invitation has it.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_roles`
   *
   * Not documented elsewhere: the counterpart of creating one. */
  deleteRole(
    input: {
      /** Role id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteRoleResponse>
  /** Adds a permission to a custom role; adding twice changes nothing. NotFoundError, ValidationError for an unknown slug, ForbiddenError for a system role or a permission that the caller does not hold. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_roles` */
  addRolePermission(
    input: {
      /** Role id. */
      id: string
      body: {
        /** Permission slug. */
        permissionSlug: string
      }
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Removes a permission from a custom role; nothing happens when it has it not. NotFoundError, ForbiddenError for a system role.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_roles` */
  removeRolePermission(
    input: {
      /** Role id. */
      id: string
      /** Permission slug. */
      permissionSlug: string
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Records a session; the record is made and kept by the authentication service. People record their own only. NotFoundError for an unknown member. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** service key, person · **Tenant:** the record's tenant */
  createSession(
    input: {
      body: CreateSessionRequest
    },
    options?: CallOptions,
  ): Promise<Session>
  /** The settings of a member. NotFoundError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  getMemberSettings(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberSettings>
  /** Changes the settings that the body names. NotFoundError, ValidationError for an unknown time zone, ForbiddenError when a member changes their own mobileAccess, and for language and timezone of somebody else who belongs to several hotels.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  updateMemberSettings(
    input: {
      /** Member id. */
      id: string
      body: {
        /** Language: fr, en or with a region, such as fr-CA. */
        language?: string | null
        /** Time zone, an IANA name. */
        timezone?: string | null
        /** Whether they may sign in to the mobile application. Needs manage_members. */
        mobileAccess?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<MemberSettings>
  /** The preferences of a member. NotFoundError.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the model exists without a route. */
  getMemberPreferences(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberPreferences>
  /** Changes the preferences that the body names. NotFoundError, ValidationError for a workspace that is not theirs, ForbiddenError for the presence of somebody else, and for any preference of somebody else who belongs to several hotels.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the model exists without a route. */
  updateMemberPreferences(
    input: {
      /** Member id. */
      id: string
      body: {
        /** light, dark or system. */
        theme?: 'light' | 'dark' | 'system' | null | null
        /** Workspace that a client opens first, one of the member's. */
        defaultWorkspaceId?: string | null
        /** Form of dates. */
        dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | null | null
        /** Form of times. */
        timeFormat?: '24h' | '12h' | null | null
        /** First day of the week. */
        weekStart?: 'monday' | 'saturday' | 'sunday' | null | null
        /** Whatever a client keeps, in place of all that it kept; at most 16 kB. */
        custom?: Record<string, unknown> | null
        /** Whether they appear online, on all of their sockets at once and from then on; only the member decides this. */
        presence?: 'visible' | 'invisible' | null | null
      }
    },
    options?: CallOptions,
  ): Promise<MemberPreferences>
  /** The active members of a workspace. Without a cursor, all of them; with the cursor of an earlier answer, those who came or changed since, and the ids of those who went. ValidationError for a cursor of another workspace or one that is too old: start again without.
   *
   * **Callers:** service key, person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  syncMembers(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
  /** Creates a team. ConflictError when the workspace has a team of that name. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createTeam(
    input: {
      body: CreateTeamRequest
    },
    options?: CallOptions,
  ): Promise<Team>
  /** Deletes a team softly. Its members stay members of the workspace.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: teams end when a season does. */
  deleteTeam(
    input: {
      /** Team id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTeamResponse>
  /** Changes the fields that the body names. NotFoundError, ConflictError on a taken name.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: a team that cannot be renamed must be made again. */
  updateTeam(
    input: {
      /** Team id. */
      id: string
      body: {
        /** New name. */
        name?: string | null
        /** New free text. */
        description?: string | null
        /** New colour as #RRGGBB or #RGB. */
        color?: string | null
        /** New icon name or emoji. */
        icon?: string | null
        /** New leader, a member of the workspace. */
        leaderId?: string | null
        /** False puts the team at rest. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Team>
  /** Lists the teams of a workspace by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listTeams(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTeamsResponse>
  /** Adds a member of the workspace to a team. Adding twice changes the role only. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  addTeamMember(
    input: {
      /** Team id. */
      id: string
      body: {
        /** Member id. */
        memberId: string
        /** leader or member; member when absent. */
        role?: 'leader' | 'member' | null | null
      }
    },
    options?: CallOptions,
  ): Promise<AddTeamMemberResponse>
  /** Lists the members of a team by last name.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  listTeamMembers(
    input: {
      /** Team id. */
      id: string
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTeamMembersResponse>
  /** Removes a member from a team; nothing happens when they are not in it.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the counterpart of add-member. */
  removeTeamMember(
    input: {
      /** Team id. */
      id: string
      /** Member id. */
      memberId: string
    },
    options?: CallOptions,
  ): Promise<RemoveTeamMemberResponse>
  /** Creates a workspace with the four system roles; the caller becomes its administrator. For owners and administrators of the ecosystem and holders of manage_ecosystem. ConflictError when the ecosystem has the name or its hotel is deleted, ValidationError for an ecosystem that does not exist. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem` */
  createWorkspace(
    input: {
      body: CreateWorkspaceRequest
    },
    options?: CallOptions,
  ): Promise<Workspace>
  /** Deletes a workspace softly; its memberships end, its open invitations are cancelled. For its administrators. ConflictError for the default workspace of an ecosystem.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `manage_settings`
   *
   * Not documented elsewhere: a workspace that is no longer needed must go. */
  deleteWorkspace(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteWorkspaceResponse>
  /** Lists the workspaces of the caller's ecosystems by name; all of the platform for a platform administrator. ForbiddenError for a foreign ecosystem in the query.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listWorkspaces(
    input?: {
      /** Only those of this ecosystem. */
      ecosystemId?: string
      /** Only working (true) or resting (false) ones. */
      isActive?: boolean
      /** Part of the name, without regard to case and accents. */
      search?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListWorkspacesResponse>
  /** The workspaces in which the caller has a membership, with their rights there, oldest first; those of deleted hotels are left out.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Not documented elsewhere: a client must offer a switch between one's own workspaces. */
  listMyWorkspaces(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMyWorkspacesResponse>
  /** One workspace with its members, teams, departments and roles.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_members` */
  getWorkspace(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<WorkspaceDetail>
  /** Changes the fields that the body names. ConflictError on a taken name. Only administrators of the workspace let it rest (isActive false) and wake it: at rest it is open to them alone, for looking and waking.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `manage_settings`
   *
   * Not documented elsewhere: names, logos and settings change. */
  updateWorkspace(
    input: {
      /** Workspace id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New address of the logo. */
        logo_url?: string | null
        /** New settings, in place of all the old ones. */
        settings?: Record<string, unknown> | null
        /** False puts the workspace at rest: it is shown as such and takes no new members. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Workspace>
  /** Adds a member of the ecosystem to a workspace, or revives the membership of one who left. NotFoundError for an unknown member, ConflictError for a present one, ValidationError for an unknown role or slug, ForbiddenError for rights that the caller does not hold. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `manage_members` */
  addWorkspaceMember(
    input: {
      /** Workspace id. */
      id: string
      body: {
        /** Member id. */
        memberId: string
        /** Role slug; member when absent. */
        workspaceRole?: string | null
        /** Permissions to grant directly, at most 100. */
        permissions?: string[]
      }
    },
    options?: CallOptions,
  ): Promise<Membership>
  /** Ends the caller's own membership, as its removal by others does. NotFoundError for who has none, ConflictError for the last administrator.
   *
   * **Callers:** person · **Tenant:** workspace (`id`)
   *
   * Not documented elsewhere: people go without asking those who may remove them. */
  leaveWorkspace(
    input: {
      /** Workspace id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<LeaveWorkspaceResponse>
  /** Lists the memberships of a workspace by last name; those who left are not listed.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_members`
   *
   * Not documented elsewhere: pages through what the workspace itself shows in part. */
  listWorkspaceMembers(
    input: {
      /** Workspace id. */
      id: string
      /** Only those with this role slug. */
      workspaceRole?: string
      /** Only those in this status. */
      status?: 'active' | 'pending' | 'suspended'
      /** Part of the name or e-mail, without regard to case and accents; % and _ mean themselves. */
      search?: string
      /** Page, from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListWorkspaceMembersResponse>
  /** Makes a suspended or pending membership active. NotFoundError; an active one stays as it is. ForbiddenError for rights that the caller does not hold: they would be granted anew.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the status suspended needs a way out. */
  reactivateWorkspaceMember(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Member id. */
      memberId: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<Membership>
  /** Ends a membership: leftAt is set, rights, teams and departments of the workspace are gone. NotFoundError, ConflictError for the last administrator, ForbiddenError "Cannot manage this member".
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `remove_members` */
  removeWorkspaceMember(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Member id. */
      memberId: string
    },
    options?: CallOptions,
  ): Promise<RemoveWorkspaceMemberResponse>
  /** Suspends a membership: it keeps its role and has no rights. NotFoundError, ConflictError for the last administrator; suspending twice changes nothing.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Not documented elsewhere: the status suspended needs a way in. */
  suspendWorkspaceMember(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Member id. */
      memberId: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<Membership>
  /** Changes role, direct permissions or administrator flag. NotFoundError, ConflictError for the last administrator, ValidationError for an unknown role or slug, ForbiddenError for rights the caller does not hold.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Not documented elsewhere: roles change without leaving and joining again. */
  updateWorkspaceMember(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Member id. */
      memberId: string
      body: {
        /** New role slug; cannot be cleared. */
        workspaceRole?: string
        /** Direct permissions in place of all the old ones, at most 100; an empty list takes them away. */
        permissions?: string[]
        /** New administrator flag; only an administrator of the workspace may set it. */
        isAdmin?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Membership>
}

export const memberRoutes: Routes<MemberOperations> = {
  getWorkspaceAnalytics: {
    verb: 'GET',
    path: '/analytics/workspace/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listPlatformAuditEntries: {
    verb: 'GET',
    path: '/audit/platform',
    query: ['memberId', 'actorId', 'entity', 'action', 'from', 'until', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listAuditEntries: {
    verb: 'GET',
    path: '/audit/workspace/{workspaceId}',
    query: ['memberId', 'actorId', 'entity', 'action', 'from', 'until', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  bulkAddMembers: {
    verb: 'POST',
    path: '/bulk/add-members',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  bulkAssignPermissions: {
    verb: 'POST',
    path: '/bulk/assign-permissions',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  bulkUpdateRoles: {
    verb: 'POST',
    path: '/bulk/update-roles',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createDepartment: {
    verb: 'POST',
    path: '/departments',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteDepartment: {
    verb: 'DELETE',
    path: '/departments/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateDepartment: {
    verb: 'PATCH',
    path: '/departments/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listDepartments: {
    verb: 'GET',
    path: '/departments/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  addDepartmentMember: {
    verb: 'POST',
    path: '/departments/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listDepartmentMembers: {
    verb: 'GET',
    path: '/departments/{id}/members',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  removeDepartmentMember: {
    verb: 'DELETE',
    path: '/departments/{id}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  exportMemberData: {
    verb: 'GET',
    path: '/export/member/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  exportMembers: {
    verb: 'GET',
    path: '/export/members/workspace/{workspaceId}',
    query: ['format'],
    body: 'none',
    answer: 'stream',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createMember: {
    verb: 'POST',
    path: '/members',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  addHotelMember: {
    verb: 'POST',
    path: '/members/add/hotel/member',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteMember: {
    verb: 'DELETE',
    path: '/members/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  eraseMember: {
    verb: 'DELETE',
    path: '/members/erase/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listMembers: {
    verb: 'GET',
    path: '/members/get/all',
    query: ['workspaceId', 'workspaceRole', 'isActive', 'search', 'page', 'limit', 'status'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listHotelMembers: {
    verb: 'GET',
    path: '/members/get/by/hotel_id/{id}',
    query: ['isActive', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getLightProfile: {
    verb: 'GET',
    path: '/members/get/light/{email}',
    query: ['appType'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getProfileByEmail: {
    verb: 'GET',
    path: '/members/get/with/{email}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getMember: {
    verb: 'GET',
    path: '/members/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getMemberHierarchy: {
    verb: 'GET',
    path: '/members/hierarchy/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  markRegistered: {
    verb: 'PUT',
    path: '/members/registered/update',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  syncMembersAlias: {
    verb: 'POST',
    path: '/members/sync',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  updateMember: {
    verb: 'PATCH',
    path: '/members/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  acceptInvitation: {
    verb: 'POST',
    path: '/onboarding/accept/{token}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  cancelInvitation: {
    verb: 'DELETE',
    path: '/onboarding/cancel/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listInvitations: {
    verb: 'GET',
    path: '/onboarding/get/all',
    query: ['status', 'workspaceId', 'search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  invite: {
    verb: 'POST',
    path: '/onboarding/invite',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  resendInvitation: {
    verb: 'POST',
    path: '/onboarding/resend/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createPermission: {
    verb: 'POST',
    path: '/permissions',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listPermissions: {
    verb: 'GET',
    path: '/permissions/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getEcosystemMember: {
    verb: 'GET',
    path: '/permissions/member/{memberId}/ecosystem/{ecosystemId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateEcosystemMember: {
    verb: 'PATCH',
    path: '/permissions/member/{memberId}/ecosystem/{ecosystemId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getMemberPermissions: {
    verb: 'GET',
    path: '/permissions/member/{memberId}/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getMyPermissions: {
    verb: 'GET',
    path: '/permissions/mine/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createRole: {
    verb: 'POST',
    path: '/roles',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listRoles: {
    verb: 'GET',
    path: '/roles/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateRole: {
    verb: 'PATCH',
    path: '/roles/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteRole: {
    verb: 'DELETE',
    path: '/roles/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  addRolePermission: {
    verb: 'POST',
    path: '/roles/{id}/add-permission',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  removeRolePermission: {
    verb: 'DELETE',
    path: '/roles/{id}/remove-permission/{permissionSlug}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createSession: {
    verb: 'POST',
    path: '/sessions',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  getMemberSettings: {
    verb: 'GET',
    path: '/settings/member/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateMemberSettings: {
    verb: 'PATCH',
    path: '/settings/member/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getMemberPreferences: {
    verb: 'GET',
    path: '/settings/member/{id}/preferences',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateMemberPreferences: {
    verb: 'PATCH',
    path: '/settings/member/{id}/preferences',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  syncMembers: {
    verb: 'POST',
    path: '/sync/members',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createTeam: {
    verb: 'POST',
    path: '/teams',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteTeam: {
    verb: 'DELETE',
    path: '/teams/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateTeam: {
    verb: 'PATCH',
    path: '/teams/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listTeams: {
    verb: 'GET',
    path: '/teams/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  addTeamMember: {
    verb: 'POST',
    path: '/teams/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listTeamMembers: {
    verb: 'GET',
    path: '/teams/{id}/members',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  removeTeamMember: {
    verb: 'DELETE',
    path: '/teams/{id}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createWorkspace: {
    verb: 'POST',
    path: '/workspaces',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteWorkspace: {
    verb: 'DELETE',
    path: '/workspaces/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listWorkspaces: {
    verb: 'GET',
    path: '/workspaces/get/all',
    query: ['ecosystemId', 'isActive', 'search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listMyWorkspaces: {
    verb: 'GET',
    path: '/workspaces/get/mine',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getWorkspace: {
    verb: 'GET',
    path: '/workspaces/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateWorkspace: {
    verb: 'PATCH',
    path: '/workspaces/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  addWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  leaveWorkspace: {
    verb: 'POST',
    path: '/workspaces/{id}/leave',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listWorkspaceMembers: {
    verb: 'GET',
    path: '/workspaces/{id}/members',
    query: ['workspaceRole', 'status', 'search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  reactivateWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{workspaceId}/reactivate-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  removeWorkspaceMember: {
    verb: 'DELETE',
    path: '/workspaces/{workspaceId}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  suspendWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{workspaceId}/suspend-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  updateWorkspaceMember: {
    verb: 'PATCH',
    path: '/workspaces/{workspaceId}/update-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
}
