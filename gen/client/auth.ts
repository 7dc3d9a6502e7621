// Written by npm run gen from gen/openapi/auth.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** An invitation token and the fields of the new account. */
export type AcceptInvitationRequest = {
  /** Token from the invitation mail. */
  token: string
  /** Password of the new account, 8 characters to 72 bytes. Not needed by a signed-in caller. */
  password?: string | null
  /** First name; taken from the invitation when absent. */
  firstName?: string | null
  /** Last name; taken from the invitation when absent. */
  lastName?: string | null
}

/** The account with its tokens. */
export type AcceptInvitationResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** Lifetime of the access token in seconds. */
  expiresIn: number
}

/** The current password, which has two accepted names, and the new one. */
export type ChangePasswordRequest = {
  /** Current password; required unless oldPassword is given. */
  currentPassword?: string | null
  /** Alias of `currentPassword`, used by the legacy version. */
  oldPassword?: string | null
  /** New password, 8 characters to 72 bytes. Production refuses common ones. */
  newPassword: string
}

/** Confirms the new password. */
export type ChangePasswordResponse = {
  /** Human-readable confirmation. */
  message: string
}

/** The ecosystem, permissions and expiry of a new credential. */
export type CreateCredentialRequest = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Permission slugs, at most 50. An empty list allows only calls that need no permission. Words that are no permissions are kept and grant nothing, also when a permission of that name is created later. Repeated ones count once. */
  permissions?: string[]
  /** Expiry time, in the future; none when absent. */
  expiresAt?: string | null
}

/** The new credential with its secret. */
export type CreateCredentialResponse = {
  /** Credential id. */
  id: string
  /** User id of the owner. */
  userId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Public key. */
  apiKey: string
  /** Secret key. Returned only once. */
  apiSecret: string
  /** Permission slugs of the credential. */
  permissions: string[]
  /** Always true. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Expiry time; null for none. */
  expiresAt: string | null
}

/** A credential, without its secret. */
export type Credential = {
  /** Credential id. */
  id: string
  /** User id of the owner. */
  userId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Public key. */
  apiKey: string
  /** Permission slugs of the credential. */
  permissions: string[]
  /** False once revoked. An expired credential stays true: see expiresAt. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** Expiry time; null for none. */
  expiresAt: string | null
}

/** Confirms the caller's identity; the token names the account. */
export type DeleteMeRequest = {
  /** The caller's password; required. */
  password?: string | null
}

/** Confirms the deletion. */
export type DeleteMeResponse = {
  /** Human-readable confirmation. */
  message: string
  /** User id. */
  id: string
}

/** The device of a session. */
export type DeviceInfo = {
  /** User-Agent header of the sign-in. */
  userAgent: string | null
  /** Client address of the sign-in. */
  ip: string | null
  /** Kind of device, read from the user agent. */
  device: string | null
  /** Operating system, read from the user agent. */
  os: string | null
}

/** The number of ended sessions. */
export type EndAccountSessionsResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Number of sessions ended. */
  ended: number
}

/** The number of ended sessions. */
export type EndMyOtherSessionsResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Number of sessions ended. */
  ended: number
}

/** Confirms the deletion. */
export type EndMySessionResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Session id. */
  id: string
}

/** Confirms the deletion. */
export type EndSessionResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Session id. */
  id: string
}

/** The account whose password was forgotten. */
export type ForgotPasswordRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The same for known and unknown e-mails. */
export type ForgotPasswordResponse = {
  /** Human-readable confirmation. */
  message: string
}

/** An invitation as its sender sees it. */
export type Invitation = {
  /** Invitation id. */
  id: string
  /** User id of the sender. */
  invitedBy: string
  /** E-mail address of the invitee. */
  email: string
  /** Role slug in the workspace. */
  role: string
  /** Workspace id. */
  workspaceId: string | null
  /** Expiry time. */
  expiresAt: string | null
  /** True once accepted. */
  isUsed: boolean
  /** Status. */
  status: 'pending' | 'accepted' | 'expired' | 'revoked'
  /** Creation time. */
  createdAt: string | null
  /** Token of the mailed link, only in the answer to SendInvitation. */
  token: string | null
}

