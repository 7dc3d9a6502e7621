// Written by npm run gen from gen/openapi/member.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** The membership that the invitation created. */
export type AcceptInvitationResponse = {
  /** Invitation id. */
  id: string
  /** Status. */
  status: 'accepted'
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

/** The acknowledgement of a must-read page. */
export type Acknowledgement = {
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** When it was given. */
  acknowledgedAt: string | null
}

/** Counts of recent activity, by days in the workspace's time zone. */
export type ActivityFigures = {
  /** Number of members who joined in the current month. */
  newMembersThisMonth: number
  /** Number of members seen today, without those who haven't accepted their invitation. */
  activeToday: number
}

/** The department membership. */
export type AddDepartmentMemberResponse = {
  /** Department id. */
  departmentId: string
  /** Member id. */
  memberId: string
  /** Role in the department. */
  role: 'manager' | 'member'
  /** Time of joining. */
  joinedAt: string | null
}

/** The member to add and the hotel. */
export type AddHotelMemberRequest = {
  /** Hotel id. */
  hotelId: string
  /** E-mail address. */
  email: string
  /** First name, 1 to 255 characters. */
  firstName: string
  /** Last name, 1 to 255 characters. */
  lastName: string
  /** Whether they can sign in to the dashboard; false when absent. */
  dashboardAccess?: boolean | null
  /** True makes them administrator of the hotel's own workspace, and owner of the ecosystem, or its administrator where the caller is one; false when absent. */
  isAdmin?: boolean | null
}

/** The team membership. */
export type AddTeamMemberResponse = {
  /** Team id. */
  teamId: string
  /** Member id. */
  memberId: string
  /** Role in the team. */
  role: 'leader' | 'member'
  /** Time of joining. */
  joinedAt: string | null
}

/** The member or service that made a change. */
export type AuditActor = {
  /** Member id, or the name of the service. */
  id: string
  /** Name at the time of the change. */
  name: string
  /** Kind of actor. */
  type: 'member' | 'system'
  /** API credential that acted for the member; null when the member acted in person. */
  credentialId: string | null
}

/** One change. */
export type AuditEntry = {
  /** Entry id. */
  id: string
  /** Workspace id; null for a change outside of workspaces. */
  workspaceId: string | null
  /** The member or service that made the change. */
  actor: AuditActor | null
  /** Action: membership.added, role.updated, invitation.cancelled … */
  action: string
  /** Type of the record. */
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
  /** Id of the record. */
  entityId: string
  /** Id of the affected member; null for none or several. */
  memberId: string | null
  /** Changed fields with their old values; null for a creation. */
  before: Record<string, unknown> | null
  /** Changed fields with their new values; null for a deletion. */
  after: Record<string, unknown> | null
  /** Time of the event. */
  createdAt: string | null
  /** Id of the request that made the change; null for a change without one. */
  requestId: string | null
}

/** The members to create. */
export type BulkAddMembersRequest = {
  /** Id of the workspace to join; the caller's own when absent. */
  workspaceId?: string | null
  /** Rows, 1 to 1000. */
  members: BulkMember[]
}

/** The results. */
export type BulkAddMembersResponse = {
  /** One result per row, in the order of the request. */
  results: BulkResult[]
  /** Number of rows in the request. */
  total: number
  /** Number of rows that were applied. */
  succeeded: number
  /** Number of rows that failed. */
  failed: number
}

/** The permissions to grant and the members to grant them to. */
export type BulkAssignPermissionsRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Member ids, at most 1000. Each id is validated separately. */
  memberIds?: string[]
  /** Slugs of workspace-level permissions, at most 100, of the rows that have none. */
  permissions?: string[]
  /** Rows instead of member ids, at most 1000. */
  members?: BulkGrant[]
}

/** The results. */
export type BulkAssignPermissionsResponse = {
  /** One result per row, in the order of the request. */
  results: BulkResult[]
  /** Number of rows in the request. */
  total: number
  /** Number of members who got the permissions. */
  succeeded: number
  /** Number of members who didn't. */
  failed: number
}

/** Permissions to grant to a member. Fields are validated row by row. */
export type BulkGrant = {
  /** Member id. */
  memberId?: string
  /** Slugs of workspace-level permissions; those of the request when absent. */
  permissions?: string[]
  /** Why the row can't be read. Set by the edge only. */
  fault?: string | null
}

/** A member to create. Fields are validated row by row. */
export type BulkMember = {
  /** E-mail address. */
  email?: string
  /** First name, 1 to 255 characters. */
  firstName?: string
  /** Last name, 1 to 255 characters. */
  lastName?: string
  /** Role slug; member when absent. */
  workspaceRole?: string | null
  /** Why the row can't be read. Set by the edge only. */
  fault?: string | null
}

/** The result of one row. */
export type BulkResult = {
  /** Index of the row in the request, from 0. */
  index: number
  /** Whether the row was applied. */
  success: boolean
  /** Member id; null when unknown. */
  memberId: string | null
  /** E-mail address of the row or of the member; null when unknown. */
  email: string | null
  /** Error class, such as ConflictError; null on success. */
  error: string | null
  /** Human-readable error; null on success. */
  message: string | null
}

/** A role to assign. Fields are validated row by row. */
export type BulkRole = {
  /** Member id. */
  memberId?: string
  /** Role slug; that of the request when absent. */
  workspaceRole?: string
  /** Why the row can't be read. Set by the edge only. */
  fault?: string | null
}

/** The roles to assign. */
export type BulkUpdateRolesRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Rows, at most 1000. */
  members?: BulkRole[]
  /** Member ids instead of rows, at most 1000. Each id is validated separately. */
  memberIds?: string[]
  /** Role slug of the rows that have none. */
  workspaceRole?: string | null
}

/** The results. */
export type BulkUpdateRolesResponse = {
  /** One result per row, in the order of the request. */
  results: BulkResult[]
  /** Number of rows in the request. */
  total: number
  /** Number of rows that were applied. */
  succeeded: number
  /** Number of rows that failed. */
  failed: number
}

/** Confirms the cancellation. */
export type CancelInvitationResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Invitation id. */
  id: string
}

/** Channels of one <type>.<category>. */
export type ChannelSwitches = {
  /** In-app list. */
  app: boolean
  /** Push. */
  push: boolean
  /** E-mail. */
  email: boolean
  /** Socket. */
  socket: boolean
}

/** Fields of a new department. */
export type CreateDepartmentRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Short code, at most 120 characters. */
  code?: string | null
  /** Id of the parent department, in the same workspace; none for the root. */
  parentId?: string | null
  /** Member id of the manager, a member of the workspace. */
  managerId?: string | null
}

/** Fields of a new member. */
export type CreateMemberRequest = {
  /** First name, 1 to 255 characters. */
  firstName: string
  /** Last name, 1 to 255 characters. */
  lastName: string
  /** E-mail address. Stored in lower case. */
  email: string
  /** Phone number, at most 40 characters. */
  phone?: string | null
  /** Id of the workspace to join; the caller's own when absent. */
  workspaceId?: string | null
  /** Role slug in that workspace; member when absent. */
  workspaceRole?: string | null
  /** Member id of the manager, a member of the same workspace. */
  superior?: string | null
  /** Whether they can sign in to the dashboard; false when absent. */
  dashboardAccess?: boolean | null
  /** URL of the picture. */
  photo_url?: string | null
}

/** Fields of a new permission. */
export type CreatePermissionRequest = {
  /** Slug: lower-case letters, digits, - and _, at most 64 characters. */
  slug: string
  /** Display name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Category, such as members, content or settings. */
  category: string
  /** Type of record that it applies to, such as member, page or workspace. */
  resource: string
  /** create, read, update, delete or manage. */
  action: 'create' | 'read' | 'update' | 'delete' | 'manage'
  /** ecosystem or workspace; workspace when absent. */
  level?: 'ecosystem' | 'workspace' | null
}

/** Fields of a new role. */
export type CreateRoleRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Name, 1 to 255 characters. */
  name: string
  /** Slug: lower-case letters, digits, - and _, at most 64 characters; derived from the name when absent. */
  slug?: string | null
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Slugs of workspace-level permissions, at most 100. */
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
  /** Whether the session is active; true when absent. */
  isActive?: boolean | null
}

/** Fields of a new team. */
export type CreateTeamRequest = {
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Colour, in a form of CSS such as #RRGGBB; at most 64 characters. */
  color?: string | null
  /** Icon name or emoji, at most 64 characters. */
  icon?: string | null
  /** Member id of the leader, a member of the workspace. */
  leaderId?: string | null
}

/** Fields of a new workspace. */
export type CreateWorkspaceRequest = {
  /** Name, 1 to 255 characters. */
  name: string
  /** Free text, at most 5,000 characters. */
  description?: string | null
  /** Ecosystem (hotel) id of the workspace; the caller's own when absent. */
  ecosystemId?: string | null
  /** Type of ecosystem; hotel when absent. */
  ecosystemType?: string | null
  /** True makes it the default workspace of the ecosystem, in place of the current one; false when absent. */
  isDefault?: boolean | null
  /** Settings: timezone (IANA name; ValidationError for an unknown one), language (fr, en …) and custom data of a client. */
  settings?: Record<string, unknown> | null
  /** URL of the logo. */
  logo_url?: string | null
}

/** Confirms the deletion. */
export type DeleteDepartmentResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Department id. */
  id: string
}

/** The deleted user. */
export type DeleteMemberResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Member id. */
  id: string
}