/** A page of accounts. */
export type ListAccountsResponse = {
  /** Accounts, by e-mail address. */
  data: SupportedAccount[]
  /** Pagination. */
  meta: PageMeta | null
}

/** The credentials of an ecosystem. */
export type ListCredentialsResponse = {
  /** Credentials, newest first. */
  data: Credential[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The caller's invitations. */
export type ListInvitationsResponse = {
  /** Invitations, newest first. */
  data: Invitation[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** The caller's active sessions. */
export type ListMySessionsResponse = {
  /** Sessions, most recently used first. */
  data: Session[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** A page of sessions. */
export type ListSessionsResponse = {
  /** Sessions, most recently used first. */
  data: Session[]
  /** Pagination. */
  meta: PageMeta | null
}

/** E-mail address and password. */
export type LoginRequest = {
  /** E-mail address. */
  email: string
  /** Password. */
  password: string
}

/** The tokens and the account. */
export type LoginResponse = {
  /** Access token in the form {encryptedText}.{iv}.{tag}, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** The account. */
  user: User | null
  /** Lifetime of the access token in seconds; 900 by default. */
  expiresIn: number
  /** True when the password is a temporary one that an administrator set and mailed. */
  isTmpPassword: boolean
  /** True for the first sign-in of a legacy account. */
  isFirstLogin: boolean
  /** True while the app should have the password changed: for either reason above, or because an administrator requires it. Other calls aren't refused meanwhile. */
  requirePasswordChange: boolean
}

/** The refresh token of the session to end. */
export type LogoutRequest = {
  /** Refresh token; optional beside a bearer token. */
  refreshToken?: string | null
}

/** Confirms the sign-out. */
export type LogoutResponse = {
  /** Human-readable confirmation. */
  message: string
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

/** An invitation token. */
export type PreviewInvitationRequest = {
  /** Token from the invitation mail. */
  token: string
}

/** What an invitation is for. */
export type PreviewInvitationResponse = {
  /** Name of the hotel; the workspace's while the hotel service can't answer. */
  hotelName: string
  /** Name of the workspace. */
  workspaceName: string
  /** Name of the inviter; null when a service invites. */
  inviterName: string | null
  /** E-mail address of the invitee. */
  email: string
  /** Role slug in the workspace. */
  role: string
  /** Expiry time. */
  expiresAt: string | null
  /** Status. */
  status: 'pending' | 'accepted' | 'expired' | 'revoked'
  /** URL of the hotel's logo; null for none. */
  logo_url: string | null
  /** Colour of the hotel, #RRGGBB; null for none. */
  primary_color: string | null
}

/** The refresh token to exchange. */
export type RefreshTokenRequest = {
  /** Refresh token from the previous answer. */
  refreshToken: string
}

/** The new pair. The refresh token of the request can't be used again. */
export type RefreshTokenResponse = {
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
}

/** Fields of a new account. */
export type RegisterRequest = {
  /** E-mail address. */
  email: string
  /** Password, 8 characters to 72 bytes. Production refuses common ones. */
  password: string
  /** First name, at most 255 characters. */
  firstName?: string | null
  /** Last name, at most 255 characters. */
  lastName?: string | null
}

/** The new account with its tokens. Without a member, its workspaceId is null and its lists are empty. */
export type RegisterResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** Lifetime of the access token in seconds. */
  expiresIn: number
}

/** A token and the new password, which has two accepted names. */
export type ResetPasswordRequest = {
  /** Token from the link. */
  token: string
  /** New password, 8 characters to 72 bytes; required unless newPassword is given. */
  password?: string | null
  /** Alias of `password`. */
  newPassword?: string | null
}

/** Confirms the new password. */
export type ResetPasswordResponse = {
  /** Human-readable confirmation. */
  message: string
}

/** Confirms the revocation. */
export type RevokeCredentialResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Credential id. */
  id: string
}

/** Confirms the revocation. */
export type RevokeInvitationResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Invitation id. */
  id: string
}

/** Confirms the change. */
export type SendAccountConfirmationResponse = {
  /** Human-readable confirmation. */
  message: string
  /** User id. */
  id: string
}

/** The invitee and the role to grant. */
export type SendInvitationRequest = {
  /** E-mail address of the invitee. */
  email: string
  /** Role slug: admin, manager, member, viewer or a custom role of the workspace. */
  role: string
  /** Workspace id; the caller's own when absent. */
  workspaceId?: string | null
  /** First name of the invitee. */
  firstName?: string | null
  /** Last name of the invitee. */
  lastName?: string | null
}

/** A session. */
export type Session = {
  /** Session id. */
  id: string
  /** User id; null for a session that is linked to a member only. */
  userId: string | null
  /** Member id; null for an account without a member. */
  memberId: string | null
  /** App of a legacy session; null for a modern one. */
  appType: 'mobile' | 'dashboard' | null
  /** The device, as stated by the client. */
  deviceInfo: DeviceInfo | null
  /** False once ended. */
  isActive: boolean
  /** Time of the last refresh or sign-in. */
  lastActivity: string | null
  /** Expiry time unless refreshed. */
  expiresAt: string | null
  /** Sign-in time. */
  createdAt: string | null
  /** True for the session of this request. */
  isCurrent: boolean
  /** E-mail address of the account. Present only where sessions of all users are listed. */
  email?: string
}

/** An invitation token and the fields of the new account. The e-mail address is that of the invitation. */
export type SignUpRequest = {
  /** Token from the invitation mail. */
  token: string
  /** Password, 8 characters to 72 bytes. Production refuses common ones. */
  password: string
  /** First name; taken from the invitation when absent. */
  firstName?: string | null
  /** Last name; taken from the invitation when absent. */
  lastName?: string | null
}

/** The new account with its tokens. */
export type SignUpResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** Lifetime of the access token in seconds. */
  expiresIn: number
}

/** An account. */
export type SupportedAccount = {
  /** User id. */
  id: string
  /** E-mail address. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** False once deactivated. */
  isActive: boolean
  /** Whether the owner has confirmed the address. */
  isVerified: boolean
  /** Number of active sessions. */
  activeSessions: number
  /** Until when too many wrong passwords keep the account from signing in; null when they don't. */
  lockedUntil: string | null
  /** Time of the last sign-in; null for none. */
  lastLoginAt: string | null
  /** Creation time. */
  createdAt: string | null
}

/** Confirms the change. */
export type UnlockAccountResponse = {
  /** Human-readable confirmation. */
  message: string
  /** User id. */
  id: string
}

/** An account as its owner sees it. */
export type User = {
  /** User id. */
  id: string
  /** E-mail address, normalised; unique. */
  email: string
  /** False once the account is deactivated. */
  isActive: boolean
  /** True for a platform administrator. */
  isAdmin: boolean
  /** True once the verification link was opened. */
  emailVerified: boolean
  /** First name, of the member if there is one. */
  firstName: string | null
  /** Last name, of the member if there is one. */
  lastName: string | null
  /** URL of the member's picture. */
  photo_url: string | null
  /** Member id; null when the account has no member. */
  memberId: string | null
  /** Workspace of the access token: the first active membership. */
  workspaceId: string | null
  /** Role slugs in that workspace. */
  roles: string[]
  /** Effective permission slugs in that workspace. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Time of the last sign-in; null before the first. */
  lastLoginAt: string | null
}

/** The token of a verification mail. */
export type VerifyEmailRequest = {
  /** Token from the link. */
  token: string
  /** New password, 8 characters to 72 bytes; required outside a session of the account while its address was never confirmed, ignored otherwise. */
  password?: string | null
}

/** Confirms the address. */
export type VerifyEmailResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Always true. */
  emailVerified: boolean
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

/** Authentication service. */
export type AuthOperations = {
  /** Lists accounts by e-mail address, the legacy version's included.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators find a person. */
  listAccounts(
    input?: {
      /** Text in the e-mail address or the name, ignoring case and accents, or the id of an account. */
      search?: string
      /** Page number, starting at 1. */
      page?: number
      /** Accounts per page; 20 when absent, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListAccountsResponse>
  /** Mails the link that confirms the address again; the earlier link ends. NotFoundError for an unknown account, ConflictError for a confirmed address.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: replaces a lost mail. */
  sendAccountConfirmation(
    input: {
      /** User id. */
      userId: string
    },
    options?: CallOptions,
  ): Promise<SendAccountConfirmationResponse>
  /** Ends all sessions of an account; their tokens are refused at once. NotFoundError for an unknown account.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators sign somebody out everywhere. */
  endAccountSessions(
    input: {
      /** User id. */
      userId: string
    },
    options?: CallOptions,
  ): Promise<EndAccountSessionsResponse>
  /** Lifts the limits of wrong passwords and codes for an account, also for the addresses that it signed in from. NotFoundError for an unknown account.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators let somebody in who was locked out. */
  unlockAccount(
    input: {
      /** User id. */
      userId: string
    },
    options?: CallOptions,
  ): Promise<UnlockAccountResponse>
  /** Signs in. UnauthorizedError for an unknown e-mail, a wrong password and a deactivated account alike, with the same text after the same time; ServiceUnavailableError with Retry-After when too many passwords are being checked.
   *
   * **Callers:** public */
  login(
    input: {
      body: LoginRequest
    },
    options?: CallOptions,
  ): Promise<LoginResponse>
  /** Ends the session of the bearer token, and that of the refresh token, of either version. Either token is sufficient; beside a valid bearer token the refresh token must belong to the same caller. An unknown, ended or foreign refresh token gives the same answer and ends no session. UnauthorizedError without a valid bearer token and without a refresh token.
   *
   * **Callers:** public */
  logout(
    input: {
      body: LogoutRequest
    },
    options?: CallOptions,
  ): Promise<LogoutResponse>
  /** Exchanges a refresh token for a new pair. Reusing a token ends its session: UnauthorizedError. Of two simultaneous exchanges one succeeds, and nothing is revoked.
   *
   * **Callers:** public */
  refreshToken(
    input: {
      body: RefreshTokenRequest
    },
    options?: CallOptions,
  ): Promise<RefreshTokenResponse>
  /** Creates an account without a member and signs it in. A verification mail follows. ConflictError for a known e-mail. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** public */
  register(
    input: {
      body: RegisterRequest
    },
    options?: CallOptions,
  ): Promise<RegisterResponse>
  /** Confirms an e-mail address with the mailed token. If an administrator changed a member's address, both versions sign in with the new address from now on. ValidationError of `token` when it is unknown, used or expired. ValidationError of `password` when the account's address was never confirmed and the call has no bearer token of that account: somebody else may have registered it, so the same token is sent again with a new password, and all sessions end. GoneError, 410, when the asker may no longer set the address, ConflictError when another account or member has taken the address.
   *
   * **Callers:** public */
  verifyEmail(
    input: {
      body: VerifyEmailRequest
    },
    options?: CallOptions,
  ): Promise<VerifyEmailResponse>
  /** Creates a pair of key and secret. The secret is returned only once. ForbiddenError for permissions that the caller doesn't hold. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem` */
  createCredential(
    input: {
      body: CreateCredentialRequest
    },
    options?: CallOptions,
  ): Promise<CreateCredentialResponse>
  /** Lists the credentials of an ecosystem, newest first, without their secrets.
   *
   * **Callers:** person · **Tenant:** ecosystem (`ecosystemId`) · **Permission:** `manage_ecosystem` */
  listCredentials(
    input: {
      /** Ecosystem (hotel) id. */
      ecosystemId: string
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCredentialsResponse>
  /** Revokes a credential; it is refused everywhere within a second. Revoking it twice gives the same answer. NotFoundError for an unknown credential.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem` */
  revokeCredential(
    input: {
      /** Credential id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RevokeCredentialResponse>
  /** Lists the invitations that the caller sent, newest first.
   *
   * **Callers:** person */
  listInvitations(
    input?: {
      /** Only invitations in this state: pending, accepted, expired or revoked. */
      status?: 'pending' | 'accepted' | 'expired' | 'revoked'
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListInvitationsResponse>
  /** Accepts an invitation and creates the account. The token is sufficient; a bearer token, if sent, must belong to the invited e-mail. Repeating the call with the bearer token of the account that accepted gives the same answer. NotFoundError for an unknown token, 410 for an expired one, ConflictError for one that is revoked or used by another account. ConflictError also when the address already has an account: unless that account is verified, a link that sets its password is mailed to it (ResetPassword), and the invitation is accepted by signing in. The new account is verified by the token of the mailed link; by that of an answer to its sender, once the link of its verification mail is opened. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** public */
  acceptInvitation(
    input: {
      body: AcceptInvitationRequest
    },
    options?: CallOptions,
  ): Promise<AcceptInvitationResponse>
  /** Returns what an invitation is for, in any status. NotFoundError for an unknown token.
   *
   * **Callers:** public
   *
   * Added to the original contract: invited people see who invites them before they accept. */
  previewInvitation(
    input: {
      body: PreviewInvitationRequest
    },
    options?: CallOptions,
  ): Promise<PreviewInvitationResponse>
  /** Mails an invitation to a workspace. Inviting the same person again renews the open invitation. ValidationError for a role that the workspace doesn't have, ForbiddenError for a role above the caller's rights. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) · **Permission:** `invite_members` */
  sendInvitation(
    input: {
      body: SendInvitationRequest
    },
    options?: CallOptions,
  ): Promise<Invitation>
  /** Revokes an open invitation that the caller sent, and invalidates its token. NotFoundError for an unknown invitation, ConflictError for a used one.
   *
   * **Callers:** person
   *
   * Added to the original contract: stops an invitation to a wrong address. */
  revokeInvitation(
    input: {
      /** Invitation id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RevokeInvitationResponse>
  /** Changes the caller's password and ends the caller's other sessions. ValidationError for a wrong old password.
   *
   * **Callers:** person */
  changePassword(
    input: {
      body: ChangePasswordRequest
    },
    options?: CallOptions,
  ): Promise<ChangePasswordResponse>
  /** Mails a link with a token that is valid for 1 hour and can be used once. Using one token invalidates the others. The answer and its duration don't reveal whether the e-mail is known.
   *
   * **Callers:** public */
  forgotPassword(
    input: {
      body: ForgotPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ForgotPasswordResponse>
  /** Sets a new password with the mailed token and revokes every refresh token of the account. ValidationError for a token that is unknown, used or expired.
   *
   * **Callers:** public */
  resetPassword(
    input: {
      body: ResetPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ResetPasswordResponse>
  /** Lists the sessions of all users, most recently used first.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: the operator's console lists sessions. */
  listSessions(
    input?: {
      /** Only sessions of this user. */
      userId?: string
      /** Only active (true) or ended (false) sessions. */
      isActive?: boolean
      /** Page number, starting at 1. */
      page?: number
      /** Sessions per page; 20 when absent, at most 100. */
      limit?: number
      /** Only sessions of accounts whose e-mail address contains this text, ignoring case. */
      email?: string
    },
    options?: CallOptions,
  ): Promise<ListSessionsResponse>
  /** Ends a session of any user; its tokens are refused at once. NotFoundError when it doesn't exist or has ended.
   *
   * **Callers:** platform administrator
   *
   * Added to the original contract: operators end a stolen session. */
  endSession(
    input: {
      /** Session id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<EndSessionResponse>
  /** Returns the caller's own profile. UnauthorizedError once the account is deactivated.
   *
   * **Callers:** person */
  getMe(options?: CallOptions): Promise<User>
  /** Updates the fields in the body. A new e-mail address requires the current password and is unverified until its link is opened; the former one is notified. ConflictError when another account or member has it. Names and picture are copied to the member, and the address once it is confirmed. 429 after ten changes of the address in an hour.
   *
   * **Callers:** person */
  updateMe(
    input: {
      body: {
        /** New e-mail address; cannot be cleared. */
        email?: string
        /** The current password; required when email changes, ignored otherwise. */
        currentPassword?: string | null
        /** New first name, at most 255 characters. */
        firstName?: string | null
        /** New last name, at most 255 characters. */
        lastName?: string | null
        /** New URL of the picture. */
        photo_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<User>
  /** Deletes the caller's own account: deactivates it, ends every token and session, and notifies the member service by an event. ValidationError for a missing or wrong password, TooManyRequestsError after too many wrong ones, ConflictError while the caller is the only administrator of a workspace.
   *
   * **Callers:** person */
  deleteMe(
    input: {
      body: DeleteMeRequest
    },
    options?: CallOptions,
  ): Promise<DeleteMeResponse>
  /** Lists the caller's own active sessions, most recently used first.
   *
   * **Callers:** person
   *
   * Added to the original contract: people see where they are signed in. */
  listMySessions(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMySessionsResponse>
  /** Ends all the caller's sessions except the current one.
   *
   * **Callers:** person
   *
   * Added to the original contract: ends all other sessions in one call. */
  endMyOtherSessions(options?: CallOptions): Promise<EndMyOtherSessionsResponse>
  /** Ends one of the caller's own sessions; its tokens are refused at once. NotFoundError for a session of another user.
   *
   * **Callers:** person
   *
   * Added to the original contract: signs a lost device out. */
  endMySession(
    input: {
      /** Session id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<EndMySessionResponse>
  /** Accepts an invitation, from this service or from the onboarding of the member service, and creates the account. Equivalent to /invitations/accept. NotFoundError for an unknown token, 410 for an expired one, ConflictError for a used or cancelled one. ConflictError also when the address already has an account: unless that account is verified, a link that sets its password is mailed to it (ResetPassword), and the invitation is accepted by signing in. The new account is unverified until the link of its verification mail is opened. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** public */
  signUp(
    input: {
      body: SignUpRequest
    },
    options?: CallOptions,
  ): Promise<SignUpResponse>
}

export const authRoutes: ClientRoutes<AuthOperations> = {
  listAccounts: {
    verb: 'GET',
    path: '/accounts',
    query: ['search', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  sendAccountConfirmation: {
    verb: 'POST',
    path: '/accounts/{userId}/confirmation',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  endAccountSessions: {
    verb: 'DELETE',
    path: '/accounts/{userId}/sessions',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  unlockAccount: {
    verb: 'POST',
    path: '/accounts/{userId}/unlock',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  login: {
    verb: 'POST',
    path: '/auth/login',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  logout: {
    verb: 'POST',
    path: '/auth/logout',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  refreshToken: {
    verb: 'POST',
    path: '/auth/refreshToken',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  register: {
    verb: 'POST',
    path: '/auth/register',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: true,
  },
  verifyEmail: {
    verb: 'POST',
    path: '/auth/verify-email',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  createCredential: {
    verb: 'POST',
    path: '/ecosystem/credentials',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  listCredentials: {
    verb: 'GET',
    path: '/ecosystem/credentials/{ecosystemId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  revokeCredential: {
    verb: 'DELETE',
    path: '/ecosystem/credentials/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listInvitations: {
    verb: 'GET',
    path: '/invitations',
    query: ['status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  acceptInvitation: {
    verb: 'POST',
    path: '/invitations/accept',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  previewInvitation: {
    verb: 'POST',
    path: '/invitations/preview',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  sendInvitation: {
    verb: 'POST',
    path: '/invitations/send',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  revokeInvitation: {
    verb: 'DELETE',
    path: '/invitations/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  changePassword: {
    verb: 'POST',
    path: '/password/change',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  forgotPassword: {
    verb: 'POST',
    path: '/password/forgot',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  resetPassword: {
    verb: 'POST',
    path: '/password/reset',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  listSessions: {
    verb: 'GET',
    path: '/sessions',
    query: ['userId', 'isActive', 'page', 'limit', 'email'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  endSession: {
    verb: 'DELETE',
    path: '/sessions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getMe: {
    verb: 'GET',
    path: '/users/me',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  updateMe: {
    verb: 'PATCH',
    path: '/users/me',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteMe: {
    verb: 'DELETE',
    path: '/users/me',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listMySessions: {
    verb: 'GET',
    path: '/users/me/sessions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  endMyOtherSessions: {
    verb: 'DELETE',
    path: '/users/me/sessions',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  endMySession: {
    verb: 'DELETE',
    path: '/users/me/sessions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  signUp: {
    verb: 'POST',
    path: '/users/signUp',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: true,
  },
}