/** Confirms the deletion. */
export type DeleteRoleResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Role id. */
  id: string
}

/** Confirms the deletion. */
export type DeleteTeamResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Team id. */
  id: string
}

/** Confirms the deletion. */
export type DeleteWorkspaceResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Workspace id. */
  id: string
}

/** A department. */
export type Department = {
  /** Department id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Name; not unique. */
  name: string
  /** Free text. */
  description: string | null
  /** Short code; not unique. */
  code: string | null
  /** Id of the parent department; null at the root. */
  parentId: string | null
  /** Member id of the manager. */
  managerId: string | null
  /** False for an inactive department. */
  isActive: boolean
  /** Number of live members, without those of sub-departments. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Counts of departments. */
export type DepartmentFigures = {
  /** Number of departments on all levels. */
  total: number
}

/** A member of a department. */
export type DepartmentMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address. */
  email: string
  /** URL of the picture. */
  photo_url: string | null
  /** Role in the department. */
  role: 'manager' | 'member'
}

/** A department with its sub-departments. */
export type DepartmentNode = {
  /** Department id. */
  id: string
  /** Name. */
  name: string
  /** Short code. */
  code: string | null
  /** The manager; null for none. */
  manager: MemberRef | null
  /** Number of live members, without those of sub-departments. */
  membersCount: number
  /** Sub-departments, by name. */
  subDepartments: DepartmentNode[]
  /** Free text. */
  description: string | null
  /** Id of the parent department; null at the root. */
  parentId: string | null
  /** False for an inactive department. */
  isActive: boolean
  /** Workspace id. */
  workspaceId: string
}

/** A registered device, without its push token, which is a secret. */
export type Device = {
  /** Workspace whose notifications are sent to it; empty for a browser, which gets those of all. */
  workspaceId: string
  /** Kind of device. */
  deviceType: 'ios' | 'android' | 'web'
  /** Push service; webpush for a browser. */
  platform: 'onesignal' | 'fcm' | 'webpush'
  /** Version of the app. */
  appVersion: string | null
  /** Model of the device. */
  deviceModel: string | null
  /** Version of its operating system. */
  osVersion: string | null
  /** False once the provider permanently rejected the token. */
  isActive: boolean
  /** Time of the last registration or push. */
  lastUsedAt: string | null
  /** Creation time. */
  createdAt: string | null
}

/** A membership of an ecosystem. */
export type EcosystemMember = {
  /** Member id. */
  memberId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Type of ecosystem, such as hotel. */
  ecosystemType: string
  /** Role. Owners and administrators hold every ecosystem permission. */
  role: 'owner' | 'admin' | 'member'
  /** True for an owner. */
  isOwner: boolean
  /** Ecosystem permissions granted directly, such as access_live_chat. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Confirms the erasure. */
export type EraseMemberResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Member id, which remains as the anonymous author of existing content. */
  id: string
}

/** All data about one member. */
export type ExportMemberDataResponse = {
  /** The member with teams and departments. */
  member: MemberDetail | null
  /** Settings. */
  settings: MemberSettings | null
  /** Preferences. */
  preferences: MemberPreferences | null
  /** Memberships, including ended ones. */
  memberships: Membership[]
  /** Invitations to the member's e-mail address. */
  invitations: Invitation[]
  /** Recorded changes that affect the member or were made by them, newest first; at most 10,000. */
  audit: AuditEntry[]
  /** Time of the export. */
  exportedAt: string | null
  /** Time when the member was last seen, to five minutes; null for never. */
  lastSeenAt: string | null
  /** Pages, comments, reactions, views and other data of the news service. */
  news: NewsData | null
  /** Inbox, preferences, devices, pushes and mails. */
  notification: NotificationData | null
}

/** A member with the people above and below. */
export type GetMemberHierarchyResponse = {
  /** The requested member. */
  member: MemberRef | null
  /** The manager; null at the top. */
  manager: MemberRef | null
  /** Subordinates by last name, each with their own subordinates. */
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
  /** Permissions of the role and those granted directly, without duplicates; empty unless the membership is active. */
  permissions: string[]
  /** Sources of the permissions. */
  source: PermissionSource | null
}

/** Returns the caller's own effective permissions in a workspace. */
export type GetMyPermissionsResponse = {
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Role slug. */
  workspaceRole: string
  /** Permissions of the role and those granted directly, without duplicates. */
  permissions: string[]
  /** Sources of the permissions. */
  source: PermissionSource | null
}

/** Statistics of a workspace. */
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

/** A comment that the member likes. */
export type GivenCommentLike = {
  /** Comment id. */
  commentId: string
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Creation time. */
  createdAt: string | null
}

/** A reaction of the member to a page. */
export type GivenReaction = {
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Reaction. */
  reactionType: 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'angry'
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A subordinate with the people below. */
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
  /** URL of the picture. */
  photo_url: string | null
  /** Hotel id. */
  hotelId: string
  /** Role in the ecosystem. */
  role: 'owner' | 'admin' | 'member'
  /** Id of the hotel's own workspace; null for a member who isn't in it. */
  workspaceId: string | null
  /** Role slug in that workspace; null for a member who isn't in it. */
  workspaceRole: string | null
  /** Administrator flag of that membership. */
  isAdmin: boolean
  /** Whether they can sign in to the dashboard. */
  dashboardAccess: boolean
  /** False once deactivated. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** An invitation, without its token. */
export type Invitation = {
  /** Invitation id. */
  id: string
  /** E-mail address of the invitee, normalised. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Member id of the inviter; null for a service. */
  invitedBy: string | null
  /** Workspace id. */
  workspaceId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Role slug that it grants. */
  workspaceRole: string
  /** Permission slugs that it grants directly. */
  permissions: string[]
  /** Status. */
  status: 'pending' | 'accepted' | 'expired' | 'cancelled'
  /** Time of acceptance; null before it. */
  acceptedAt: string | null
  /** Expiry time. */
  expiresAt: string | null
  /** Custom data of the inviter; null for none. */
  invitationData: Record<string, unknown> | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Why its last acceptance was refused with a 410; null for none. Resending it clears this. */
  refusal: string | null
}

/** The invitee and the role to grant. */
export type InviteRequest = {
  /** E-mail address of the invitee. */
  email: string
  /** First name, at most 255 characters. */
  firstName?: string | null
  /** Last name, at most 255 characters. */
  lastName?: string | null
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** Ecosystem id of the workspace; optional. */
  ecosystemId?: string | null
  /** Role slug; member when absent. */
  workspaceRole?: string | null
  /** Permission slugs to grant directly, at most 100. */
  permissions?: string[]
  /** Custom data to store with the invitation. */
  invitationData?: Record<string, unknown> | null
}

/** Confirms the departure. */
export type LeaveWorkspaceResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Workspace id. */
  id: string
}

/** A page of entries. */
export type ListAuditEntriesResponse = {
  /** Entries, newest first. */
  data: AuditEntry[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The members of a department. */
export type ListDepartmentMembersResponse = {
  /** Members, by last name. */
  data: DepartmentMember[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The departments of a workspace. */
export type ListDepartmentsResponse = {
  /** Root departments by name, each with its sub-departments. */
  data: DepartmentNode[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** Members of the hotel. */
export type ListHotelMembersResponse = {
  /** Members, by last name. */
  data: HotelMember[]
  /** Pagination; describes a single page when all members are returned. */
  meta: PageMeta | null
}

/** The invitations. */
export type ListInvitationsResponse = {
  /** Invitations, newest first. */
  data: Invitation[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of members. */
export type ListMembersResponse = {
  /** Members, by last name, first name and id. */
  data: MemberListItem[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The caller's workspaces. */
export type ListMyWorkspacesResponse = {
  /** Workspaces, oldest membership first. */
  data: MyWorkspace[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** All permissions. */
export type ListPermissionsResponse = {
  /** Permissions, by category and slug. */
  data: Permission[]
  /** Permission slugs by category: {"members": ["invite_members", …], …}. */
  categories: Record<string, unknown> | null
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of entries outside of workspaces. */
export type ListPlatformAuditEntriesResponse = {
  /** Entries, newest first. */
  data: AuditEntry[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The roles of a workspace. */
export type ListRolesResponse = {
  /** Roles, system roles first. */
  data: Role[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The members of a team. */
export type ListTeamMembersResponse = {
  /** Members, by last name. */
  data: TeamMember[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The teams of a workspace. */
export type ListTeamsResponse = {
  /** Teams, by name. */
  data: Team[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of memberships. */
export type ListWorkspaceMembersResponse = {
  /** Memberships, by last name, first name and id. */
  data: WorkspaceMemberItem[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The workspaces. */
export type ListWorkspacesResponse = {
  /** Workspaces, by name. */
  data: Workspace[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** Identifies the member. */
export type MarkRegisteredRequest = {
  /** Member id. */
  memberId: string
}

/** Confirms the registration. */
export type MarkRegisteredResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Member id. */
  memberId: string
  /** Time of the first sign-in. */
  registeredAt: string | null
}

/** An image, video or file of a page. */
export type Media = {
  /** URL of the file, http or https or without a scheme. */
  fileUrl: string
  /** URL of the thumbnail, http or https or without a scheme. */
  thumbnailUrl: string | null
  /** Kind of file, such as image, video or file, or its media type; at most 255 characters. */
  type: string
}

/** A member. */
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
  /** Member id of the manager in the hotel in question. */
  superior: string | null
  /** Whether the member can sign in to that hotel's dashboard. */
  dashboardAccess: boolean
  /** Phone number. */
  phone: string | null
  /** URL of the picture. */
  photo_url: string | null
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** False once deactivated in the hotel in question. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Address that waits to be confirmed; null for none. */
  pendingEmail: string | null
}

/** A member with related records. */
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
  /** URL of the picture. */
  photo_url: string | null
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** Whether the member can sign in to the dashboard of the hotel in question. */
  dashboardAccess: boolean
  /** The manager; null for none. */
  manager: MemberRef | null
  /** Members whose manager is this member, by last name. */
  subordinates: MemberRef[]
  /** Memberships, oldest first. */
  workspaces: MemberDetailWorkspace[]
  /** Ecosystem memberships, oldest first. */
  ecosystems: MemberDetailEcosystem[]
  /** Teams, by name. */
  teams: MemberDetailTeam[]
  /** Departments, by name. */
  departments: MemberDetailDepartment[]
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** False once deactivated in the hotel in question. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Address that waits to be confirmed; null for none, and for callers who couldn't set one. */
  pendingEmail: string | null
}

/** A department of the requested member. */
export type MemberDetailDepartment = {
  /** Department id. */
  departmentId: string
  /** Name of the department. */
  departmentName: string
  /** Role in the department. */
  role: 'manager' | 'member'
}

/** An ecosystem membership of the requested member. */
export type MemberDetailEcosystem = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Role in the ecosystem. */
  role: 'owner' | 'admin' | 'member'
  /** Ecosystem-level permission slugs. */
  permissions: string[]
}

/** A team of the requested member. */
export type MemberDetailTeam = {
  /** Team id. */
  teamId: string
  /** Name of the team. */
  teamName: string
  /** Role in the team. */
  role: 'leader' | 'member'
}

/** A membership of the requested member. */
export type MemberDetailWorkspace = {
  /** Workspace id. */
  workspaceId: string
  /** Name of the workspace. */
  workspaceName: string
  /** Role slug. */
  workspaceRole: string
  /** Effective permission slugs, of the role and granted directly; empty unless the membership is active. */
  permissions: string[]
  /** Administrator flag of the membership. */
  isAdmin: boolean
  /** Status of the membership. */
  status: 'active' | 'pending' | 'suspended'
}

/** Counts of memberships. */
export type MemberFigures = {
  /** Number of memberships that haven't ended, pending ones among them, as the lists of members show them. */
  total: number
  /** Number of active memberships. */
  active: number
  /** Number of pending memberships. */
  pending: number
  /** Memberships by role slug; unused roles are omitted. */
  byRole: Record<string, number>
  /** Number of suspended memberships. */
  suspended: number
}

/** A member in a list. */
export type MemberListItem = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** URL of the picture. */
  photo_url: string | null
  /** Memberships in the caller's tenants. */
  workspaces: MemberWorkspace[]
  /** False once deactivated in the hotel in question; without one, in all of the member's hotels. */
  isActive: boolean
}

/** Preferences: how clients present the platform to a member. */
export type MemberPreferences = {
  /** Member id. */
  memberId: string
  /** Theme; system by default. */
  theme: 'light' | 'dark' | 'system'
  /** Workspace to open first; null for the oldest membership. */
  defaultWorkspaceId: string | null
  /** Date format; DD/MM/YYYY by default. */
  dateFormat: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD'
  /** Time format; 24h by default. */
  timeFormat: '24h' | '12h'
  /** First day of the week; monday by default. */
  weekStart: 'monday' | 'saturday' | 'sunday'
  /** Custom data of a client; an empty object by default. */
  custom: Record<string, unknown> | null
  /** Creation time; null while all values are defaults. */
  createdAt: string | null
  /** Time of the last change; null while all values are defaults. */
  updatedAt: string | null
  /** Invisible members never appear online; visible by default. */
  presence: 'visible' | 'invisible'
}

/** A reference to a member. */
export type MemberRef = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
}

/** Settings: how the platform treats a member. */
export type MemberSettings = {
  /** Member id. */
  memberId: string
  /** Language of mails and notifications: fr or en, optionally with a region; fr by default. */
  language: string
  /** IANA time zone; Europe/Paris by default. */
  timezone: string
  /** Whether the member can sign in to the mobile app of the hotel in question; true by default. */
  mobileAccess: boolean
  /** Creation time; null while all values are defaults. */
  createdAt: string | null
  /** Time of the last change; null while all values are defaults. */
  updatedAt: string | null
}

/** A reference to a membership. */
export type MemberWorkspace = {
  /** Workspace id. */
  workspaceId: string
  /** Role slug: admin, manager, member, viewer or a custom one. */
  workspaceRole: string
  /** Permissions granted directly, in addition to those of the role. */
  permissionSlugs: string[]
  /** Status of the membership. */
  status: 'active' | 'pending' | 'suspended'
  /** Administrator flag of the membership. */
  isAdmin: boolean
}

/** A membership. */
export type Membership = {
  /** Member id. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Role slug: admin, manager, member, viewer or a custom one. */
  workspaceRole: string
  /** Permissions granted directly. */
  permissionSlugs: string[]
  /** Status of the membership. */
  status: 'active' | 'pending' | 'suspended'
  /** Administrator flag. */
  isAdmin: boolean
  /** Time of joining. */
  joinedAt: string | null
  /** End of the membership; null until then. */
  leftAt: string | null
  /** Effective permission slugs, of the role and granted directly; empty unless the membership is active. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A workspace with the caller's membership. */
export type MyWorkspace = {
  /** Workspace id. */
  id: string
  /** Name. */
  name: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** URL of the logo. */
  logo_url: string | null
  /** True for the default workspace of the ecosystem. */
  isDefault: boolean
  /** The caller's role slug. */
  workspaceRole: string
  /** The caller's effective permission slugs; empty unless the membership is active. */
  permissions: string[]
  /** Administrator flag of the caller's membership. */
  isAdmin: boolean
  /** Status of the membership. */
  status: 'active' | 'pending' | 'suspended'
  /** Time of joining. */
  joinedAt: string | null
  /** False while the workspace rests; only its administrators can open it then. */
  isActive: boolean
}

/** What the news service stores about a member. All lists are newest first. */
export type NewsData = {
  /** Pages that the member created. */
  pages: WrittenPage[]
  /** Revisions of pages that the member made. */
  revisions: WrittenRevision[]
  /** Comments. */
  comments: WrittenComment[]
  /** Reactions to pages. */
  reactions: GivenReaction[]
  /** Comments that the member likes. */
  commentLikes: GivenCommentLike[]
  /** Views of pages. */
  views: RecordedView[]
  /** Bookmarks, favourites and other preferences for pages, newest page first. */
  pagePreferences: PagePreference[]
  /** Acknowledgements of must-read pages. */
  acknowledgements: Acknowledgement[]
  /** Answers to polls. */
  pollAnswers: PollAnswer[]
  /** Names of the lists of which only the newest entries are included, because the export has at most 3 MiB. */
  truncated: string[]
}

/** What the notification service stores about a member. All lists are newest first. */
export type NotificationData = {
  /** Preferences with quiet hours and digests; null for callers other than the member and platform administrators. */
  preferences: Preferences | null
  /** The inbox, including dismissed notifications. */
  notifications: ReceivedNotification[]
  /** Devices for push notifications. */
  devices: Device[]
  /** Pushes and mails to the member. Mails to an address, such as a password reset, are stored without a member and aren't included. */
  deliveries: SentDelivery[]
  /** Names of the lists of which only the newest entries are included, because the export has at most 1 MiB. */
  truncated: string[]
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** The caller's preferences for a page. */
export type PagePreference = {
  /** Page id. */
  pageId: string
  /** Member id of the caller. */
  memberId: string
  /** Workspace id. */
  workspaceId: string
  /** Whether the page is a favourite of the caller. */
  isFavorite: boolean
  /** Whether the caller bookmarked the page. */
  isBookmarked: boolean
  /** Whether the caller follows its comments, which then come by push, too. */
  isFollowing: boolean
  /** Whether to notify the caller of comments; true by default. */
  notifyOnComment: boolean
  /** Whether to notify the caller of reactions; false by default, when the author of the page is notified nevertheless. */
  notifyOnLike: boolean
  /** Time of the last change; null when these are the defaults. */
  updatedAt: string | null
}

/** A permission. */
export type Permission = {
  /** Permission id. */
  id: string
  /** Slug, unique across the platform. */
  slug: string
  /** Display name. */
  name: string
  /** Free text. */
  description: string | null
  /** Category, such as members, content or settings. */
  category: string
  /** Type of record that it applies to, such as member, page or workspace. */
  resource: string
  /** Action that it allows. */
  action: 'create' | 'read' | 'update' | 'delete' | 'manage'
  /** Level at which it is granted. */
  level: 'ecosystem' | 'workspace'
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Sources of permissions. */
export type PermissionSource = {
  /** Permission slugs of the role. */
  role: string[]
  /** Permission slugs granted directly. */
  direct: string[]
}

/** An option that the member chose in a poll. */
export type PollAnswer = {
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Option id. */
  optionId: string
  /** Text of the option; null when the poll has no such option any more. */
  label: string | null
  /** When it was chosen. */
  createdAt: string | null
}

/** Preferences of a member. */
export type Preferences = {
  /** Member id. */
  memberId: string
  /** True discards every notification. */
  isGlobalSilent: boolean
  /** True discards notifications until dndUntil, except reminders, messages and what has a deadline. */
  doNotDisturb: boolean
  /** End of do-not-disturb; null when it is off. */
  dndUntil: string | null
  /** Daily hours without push and e-mail. Off, from 22:00 to 07:00 in the member's time zone, until they are set. */
  quietHours: QuietHours | null
  /** Channels by <type>.<category>. Categories without an entry are delivered on every channel. */
  categoryPrefs: Record<string, ChannelSwitches>
  /** Language of notifications, from the member's settings. Read-only here. */
  language: 'fr' | 'en'
  /** How often one mail lists unread pages and collects the mails of notifications: daily, weekly, or off. automatic: weekly, with pages only, while the member hasn't opened a client for seven days. Unless daily or weekly, each notification with e-mail among its channels is mailed by itself. */
  emailDigest: 'automatic' | 'off' | 'daily' | 'weekly'
  /** Hour of the digest in the member's time zone, 0 to 23; 8 by default. */
  digestHour: number
  /** Day of a weekly digest, 1 (Monday, the default) to 7. */
  digestWeekday: number
}

/** A profile. Rights are those of the first active membership, whose workspace is in the tokens. dashboardAccess and mobileAccess are those of the hotel in hotelId; isActive is false when the member is inactive in every hotel. */
export type Profile = {
  /** Member id. */
  id: string
  /** First name. */
  firstname: string
  /** Last name. */
  lastname: string
  /** URL of the picture. */
  picture: string | null
  /** Ecosystem id of the first ecosystem membership; null for none. */
  hotelId: string | null
  /** Active memberships, oldest first. */
  workspaces: ProfileWorkspace[]
  /** Role slugs in the first workspace. */
  roles: string[]
  /** Effective permission slugs in the first workspace. */
  permissions: string[]
  /** Token of the member at the chat provider; null for none, and for callers who aren't services. */
  chatAccessToken: string | null
  /** Always null, because deleted members aren't found. */
  deleted_at: string | null
  /** User id of the authentication service; null before sign-up. */
  userId: string | null
  /** E-mail address, normalised. */
  email: string
  /** True for a platform administrator. */
  isSuperAdmin: boolean
  /** Administrator flag of the first membership. */
  isAdmin: boolean
  /** Whether they can sign in to the dashboard. */
  dashboardAccess: boolean
  /** Whether they can sign in to the mobile app; true by default. */
  mobileAccess: boolean
  /** False once deactivated: sign-in is refused. */
  isActive: boolean
  /** Time of the first sign-in; null before. */
  registeredAt: string | null
}

/** A workspace of a profile. */
export type ProfileWorkspace = {
  /** Workspace id. */
  id: string
  /** Name of the workspace. */
  name: string
  /** Role slug of the member in the workspace. */
  role: string
}

/** Daily hours without push and e-mail, in a time zone. A start later than the end spans midnight. */
export type QuietHours = {
  /** False keeps the hours without applying them. */
  enabled: boolean
  /** Start, HH:mm, inclusive. */
  start: string
  /** End, HH:mm, exclusive. */
  end: string
  /** IANA time zone, such as Europe/Paris. */
  timezone: string
}

/** A notification in the member's inbox. */
export type ReceivedNotification = {
  /** Notification id. */
  id: string
  /** Workspace id; empty for none. */
  workspaceId: string
  /** Type: page, comment, member, message and so on. */
  type: string
  /** Category: created, updated, invitation and so on. */
  category: string
  /** Rendered title. */
  title: string
  /** Rendered text. */
  body: string
  /** Additional data of the event; null for none. */
  data: Record<string, unknown> | null
  /** Member id of the member who caused it; null for the system. */
  actorId: string | null
  /** Channels that the member's preferences left. */
  channels: ('push' | 'email' | 'socket' | 'app')[]
  /** Creation time. */
  createdAt: string | null
  /** When it was read; null while unread. */
  readAt: string | null
  /** When it was first clicked; null for never. */
  clickedAt: string | null
  /** When it was dismissed; null for never. */
  dismissedAt: string | null
}

/** A view of a page. */
export type RecordedView = {
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Reading time in seconds; null when the client sent none. */
  duration: number | null
  /** Kind of device; null when unknown. */
  deviceType: 'mobile' | 'desktop' | 'tablet' | null
  /** User-Agent of the request. */
  userAgent: string | null
  /** Time of the view. */
  createdAt: string | null
}

/** Confirms the removal. */
export type RemoveDepartmentMemberResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Department id. */
  departmentId: string
  /** Member id. */
  memberId: string
}

/** Confirms the removal. */
export type RemoveTeamMemberResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Team id. */
  teamId: string
  /** Member id. */
  memberId: string
}

/** Confirms the removal. */
export type RemoveWorkspaceMemberResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Workspace id. */
  workspaceId: string
  /** Member id. */
  memberId: string
}

/** A role. */
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
  /** True for a role that can't be changed: admin, manager, member, viewer. */
  isSystem: boolean
  /** True for the default role of new memberships. */
  isDefault: boolean
  /** Permissions, by slug. */
  permissions: RolePermission[]
  /** Number of live memberships with this role. */
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

/** A push or mail to the member. */
export type SentDelivery = {
  /** Delivery id. */
  id: string
  /** Notification id; null for a digest. */
  notificationId: string | null
  /** Workspace id; empty for a digest. */
  workspaceId: string
  /** Channel. */
  channel: 'push' | 'email'
  /** Status. */
  status: 'pending' | 'success' | 'failed'
  /** Number of attempts. */
  attempts: number
  /** When it was enqueued. */
  createdAt: string | null
}

/** An invitation with its token, for the inviter. */
export type SentInvitation = {
  /** Invitation id. */
  id: string
  /** E-mail address of the invitee, normalised. */
  email: string
  /** Token, valid until expiresAt. Returned only once. */
  token: string
  /** Status. */
  status: 'pending'
  /** Expiry time. */
  expiresAt: string | null
  /** Link with the token, as in the e-mail. */
  invitationLink: string
}

/** A session. */
export type Session = {
  /** Session id. */
  id: string
  /** Member id. */
  memberId: string
  /** User-Agent header. */
  userAgent: string | null
  /** Client address. */
  ip: string | null
  /** Kind of app. */
  appType: 'mobile' | 'dashboard'
  /** Start of the session. */
  timestamp: string | null
  /** False once ended. */
  isActive: boolean
  /** Time of the last use. */
  lastActivity: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** The workspace and the position to continue from. */
export type SyncMembersRequest = {
  /** Workspace id; a person's own when absent. Required for services. */
  workspaceId?: string | null
  /** Cursor of the previous answer; absent for the full list. */
  cursor?: string | null
  /** Maximum number of members in the answer; all when absent. When hasMore is true, call again with the cursor. */
  limit?: number | null
}

/** The members and the next cursor. */
export type SyncMembersResponse = {
  /** Active members in the order of their last change; by id without a cursor. */
  members: SyncedMember[]
  /** Time of the answer, by the database's clock. */
  syncedAt: string | null
  /** Opaque cursor for the next call. */
  cursor: string
  /** Ids of members who left, were suspended or were deleted since the cursor; empty without one. */
  removed: string[]
  /** True when `limit` cut the answer short. */
  hasMore: boolean
}

/** A member as other services cache it. */
export type SyncedMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** URL of the picture. */
  photo_url: string | null
}

/** A team. */
export type Team = {
  /** Team id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Name; not unique. */
  name: string
  /** Free text. */
  description: string | null
  /** Colour, in a form of CSS such as #RRGGBB; at most 64 characters. */
  color: string | null
  /** Icon name or emoji. */
  icon: string | null
  /** Member id of the leader. */
  leaderId: string | null
  /** False for an inactive team. */
  isActive: boolean
  /** Number of live members. */
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

/** A member of a team. */
export type TeamMember = {
  /** Member id. */
  id: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address. */
  email: string
  /** URL of the picture. */
  photo_url: string | null
  /** Role in the team. */
  role: 'leader' | 'member'
}

/** A workspace. */
export type Workspace = {
  /** Workspace id. */
  id: string
  /** Name; not unique. */
  name: string
  /** Free text. */
  description: string | null
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Type of ecosystem, such as hotel. */
  ecosystemType: string
  /** URL of the logo. */
  logo_url: string | null
  /** Settings such as timezone and language; null for none. */
  settings: Record<string, unknown> | null
  /** True for the default workspace of the ecosystem. */
  isDefault: boolean
  /** False when the workspace is inactive or its hotel suspended. */
  isActive: boolean
  /** Number of live memberships. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A workspace with related records. */
export type WorkspaceDetail = {
  /** Workspace id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** URL of the logo. */
  logo_url: string | null
  /** False when the workspace is inactive or its hotel suspended. */
  isActive: boolean
  /** Members by last name, at most 10,000; membersCount is the total. */
  members: WorkspaceDetailMember[]
  /** Teams, by name. */
  teams: WorkspaceDetailGroup[]
  /** Departments, by name. */
  departments: WorkspaceDetailGroup[]
  /** Roles, system roles first. */
  roles: WorkspaceDetailRole[]
  /** Type of ecosystem, such as hotel. */
  ecosystemType: string
  /** Settings such as timezone and language; null for none. */
  settings: Record<string, unknown> | null
  /** True for the default workspace of the ecosystem. */
  isDefault: boolean
  /** Number of live memberships. */
  membersCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A team or department of the requested workspace. */
export type WorkspaceDetailGroup = {
  /** Id of the team or department. */
  id: string
  /** Name. */
  name: string
  /** Number of live members. */
  membersCount: number
}

/** A member of the requested workspace. */
export type WorkspaceDetailMember = {
  /** Member id. */
  memberId: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** Role slug. */
  workspaceRole: string
  /** Effective permission slugs, of the role and granted directly; empty unless the membership is active. */
  permissions: string[]
}

/** A role of the requested workspace. */
export type WorkspaceDetailRole = {
  /** Role id. */
  id: string
  /** Name. */
  name: string
  /** Slug, unique in the workspace. */
  slug: string
  /** True for a role that can't be changed. */
  isSystem: boolean
}

/** A membership in a list, with its member. */
export type WorkspaceMemberItem = {
  /** Member id. */
  memberId: string
  /** First name. */
  firstName: string
  /** Last name. */
  lastName: string
  /** E-mail address, normalised. */
  email: string
  /** URL of the picture. */
  photo_url: string | null
  /** Role slug. */
  workspaceRole: string
  /** Permissions granted directly. */
  permissionSlugs: string[]
  /** Status of the membership. */
  status: 'active' | 'pending' | 'suspended'
  /** Administrator flag. */
  isAdmin: boolean
  /** Time of joining. */
  joinedAt: string | null
  /** Names of their departments, by name. */
  departments: string[]
}

/** A comment of the member. */
export type WrittenComment = {
  /** Comment id. */
  id: string
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Comment that it answers; null for none. */
  parentId: string | null
  /** Text. */
  content: string
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change; null for none. */
  editedAt: string | null
  /** Time of deletion; null for none. */
  deletedAt: string | null
}

/** A page as its author wrote it. */
export type WrittenPage = {
  /** Page id. */
  id: string
  /** Workspace id. */
  workspaceId: string
  /** Title. */
  title: string
  /** Short text for lists. */
  excerpt: string | null
  /** Document of the block editor. */
  content: Record<string, unknown> | null
  /** Images, videos and files, in order. */
  medias: Media[]
  /** Type. */
  pageType: 'feed' | 'article' | 'event' | 'poll'
  /** Status. */
  status: 'draft' | 'published' | 'archived'
  /** Location of an event page. */
  eventLocation: string | null
  /** Time of publication; null before it. */
  publishedAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Time of deletion, for a page in the trash. */
  deletedAt: string | null
}

/** A version of a page as the member left it. */
export type WrittenRevision = {
  /** Revision id. */
  id: string
  /** Page id. */
  pageId: string
  /** Workspace id. */
  workspaceId: string
  /** Version of the page that this revision created. */
  version: number
  /** Title in that version. */
  title: string
  /** Excerpt in that version. */
  excerpt: string | null
  /** Document of the block editor in that version. */
  content: Record<string, unknown> | null
  /** When it was made. */
  createdAt: string | null
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Member service. */
export type MemberOperations = {
  /** Returns counts of members, teams, departments and recent activity.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_analytics` */
  getWorkspaceAnalytics(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetWorkspaceAnalyticsResponse>
  /** Lists the changes outside of workspaces, newest first: permissions of the platform, its administrators, accounts, members without a workspace. With a request id or the id of a record, lists those of all workspaces.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: shows changes outside of workspaces. */
  listPlatformAuditEntries(
    input?: {
      /** Only changes that affect this member. */
      memberId?: string
      /** Only changes by this member. */
      actorId?: string
      /** Only this type of record. */
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
        | 'hotel'
        | 'account'
        | 'webhook'
      /** Only this action. */
      action?: string
      /** Only changes at or after this time. */
      from?: string
      /** Only changes before this time. */
      until?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** Only changes made by this request, in all workspaces. */
      requestId?: string
      /** Only changes of this record, in all workspaces. */
      entityId?: string
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListPlatformAuditEntriesResponse>
  /** Lists the changes in a workspace, newest first.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_reports`
   *
   * Added to the original contract: administrators see who changed rights. */
  listAuditEntries(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Only changes that affect this member. */
      memberId?: string
      /** Only changes by this member. */
      actorId?: string
      /** Only this type of record. */
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
        | 'hotel'
        | 'account'
        | 'webhook'
      /** Only this action. */
      action?: string
      /** Only changes at or after this time. */
      from?: string
      /** Only changes before this time. */
      until?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** nextCursor of the page before; no page may be given with it. */
      cursor?: string
    },
    options?: CallOptions,
  ): Promise<ListAuditEntriesResponse>
  /** Creates members of a workspace, with the rules of POST /members. A row fails when an earlier row has the same e-mail.
   *
   * **Body:** at most 1,000,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkAddMembers(
    input: {
      body: BulkAddMembersRequest
    },
    options?: CallOptions,
  ): Promise<BulkAddMembersResponse>
  /** Grants permissions directly to members of a workspace, in addition to those they have: `memberIds` with `permissions` for all, or `members` with their own. ValidationError for both, for neither, for `memberIds` without permissions, and for an unknown slug in `permissions`; ForbiddenError for one that the caller doesn't hold. A row fails for an unknown or repeated member, and for such slugs in the row.
   *
   * **Body:** at most 1,000,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkAssignPermissions(
    input: {
      body: BulkAssignPermissionsRequest
    },
    options?: CallOptions,
  ): Promise<BulkAssignPermissionsResponse>
  /** Changes the roles of members of a workspace: `members` with a role each, or `memberIds` with one `workspaceRole` for all. ValidationError for both, for neither, and for `memberIds` without a role. A row fails for an unknown member or role, a role above the caller's rights, the last administrator, or a member of an earlier row.
   *
   * **Body:** at most 1,000,000 bytes, instead of 100,000.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  bulkUpdateRoles(
    input: {
      body: BulkUpdateRolesRequest
    },
    options?: CallOptions,
  ): Promise<BulkUpdateRolesResponse>
  /** Creates a department. ValidationError for a parent or manager outside the workspace. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createDepartment(
    input: {
      body: CreateDepartmentRequest
    },
    options?: CallOptions,
  ): Promise<Department>
  /** Soft-deletes a department. Its sub-departments move to its parent; its members remain in the workspace. NotFoundError for an unknown department.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: removes an unused department. */
  deleteDepartment(
    input: {
      /** Department id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteDepartmentResponse>
  /** Updates the fields in the body. NotFoundError for an unknown department, ValidationError for a cycle, or a parent or manager outside the workspace.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: renames and moves a department. */
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
        /** New parent department; null moves it to the root. */
        parentId?: string | null
        /** Member id of the new manager, a member of the workspace. */
        managerId?: string | null
        /** False deactivates the department. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Department>
  /** Lists the departments of a workspace as trees, by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listDepartments(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDepartmentsResponse>
  /** Adds a member of the workspace to a department; for a member already in it, changes the role. NotFoundError for an unknown department or member. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: departments have members. */
  addDepartmentMember(
    input: {
      /** Department id. */
      id: string
      body: {
        /** Member id. */
        memberId: string
        /** manager or member; member when absent. */
        role?: 'manager' | 'member' | null
      }
    },
    options?: CallOptions,
  ): Promise<AddDepartmentMemberResponse>
  /** Lists the members of a department by last name, without those of its sub-departments. NotFoundError for an unknown department.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members`
   *
   * Added to the original contract: the counterpart of a team's list. */
  listDepartmentMembers(
    input: {
      /** Department id. */
      id: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDepartmentMembersResponse>
  /** Removes a member from a department. Succeeds when the member isn't in it. NotFoundError for an unknown department or member.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: the counterpart of add-member. */
  removeDepartmentMember(
    input: {
      /** Department id. */
      id: string
      /** Member id. */
      memberId: string
    },
    options?: CallOptions,
  ): Promise<RemoveDepartmentMemberResponse>
  /** Returns all data about one member as a JSON file. Members need no permission for their own data. Holders of export_data get the data in their own workspaces. NotFoundError for an unknown member; ServiceUnavailableError while the news or the notification service can't answer.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `export_data`
   *
   * Added to the original contract: the right of access and portability (GDPR). */
  exportMemberData(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<ExportMemberDataResponse>
  /** Streams the members of a workspace as a file, by last name: id, names, e-mail, phone, role, status, permissions, teams, departments, joining time. Texts that a spreadsheet would run as formulas are escaped.
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
  /** Creates a member in a workspace. A person who belongs to another hotel or administers the platform is asked by mail; until they accept, the membership is pending and shows the given names. ConflictError when the workspace already has the e-mail, ValidationError for an unknown role or a superior outside the workspace, ForbiddenError for a role above the caller's rights, and when it would replace an open invitation with more rights. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createMember(
    input: {
      body: CreateMemberRequest
    },
    options?: CallOptions,
  ): Promise<Member>
  /** Adds the administrator (or, without isAdmin, a plain member) of a hotel: member, ecosystem membership, and membership of the hotel's own workspace. People without an account are invited by e-mail. Repeating the call with the same hotel and e-mail returns the existing member. People who belong to another hotel are asked by mail, and appear with the given names until they accept. ConflictError when the hotel has no workspace or is deleted. People add members to the hotels that they administer: they need manage_members in the hotel's own workspace, appoint administrators only as its administrators, and never above their own role. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** service key, person · **Tenant:** ecosystem (`hotelId`) · **Permission:** `manage_ecosystem` */
  addHotelMember(
    input: {
      body: AddHotelMemberRequest
    },
    options?: CallOptions,
  ): Promise<HotelMember>
  /** Soft-deletes a member: memberships end, sessions are revoked, and the e-mail address becomes available. A member who also belongs to other tenants leaves only the caller's. NotFoundError for an unknown member, ConflictError for the last administrator of a workspace.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `remove_members` */
  deleteMember(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteMemberResponse>
  /** Erases the personal data of a member permanently. Names, e-mail, phone and picture are replaced by neutral values; authorship and audit entries refer to the anonymous record. The account is erased too: sign-in, profile, sessions, tokens and devices. Allowed for members themselves, and for holders of remove_members when the member has no other tenant. A deleted member can be erased by platform administrators and by holders of remove_members in a former workspace. NotFoundError for an unknown member, ConflictError for a last administrator, ValidationError for the missing or wrong password of members who erase themselves, TooManyRequestsError after too many wrong passwords, ServiceUnavailableError while the password can't be checked.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `remove_members`
   *
   * Added to the original contract: the right to erasure (GDPR). */
  eraseMember(
    input: {
      /** Member id. */
      id: string
      body: {
        /** The caller's own password; required for members who erase themselves, ignored otherwise. */
        password?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<EraseMemberResponse>
  /** Lists the members of a workspace by last name. Services and platform administrators who name no workspace get the members of all, those who are in none among them. Members who left and deleted members are omitted.
   *
   * **Callers:** person, credential, service key · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listMembers(
    input?: {
      /** Workspace id; when absent the caller's own, or all for services and platform administrators. */
      workspaceId?: string
      /** Only members with this role slug. */
      workspaceRole?: string
      /** Only active (true) or deactivated (false) members. */
      isActive?: boolean
      /** Text in the name or e-mail, ignoring case and accents; % and _ are literal. */
      search?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** Only memberships in this status. */
      status?: 'active' | 'pending' | 'suspended'
    },
    options?: CallOptions,
  ): Promise<ListMembersResponse>
  /** Lists all members of a hotel by last name: those of its ecosystem and of its workspaces. Returns the whole list unless page or limit is given; RPC clients must give one for hotels whose members exceed the message limit (8 MiB).
   *
   * **Callers:** service key, person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  listHotelMembers(
    input: {
      /** Hotel id. */
      id: string
      /** Only active (true) or deactivated (false) members. */
      isActive?: boolean
      /** Page number, starting at 1. All members are returned when neither page nor limit is given. */
      page?: number
      /** Members per page; 20 when only page is given. Larger values than 100 count as 100. */
      limit?: number
      /** Only administrators of the hotel (true) or others (false), as in HotelMember.is_admin. */
      isAdmin?: boolean
    },
    options?: CallOptions,
  ): Promise<ListHotelMembersResponse>
  /** Returns a profile by e-mail with the chat token, for the legacy version. Never open to members or a hotel's administrators, because of that token. NotFoundError for an unknown e-mail.
   *
   * **Callers:** service key, platform administrator */
  getLightProfile(
    input: {
      /** E-mail address. */
      email: string
      /** App to sign in to, mobile or dashboard. Of several hotels, one with access to the app is preferred. */
      appType?: 'mobile' | 'dashboard'
    },
    options?: CallOptions,
  ): Promise<Profile>
  /** Returns a profile by e-mail, for the modern version. People can read their own and, with view_members, those of members of their workspaces. chatAccessToken is visible to services only. NotFoundError for an unknown e-mail.
   *
   * **Callers:** service key, person · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getProfileByEmail(
    input: {
      /** E-mail address. */
      email: string
    },
    options?: CallOptions,
  ): Promise<Profile>
  /** Returns one member with manager, subordinates, memberships, teams and departments, limited to the caller's tenants. Members can always read themselves. NotFoundError for an unknown member.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getMember(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberDetail>
  /** Returns a member with their manager and everyone below them, on all levels. NotFoundError for an unknown member.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  getMemberHierarchy(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetMemberHierarchyResponse>
  /** Marks a member as registered and, the first time, emits member.registered. Safe to repeat. People mark members of the hotels that they administer. NotFoundError for an unknown member and for one of another hotel.
   *
   * **Callers:** service key, person · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem` */
  markRegistered(
    input: {
      body: MarkRegisteredRequest
    },
    options?: CallOptions,
  ): Promise<MarkRegisteredResponse>
  /** Returns the active members of a workspace: all of them or, with the cursor of an earlier answer, those who joined or changed since, and the ids of those who left. In a suspended hotel nobody is active. ValidationError for a cursor of another workspace or one that is too old; call again without a cursor.
   *
   * Alias of POST /sync/members.
   *
   * **Callers:** service key, person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  syncMembersAlias(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
  /** Updates the fields in the body. Members can change their own names, phone and picture; otherwise these belong to the hotel that created the member. superior, dashboardAccess and isActive are stored per hotel: the change applies to the hotel in question, or to all hotels when a platform administrator calls. NotFoundError for an unknown member, ConflictError for a taken e-mail, ValidationError for a cycle of superiors, ForbiddenError "Cannot manage this member" for a manager who isn't above the member, and for an activation by a caller who doesn't hold the member's rights in the hotel, because it grants them again.
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
        /** New e-mail address; cannot be cleared. For a member with an account it takes effect once the link mailed there is opened. */
        email?: string
        /** New phone number. */
        phone?: string | null
        /** New URL of the picture. */
        photo_url?: string | null
        /** Member id of the new manager, who must share a workspace with the member; null for none. Requires manage_members. */
        superior?: string | null
        /** Whether the member can sign in to the dashboard. Requires manage_members. */
        dashboardAccess?: boolean | null
        /** False deactivates the member in the hotel, true reactivates them; in all hotels when a platform administrator calls. */
        isActive?: boolean | null
        /** Grants or revokes platform administration; ForbiddenError unless the caller is a platform administrator. */
        isSuperAdmin?: boolean | null
        /** The caller's own password; required when callers change their own email, ignored otherwise. */
        currentPassword?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Member>
  /** Accepts an invitation after its e-mail signed up, and grants the stored role and permissions. Without a bearer token it is accepted for the account of the invited e-mail, if its owner has confirmed the address and belongs to no other hotel, and for a member of the hotel. A bearer token, if sent, must belong to an account whose present e-mail is the invited one. NotFoundError for an unknown token, ConflictError before sign-up, for an accepted or cancelled invitation, and for an unverified account when the member record has more rights than the invitation grants; UnauthorizedError without a bearer token for an unverified account, whose address is mailed a link that sets the password and confirms it, and for somebody who belongs to another hotel or administers the platform; ForbiddenError for another person's token, 410 for an expired invitation.
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
  /** Cancels an open invitation and invalidates its token. NotFoundError for an unknown invitation, ConflictError unless it is pending, ForbiddenError for another person's invitation with rights that the caller doesn't hold.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `invite_members` */
  cancelInvitation(
    input: {
      /** Invitation id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<CancelInvitationResponse>
  /** Lists the invitations of the workspaces in which the caller can invite, newest first; all invitations for a platform administrator. Those of deleted workspaces and hotels are left out.
   *
   * **Callers:** person, credential · **Tenant:** own tenants · **Permission:** `invite_members` */
  listInvitations(
    input?: {
      /** Only records in this status. */
      status?: 'pending' | 'accepted' | 'expired' | 'cancelled'
      /** Only invitations to this workspace; ForbiddenError for a foreign one. */
      workspaceId?: string
      /** Text in the e-mail or name, ignoring case and accents. */
      search?: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListInvitationsResponse>
  /** Invites a person by e-mail; the notification service mails the link. An open invitation of the same e-mail to the workspace is renewed with a new token. ConflictError for an existing member and while another request invites the person, ValidationError for an unknown role or slug, or an ecosystem that isn't the workspace's, ForbiddenError for rights that the caller doesn't hold. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `invite_members` */
  invite(
    input: {
      body: InviteRequest
    },
    options?: CallOptions,
  ): Promise<SentInvitation>
  /** Mails a pending or expired invitation again, with a new token that is valid for 7 days. NotFoundError for an unknown invitation, ConflictError when accepted or cancelled, and while another request renews it.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `invite_members`
   *
   * Added to the original contract: replaces a lost mail or an expired token. */
  resendInvitation(
    input: {
      /** Invitation id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<SentInvitation>
  /** Creates a custom permission, which every tenant can then grant. ConflictError for a taken slug. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** platform administrator */
  createPermission(
    input: {
      body: CreatePermissionRequest
    },
    options?: CallOptions,
  ): Promise<Permission>
  /** Lists all permissions, by category and slug.
   *
   * **Callers:** person, credential */
  listPermissions(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPermissionsResponse>
  /** Returns the membership of a member in an ecosystem, with its permissions. Members read their own without a permission. NotFoundError when the member has none there.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem`
   *
   * Added to the original contract: shows granted permissions. */
  getEcosystemMember(
    input: {
      /** Member id. */
      memberId: string
      /** Ecosystem id. */
      ecosystemId: string
    },
    options?: CallOptions,
  ): Promise<EcosystemMember>
  /** Grants and revokes ecosystem permissions, or changes the role. NotFoundError when the member has no membership there, ValidationError for a slug that isn't an ecosystem permission, ConflictError for the last owner, ForbiddenError for a slug or role that the caller doesn't hold, and for a member above the caller.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem`
   *
   * Added to the original contract: grants and revokes ecosystem permissions. */
  updateEcosystemMember(
    input: {
      /** Member id. */
      memberId: string
      /** Ecosystem id. */
      ecosystemId: string
      body: {
        /** owner, admin or member. */
        role?: 'owner' | 'admin' | 'member' | null
        /** Ecosystem permissions; replaces all that are granted. */
        permissions?: string[]
      }
    },
    options?: CallOptions,
  ): Promise<EcosystemMember>
  /** Returns the effective permissions of a member in a workspace and their sources. Members read their own without a permission. NotFoundError when the member has no membership there.
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
  /** Returns the caller's own effective permissions in a workspace.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`)
   *
   * Added to the original contract: people read their own permissions without knowing their member id. */
  getMyPermissions(
    input: {
      /** Workspace id. */
      workspaceId: string
    },
    options?: CallOptions,
  ): Promise<GetMyPermissionsResponse>
  /** Creates a custom role. ConflictError when the workspace has the slug or a system role has it, ValidationError for an unknown permission slug, ForbiddenError for a permission that the caller doesn't hold. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_roles` */
  createRole(
    input: {
      body: CreateRoleRequest
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Lists the roles of a workspace: system roles, then custom roles by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listRoles(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListRolesResponse>
  /** Updates the fields in the body. A new slug is applied to memberships. NotFoundError for an unknown role, ForbiddenError for a system role or a permission that the caller doesn't hold, ConflictError for a taken slug.
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
        /** Permission slugs, at most 100; replaces all existing ones. */
        permissions?: string[]
        /** True makes it the default role of new memberships. */
        isDefault?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Role>
  /** Deletes a custom role. NotFoundError for an unknown role, ForbiddenError for a system role, ConflictError while a membership or an open invitation has it.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_roles`
   *
   * Added to the original contract: the counterpart of creating one. */
  deleteRole(
    input: {
      /** Role id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteRoleResponse>
  /** Adds a permission to a custom role. Safe to repeat. NotFoundError for an unknown role, ValidationError for an unknown slug, ForbiddenError for a system role or a permission that the caller doesn't hold. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
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
  /** Removes a permission from a custom role. Succeeds when the role doesn't have it. NotFoundError for an unknown role, ForbiddenError for a system role.
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
  /** Records a session; the authentication service stores it. People can record only their own. NotFoundError for an unknown member; 429 after a hundred of a member in an hour. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** service key, person · **Tenant:** the record's tenant */
  createSession(
    input: {
      body: CreateSessionRequest
    },
    options?: CallOptions,
  ): Promise<Session>
  /** Returns the settings of a member. NotFoundError for an unknown member.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  getMemberSettings(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberSettings>
  /** Updates the settings in the body. NotFoundError for an unknown member, ValidationError for an unknown time zone, ForbiddenError for a member's own mobileAccess, and for language and timezone of another person who belongs to several hotels.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members` */
  updateMemberSettings(
    input: {
      /** Member id. */
      id: string
      body: {
        /** Language: fr or en, optionally with a region, such as fr-CA. */
        language?: string | null
        /** IANA time zone. */
        timezone?: string | null
        /** Whether the member can sign in to the mobile app. Requires manage_members. */
        mobileAccess?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<MemberSettings>
  /** Returns the preferences of a member. NotFoundError for an unknown member.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: the original contract has the model without a route. */
  getMemberPreferences(
    input: {
      /** Member id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<MemberPreferences>
  /** Updates the preferences in the body. NotFoundError for an unknown member, ValidationError for a workspace that the member doesn't belong to, ForbiddenError for the presence of another person, and for any preference of another person who belongs to several hotels.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: the original contract has the model without a route. */
  updateMemberPreferences(
    input: {
      /** Member id. */
      id: string
      body: {
        /** light, dark or system. */
        theme?: 'light' | 'dark' | 'system' | null
        /** Workspace to open first, one of the member's. */
        defaultWorkspaceId?: string | null
        /** Date format: DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD. */
        dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | null
        /** Time format: 24h or 12h. */
        timeFormat?: '24h' | '12h' | null
        /** First day of the week: monday, saturday or sunday. */
        weekStart?: 'monday' | 'saturday' | 'sunday' | null
        /** Custom data of a client; replaces all earlier custom data; at most 16 kB. */
        custom?: Record<string, unknown> | null
        /** visible or invisible, for all present and future sockets. Only the member can change it. */
        presence?: 'visible' | 'invisible' | null
      }
    },
    options?: CallOptions,
  ): Promise<MemberPreferences>
  /** Returns the active members of a workspace: all of them or, with the cursor of an earlier answer, those who joined or changed since, and the ids of those who left. In a suspended hotel nobody is active. ValidationError for a cursor of another workspace or one that is too old; call again without a cursor.
   *
   * **Callers:** service key, person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  syncMembers(
    input: {
      body: SyncMembersRequest
    },
    options?: CallOptions,
  ): Promise<SyncMembersResponse>
  /** Creates a team. ValidationError for a leader outside the workspace. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members` */
  createTeam(
    input: {
      body: CreateTeamRequest
    },
    options?: CallOptions,
  ): Promise<Team>
  /** Soft-deletes a team. Its members remain in the workspace. NotFoundError for an unknown team.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: removes an unused team. */
  deleteTeam(
    input: {
      /** Team id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTeamResponse>
  /** Updates the fields in the body. NotFoundError for an unknown team, ValidationError for a leader outside the workspace.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: renames a team. */
  updateTeam(
    input: {
      /** Team id. */
      id: string
      body: {
        /** New name. */
        name?: string | null
        /** New free text. */
        description?: string | null
        /** New colour. */
        color?: string | null
        /** New icon name or emoji. */
        icon?: string | null
        /** Member id of the new leader, a member of the workspace. */
        leaderId?: string | null
        /** False deactivates the team. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Team>
  /** Lists the teams of a workspace, by name.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `view_members` */
  listTeams(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTeamsResponse>
  /** Adds a member of the workspace to a team; for a member already in it, changes the role. NotFoundError for an unknown team or member. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
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
        role?: 'leader' | 'member' | null
      }
    },
    options?: CallOptions,
  ): Promise<AddTeamMemberResponse>
  /** Lists the members of a team, by last name. NotFoundError for an unknown team.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `view_members` */
  listTeamMembers(
    input: {
      /** Team id. */
      id: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTeamMembersResponse>
  /** Removes a member from a team. Succeeds when the member isn't in it. NotFoundError for an unknown team.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_members`
   *
   * Added to the original contract: the counterpart of add-member. */
  removeTeamMember(
    input: {
      /** Team id. */
      id: string
      /** Member id. */
      memberId: string
    },
    options?: CallOptions,
  ): Promise<RemoveTeamMemberResponse>
  /** Creates a workspace with the four system roles; the caller becomes its administrator. Allowed for owners and administrators of the ecosystem and holders of manage_ecosystem. ConflictError when the hotel of the ecosystem is closed, ValidationError for an unknown ecosystem. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem` */
  createWorkspace(
    input: {
      body: CreateWorkspaceRequest
    },
    options?: CallOptions,
  ): Promise<Workspace>
  /** Soft-deletes a workspace. Its memberships end and its open invitations are cancelled. Allowed for its administrators. ConflictError for the default workspace of an ecosystem.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `manage_settings`
   *
   * Added to the original contract: removes an unused workspace. */
  deleteWorkspace(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteWorkspaceResponse>
  /** Lists the workspaces of the caller's ecosystems, by name; all workspaces for a platform administrator. Those of deleted hotels are left out, and those of suspended ones aren't active. ForbiddenError for a foreign ecosystem in the query.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listWorkspaces(
    input?: {
      /** Only workspaces of this ecosystem. */
      ecosystemId?: string
      /** Only active (true) or inactive (false) workspaces. */
      isActive?: boolean
      /** Text in the name, ignoring case and accents. */
      search?: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListWorkspacesResponse>
  /** Lists the workspaces in which the caller has a membership, with the caller's rights, oldest membership first. Workspaces of deleted and suspended hotels are omitted.
   *
   * **Callers:** person · **Tenant:** own tenants
   *
   * Added to the original contract: clients offer a switch between the caller's workspaces. */
  listMyWorkspaces(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMyWorkspacesResponse>
  /** Returns one workspace with its members, teams, departments and roles.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_members` */
  getWorkspace(
    input: {
      /** Workspace id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<WorkspaceDetail>
  /** Updates the fields in the body. Only administrators of the workspace can deactivate and reactivate it (isActive); ConflictError when its hotel is suspended. While it is inactive, only they have access, to read and reactivate it.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `manage_settings`
   *
   * Added to the original contract: changes name, logo and settings. */
  updateWorkspace(
    input: {
      /** Workspace id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New URL of the logo. */
        logo_url?: string | null
        /** New settings; replaces all existing ones. ValidationError for an unknown timezone. */
        settings?: Record<string, unknown> | null
        /** False deactivates the workspace: it is listed as inactive and accepts no new members. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Workspace>
  /** Adds a member of the ecosystem to a workspace, or restores the membership of a member who left. NotFoundError for an unknown member, ConflictError for an existing membership, ValidationError for an unknown role or slug, ForbiddenError for rights that the caller doesn't hold. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
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
  /** Ends the caller's own membership, with the same effect as its removal. NotFoundError without a membership, ConflictError for the last administrator.
   *
   * **Callers:** person · **Tenant:** workspace (`id`)
   *
   * Added to the original contract: members leave without an administrator. */
  leaveWorkspace(
    input: {
      /** Workspace id. */
      id: string
      body: {}
    },
    options?: CallOptions,
  ): Promise<LeaveWorkspaceResponse>
  /** Lists the memberships of a workspace, by last name. Members who left are omitted.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`id`) · **Permission:** `view_members`
   *
   * Added to the original contract: the answer for a workspace lists only some members. */
  listWorkspaceMembers(
    input: {
      /** Workspace id. */
      id: string
      /** Only members with this role slug. */
      workspaceRole?: string
      /** Only records in this status. */
      status?: 'active' | 'pending' | 'suspended'
      /** Text in the name or e-mail, ignoring case and accents; % and _ are literal. */
      search?: string
      /** Page number, starting at 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent. Larger values than 100 count as 100. */
      limit?: number
      /** Only members of this team. */
      teamId?: string
      /** Only members of this department, without those of its sub-departments. */
      departmentId?: string
      /** Only these members, at most 100; repeat the parameter for each. */
      memberId?: string[]
    },
    options?: CallOptions,
  ): Promise<ListWorkspaceMembersResponse>
  /** Activates a suspended or pending membership; an active one is unchanged. NotFoundError for an unknown membership, ForbiddenError for rights that the caller doesn't hold, because activation grants them again.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Added to the original contract: ends the status suspended. */
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
  /** Ends a membership: sets leftAt, and removes rights, teams and departments in the workspace. NotFoundError for an unknown membership, ConflictError for the last administrator, ForbiddenError "Cannot manage this member".
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
  /** Suspends a membership, which keeps its role but has no rights. Safe to repeat. NotFoundError for an unknown membership, ConflictError for the last administrator.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Added to the original contract: sets the status suspended. */
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
  /** Changes role, direct permissions or administrator flag. NotFoundError for an unknown membership, ConflictError for the last administrator, ValidationError for an unknown role or slug, ForbiddenError for rights that the caller doesn't hold.
   *
   * **Callers:** person, credential · **Tenant:** workspace (`workspaceId`) · **Permission:** `manage_members`
   *
   * Added to the original contract: changes a role in place. */
  updateWorkspaceMember(
    input: {
      /** Workspace id. */
      workspaceId: string
      /** Member id. */
      memberId: string
      body: {
        /** New role slug; cannot be cleared. */
        workspaceRole?: string
        /** Direct permissions, at most 100; replaces all existing ones. An empty list removes them. */
        permissions?: string[]
        /** New administrator flag. Only an administrator of the workspace can set it. */
        isAdmin?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<Membership>
}

export const memberRoutes: ClientRoutes<MemberOperations> = {
  getWorkspaceAnalytics: {
    verb: 'GET',
    path: '/analytics/workspace/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listPlatformAuditEntries: {
    verb: 'GET',
    path: '/audit/platform',
    query: [
      'memberId',
      'actorId',
      'entity',
      'action',
      'from',
      'until',
      'page',
      'limit',
      'requestId',
      'entityId',
      'cursor',
    ],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listAuditEntries: {
    verb: 'GET',
    path: '/audit/workspace/{workspaceId}',
    query: ['memberId', 'actorId', 'entity', 'action', 'from', 'until', 'page', 'limit', 'cursor'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  bulkAddMembers: {
    verb: 'POST',
    path: '/bulk/add-members',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  bulkAssignPermissions: {
    verb: 'POST',
    path: '/bulk/assign-permissions',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  bulkUpdateRoles: {
    verb: 'POST',
    path: '/bulk/update-roles',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createDepartment: {
    verb: 'POST',
    path: '/departments',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteDepartment: {
    verb: 'DELETE',
    path: '/departments/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateDepartment: {
    verb: 'PATCH',
    path: '/departments/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listDepartments: {
    verb: 'GET',
    path: '/departments/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  addDepartmentMember: {
    verb: 'POST',
    path: '/departments/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listDepartmentMembers: {
    verb: 'GET',
    path: '/departments/{id}/members',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  removeDepartmentMember: {
    verb: 'DELETE',
    path: '/departments/{id}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  exportMemberData: {
    verb: 'GET',
    path: '/export/member/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  exportMembers: {
    verb: 'GET',
    path: '/export/members/workspace/{workspaceId}',
    query: ['format'],
    body: 'none',
    answer: 'stream',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createMember: {
    verb: 'POST',
    path: '/members',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  addHotelMember: {
    verb: 'POST',
    path: '/members/add/hotel/member',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteMember: {
    verb: 'DELETE',
    path: '/members/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  eraseMember: {
    verb: 'DELETE',
    path: '/members/erase/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listMembers: {
    verb: 'GET',
    path: '/members/get/all',
    query: ['workspaceId', 'workspaceRole', 'isActive', 'search', 'page', 'limit', 'status'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listHotelMembers: {
    verb: 'GET',
    path: '/members/get/by/hotel_id/{id}',
    query: ['isActive', 'page', 'limit', 'isAdmin'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getLightProfile: {
    verb: 'GET',
    path: '/members/get/light/{email}',
    query: ['appType'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getProfileByEmail: {
    verb: 'GET',
    path: '/members/get/with/{email}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getMember: {
    verb: 'GET',
    path: '/members/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getMemberHierarchy: {
    verb: 'GET',
    path: '/members/hierarchy/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  markRegistered: {
    verb: 'PUT',
    path: '/members/registered/update',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  syncMembersAlias: {
    verb: 'POST',
    path: '/members/sync',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  updateMember: {
    verb: 'PATCH',
    path: '/members/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  acceptInvitation: {
    verb: 'POST',
    path: '/onboarding/accept/{token}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  cancelInvitation: {
    verb: 'DELETE',
    path: '/onboarding/cancel/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listInvitations: {
    verb: 'GET',
    path: '/onboarding/get/all',
    query: ['status', 'workspaceId', 'search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  invite: {
    verb: 'POST',
    path: '/onboarding/invite',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  resendInvitation: {
    verb: 'POST',
    path: '/onboarding/resend/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createPermission: {
    verb: 'POST',
    path: '/permissions',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listPermissions: {
    verb: 'GET',
    path: '/permissions/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getEcosystemMember: {
    verb: 'GET',
    path: '/permissions/member/{memberId}/ecosystem/{ecosystemId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateEcosystemMember: {
    verb: 'PATCH',
    path: '/permissions/member/{memberId}/ecosystem/{ecosystemId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getMemberPermissions: {
    verb: 'GET',
    path: '/permissions/member/{memberId}/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getMyPermissions: {
    verb: 'GET',
    path: '/permissions/mine/workspace/{workspaceId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createRole: {
    verb: 'POST',
    path: '/roles',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listRoles: {
    verb: 'GET',
    path: '/roles/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateRole: {
    verb: 'PATCH',
    path: '/roles/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteRole: {
    verb: 'DELETE',
    path: '/roles/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  addRolePermission: {
    verb: 'POST',
    path: '/roles/{id}/add-permission',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  removeRolePermission: {
    verb: 'DELETE',
    path: '/roles/{id}/remove-permission/{permissionSlug}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createSession: {
    verb: 'POST',
    path: '/sessions',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  getMemberSettings: {
    verb: 'GET',
    path: '/settings/member/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateMemberSettings: {
    verb: 'PATCH',
    path: '/settings/member/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getMemberPreferences: {
    verb: 'GET',
    path: '/settings/member/{id}/preferences',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateMemberPreferences: {
    verb: 'PATCH',
    path: '/settings/member/{id}/preferences',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  syncMembers: {
    verb: 'POST',
    path: '/sync/members',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createTeam: {
    verb: 'POST',
    path: '/teams',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteTeam: {
    verb: 'DELETE',
    path: '/teams/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateTeam: {
    verb: 'PATCH',
    path: '/teams/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listTeams: {
    verb: 'GET',
    path: '/teams/workspace/{workspaceId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  addTeamMember: {
    verb: 'POST',
    path: '/teams/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listTeamMembers: {
    verb: 'GET',
    path: '/teams/{id}/members',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  removeTeamMember: {
    verb: 'DELETE',
    path: '/teams/{id}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createWorkspace: {
    verb: 'POST',
    path: '/workspaces',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  deleteWorkspace: {
    verb: 'DELETE',
    path: '/workspaces/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listWorkspaces: {
    verb: 'GET',
    path: '/workspaces/get/all',
    query: ['ecosystemId', 'isActive', 'search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listMyWorkspaces: {
    verb: 'GET',
    path: '/workspaces/get/mine',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getWorkspace: {
    verb: 'GET',
    path: '/workspaces/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateWorkspace: {
    verb: 'PATCH',
    path: '/workspaces/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  addWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{id}/add-member',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  leaveWorkspace: {
    verb: 'POST',
    path: '/workspaces/{id}/leave',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  listWorkspaceMembers: {
    verb: 'GET',
    path: '/workspaces/{id}/members',
    query: ['workspaceRole', 'status', 'search', 'page', 'limit', 'teamId', 'departmentId', 'memberId'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  reactivateWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{workspaceId}/reactivate-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  removeWorkspaceMember: {
    verb: 'DELETE',
    path: '/workspaces/{workspaceId}/remove-member/{memberId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  suspendWorkspaceMember: {
    verb: 'POST',
    path: '/workspaces/{workspaceId}/suspend-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  updateWorkspaceMember: {
    verb: 'PATCH',
    path: '/workspaces/{workspaceId}/update-member/{memberId}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
}
