// Written by npm run gen from gen/openapi/auth.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** An invitation token with what the account needs. */
export type AcceptInvitationRequest = {
  /** Token from the invitation mail. */
  token: string
  /** Password of the new account, 8 characters to 72 bytes. Not needed by somebody who is signed in. */
  password?: string | null
  /** First name; the invitation's when absent. */
  firstName?: string | null
  /** Last name; the invitation's when absent. */
  lastName?: string | null
}

/** The account, signed in. */
export type AcceptInvitationResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** Seconds until the access token ends. */
  expiresIn: number
}

/** The old password, under either of its two names, and the new one. */
export type ChangePasswordRequest = {
  /** Present password; required unless oldPassword is given. */
  currentPassword?: string | null
  /** Other name of currentPassword, as the legacy route calls it. */
  oldPassword?: string | null
  /** New password, 8 characters to 72 bytes; common ones are refused. */
  newPassword: string
}

/** Says that the password is changed. */
export type ChangePasswordResponse = {
  /** For a person. */
  message: string
}

/** What the credentials may do. */
export type CreateCredentialRequest = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Permission slugs, at most 50; empty means that nothing guarded is allowed. */
  permissions?: string[]
  /** When they end, in the future; never when absent. */
  expiresAt?: string | null
}

/** The new credentials with their secret. */
export type CreateCredentialResponse = {
  /** Credentials id. */
  id: string
  /** User id of the owner. */
  userId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Public half. */
  apiKey: string
  /** Secret half, shown this once. */
  apiSecret: string
  /** Permission slugs that they carry. */
  permissions: string[]
  /** Always true. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** When they end; null for never. */
  expiresAt: string | null
}

/** Credentials as listed. */
export type Credential = {
  /** Credentials id. */
  id: string
  /** User id of the owner. */
  userId: string
  /** Ecosystem (hotel) id. */
  ecosystemId: string
  /** Public half. */
  apiKey: string
  /** Permission slugs that they carry. */
  permissions: string[]
  /** False once revoked. */
  isActive: boolean
  /** Creation time. */
  createdAt: string | null
  /** When they end; null for never. */
  expiresAt: string | null
}

/** Says what was ended. */
export type DeleteMeResponse = {
  /** For a person. */
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

/** Says how many were ended. */
export type EndMyOtherSessionsResponse = {
  /** For a person. */
  message: string
  /** Sessions ended. */
  ended: number
}

/** Says what was ended. */
export type EndMySessionResponse = {
  /** For a person. */
  message: string
  /** Session id. */
  id: string
}

/** Says what was ended. */
export type EndSessionResponse = {
  /** For a person. */
  message: string
  /** Session id. */
  id: string
}

/** Whose password was forgotten. */
export type ForgotPasswordRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The same for every e-mail. */
export type ForgotPasswordResponse = {
  /** For a person. */
  message: string
}

/** An invitation as its sender sees it. Its token goes to the invitee alone. */
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
  /** When the token ends. */
  expiresAt: string | null
  /** True once accepted. */
  isUsed: boolean
  /** pending, accepted, expired or revoked. */
  status: string
  /** Creation time. */
  createdAt: string | null
}

/** The credentials of an ecosystem. */
export type ListCredentialsResponse = {
  /** Credentials, newest first. */
  data: Credential[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of the caller's invitations. */
export type ListInvitationsResponse = {
  /** Invitations, newest first. */
  data: Invitation[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** The caller's live sessions. */
export type ListMySessionsResponse = {
  /** Sessions, last used first. */
  data: Session[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of sessions. */
export type ListSessionsResponse = {
  /** Sessions, last used first. */
  data: Session[]
  /** Position in the whole list. */
  meta: PageMeta | null
}

/** Credentials of a person. */
export type LoginRequest = {
  /** E-mail address. */
  email: string
  /** Password. */
  password: string
}

/** Tokens and the account they stand for. */
export type LoginResponse = {
  /** Access token {encryptedText}.{iv}.{tag}, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** The account. */
  user: User | null
  /** Seconds until the access token ends; 900 unless configured otherwise. */
  expiresIn: number
  /** True when the password is a temporary one, which an administrator set and mailed. */
  isTmpPassword: boolean
  /** True for the first sign-in of an account of the legacy version. */
  isFirstLogin: boolean
  /** True while the password must be changed: for either reason above, or because an administrator said so. */
  requirePasswordChange: boolean
}

/** The refresh token whose session ends. */
export type LogoutRequest = {
  /** Refresh token; not needed beside a bearer. */
  refreshToken?: string | null
}

/** Says that the session is over. */
export type LogoutResponse = {
  /** For a person. */
  message: string
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

/** The refresh token to exchange. */
export type RefreshTokenRequest = {
  /** Refresh token of the last answer. */
  refreshToken: string
}

/** The new pair; the presented refresh token is spent. */
export type RefreshTokenResponse = {
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
}

/** What a new account needs. */
export type RegisterRequest = {
  /** E-mail address. */
  email: string
  /** Password, 8 characters to 72 bytes; common ones are refused. */
  password: string
  /** First name, at most 120 characters. */
  firstName?: string | null
  /** Last name, at most 120 characters. */
  lastName?: string | null
}

/** The new account, signed in. Without a member its workspaceId is null and its lists are empty. */
export type RegisterResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** Seconds until the access token ends. */
  expiresIn: number
}

/** A token with the new password, under either of its two names. */
export type ResetPasswordRequest = {
  /** Token from the link. */
  token: string
  /** New password, 8 characters to 72 bytes; required unless newPassword is given. */
  password?: string | null
  /** Other name of password. */
  newPassword?: string | null
}

/** Says that the password is set. */
export type ResetPasswordResponse = {
  /** For a person. */
  message: string
}

/** Says what was revoked. */
export type RevokeCredentialResponse = {
  /** For a person. */
  message: string
  /** Credentials id. */
  id: string
}

/** Says what was revoked. */
export type RevokeInvitationResponse = {
  /** For a person. */
  message: string
  /** Invitation id. */
  id: string
}

/** Whom to invite, and as what. */
export type SendInvitationRequest = {
  /** E-mail address of the invitee. */
  email: string
  /** Role slug: admin, manager, member, viewer or a custom role of the workspace. */
  role: string
  /** Workspace; the caller's own when absent. */
  workspaceId?: string | null
  /** First name of the invitee. */
  firstName?: string | null
  /** Last name of the invitee. */
  lastName?: string | null
}

/** A session as answered. */
export type Session = {
  /** Session id. */
  id: string
  /** User id; null for a session known by its member alone. */
  userId: string | null
  /** Member id; null for an account without a member. */
  memberId: string | null
  /** mobile or dashboard for a legacy session, null for a modern one. */
  appType: string | null
  /** What the client told of itself. */
  deviceInfo: DeviceInfo | null
  /** False once ended. */
  isActive: boolean
  /** Last refresh or sign-in. */
  lastActivity: string | null
  /** When it ends unless refreshed. */
  expiresAt: string | null
  /** Sign-in time. */
  createdAt: string | null
  /** True for the session that asks. */
  isCurrent: boolean
  /** E-mail address of the account; only where sessions of everybody are listed. */
  email?: string
}

/** An invitation token with what the new account needs. The e-mail address is the invitation's. */
export type SignUpRequest = {
  /** Token from the invitation mail. */
  token: string
  /** Password, 8 characters to 72 bytes; common ones are refused. */
  password: string
  /** First name; the invitation's when absent. */
  firstName?: string | null
  /** Last name; the invitation's when absent. */
  lastName?: string | null
}

/** The new account, signed in. */
export type SignUpResponse = {
  /** The account. */
  user: User | null
  /** Access token, valid for expires_in seconds. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** Seconds until the access token ends. */
  expiresIn: number
}

/** An account as its owner sees it. The password never leaves the service. */
export type User = {
  /** User id. */
  id: string
  /** E-mail address, normalised; unique. */
  email: string
  /** False once the account is deactivated. */
  isActive: boolean
  /** True for an administrator of the platform. */
  isAdmin: boolean
  /** True once the verification link was opened. */
  emailVerified: boolean
  /** First name, from the member where there is one. */
  firstName: string | null
  /** Last name, from the member where there is one. */
  lastName: string | null
  /** Address of the picture, from the member. */
  photo_url: string | null
  /** Member id; null before the account belongs to a member. */
  memberId: string | null
  /** Workspace that the access token names: the first active membership. */
  workspaceId: string | null
  /** Role slugs in that workspace. */
  roles: string[]
  /** Effective permission slugs in that workspace. */
  permissions: string[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** Last sign-in; null before the first. */
  lastLoginAt: string | null
}

/** The token of a verification mail. */
export type VerifyEmailRequest = {
  /** Token from the link. */
  token: string
}

/** Says that the address is confirmed. */
export type VerifyEmailResponse = {
  /** For a person. */
  message: string
  /** Always true. */
  emailVerified: boolean
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

/** Authentication service. */
export type AuthOperations = {
  /** Signs in. UnauthorizedError, with one text and one duration, for an unknown e-mail, a wrong password and a deactivated account; ServiceUnavailableError with Retry-After when too many passwords are being checked.
   *
   * **Callers:** public */
  login(
    input: {
      body: LoginRequest
    },
    options?: CallOptions,
  ): Promise<LoginResponse>
  /** Ends one session, of either version: that of the refresh token, or without one that of the bearer. A refresh token needs no bearer; beside a live one it must be the caller's own. An unknown, ended or foreign one answers alike. UnauthorizedError without a live bearer and a refresh token.
   *
   * **Callers:** public */
  logout(
    input: {
      body: LogoutRequest
    },
    options?: CallOptions,
  ): Promise<LogoutResponse>
  /** Exchanges a refresh token for a new pair. A token that was used before ends its whole family: UnauthorizedError; two exchanges at the same moment leave one winner and end nothing.
   *
   * **Callers:** public */
  refreshToken(
    input: {
      body: RefreshTokenRequest
    },
    options?: CallOptions,
  ): Promise<RefreshTokenResponse>
  /** Makes an account without a member and signs it in; a verification mail follows. ConflictError on a known e-mail. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** public */
  register(
    input: {
      body: RegisterRequest
    },
    options?: CallOptions,
  ): Promise<RegisterResponse>
  /** Confirms an e-mail address with the token that was mailed to it. One that an administrator gave a member becomes the address that both versions sign in with. ValidationError for a token that is unknown, used or expired, ConflictError when another account or member has the address by now.
   *
   * **Callers:** public */
  verifyEmail(
    input: {
      body: VerifyEmailRequest
    },
    options?: CallOptions,
  ): Promise<VerifyEmailResponse>
  /** Makes a pair of key and secret. The secret is in this answer and never again. ForbiddenError for permissions that the caller does not hold. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
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
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListCredentialsResponse>
  /** Revokes credentials: refused everywhere within a second. NotFoundError; revoking twice answers alike.
   *
   * **Callers:** person · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem` */
  revokeCredential(
    input: {
      /** Credentials id. */
      ecosystemId: string
    },
    options?: CallOptions,
  ): Promise<RevokeCredentialResponse>
  /** Lists the invitations that the caller sent, newest first.
   *
   * **Callers:** person */
  listInvitations(
    input?: {
      /** Only those in this state: pending, accepted, expired or revoked. */
      status?: 'pending' | 'accepted' | 'expired' | 'revoked'
      /** Page, from 1. */
      page?: number
      /** Invitations per page; 20 when absent, at most 100. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListInvitationsResponse>
  /** Accepts an invitation and makes the account. The token is enough; a bearer token that is sent along must be of the invited e-mail; repeated with the bearer token of whoever accepted, it answers alike. NotFoundError for an unknown token, 410 for an expired one, ConflictError for one that is used otherwise or revoked and for an address that has an account: unless that is verified, a link that sets its password is mailed there (ResetPassword), and the invitation is accepted by signing in. The account made here is unverified until its own mail's link is opened. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** public */
  acceptInvitation(
    input: {
      body: AcceptInvitationRequest
    },
    options?: CallOptions,
  ): Promise<AcceptInvitationResponse>
  /** Mails an invitation into a workspace. Inviting again renews the open invitation. ValidationError for a role that the workspace has not, ForbiddenError for one above the caller's rights. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person · **Tenant:** workspace (`workspaceId`) · **Permission:** `invite_members` */
  sendInvitation(
    input: {
      body: SendInvitationRequest
    },
    options?: CallOptions,
  ): Promise<Invitation>
  /** Revokes an open invitation that the caller sent; its token is dead. NotFoundError, ConflictError when used.
   *
   * **Callers:** person
   *
   * Not documented elsewhere: an invitation to a wrong address must be stoppable. */
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
  /** Mails a link with a token that is valid for 1 hour and for one use; using one voids the others. The answer, and the time it takes, are the same for an unknown e-mail.
   *
   * **Callers:** public */
  forgotPassword(
    input: {
      body: ForgotPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ForgotPasswordResponse>
  /** Sets a new password with that token and revokes every refresh token of the account. ValidationError for a token that is unknown, used or expired.
   *
   * **Callers:** public */
  resetPassword(
    input: {
      body: ResetPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ResetPasswordResponse>
  /** Lists the sessions of everybody, last used first.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: the operator's console shows sessions. */
  listSessions(
    input?: {
      /** Only those of this user. */
      userId?: string
      /** Only live (true) or ended (false) ones. */
      isActive?: boolean
      /** Page, from 1. */
      page?: number
      /** Sessions per page; 20 when absent, at most 100. */
      limit?: number
      /** Only those of the account with this e-mail address; nobody's when there is none. */
      email?: string
    },
    options?: CallOptions,
  ): Promise<ListSessionsResponse>
  /** Ends anybody's session: its tokens are refused at once. NotFoundError when there is none, or it has ended.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: an operator stops a sign-in that is not its owner's. */
  endSession(
    input: {
      /** Session id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<EndSessionResponse>
  /** The caller's own profile. UnauthorizedError once the account is deactivated.
   *
   * **Callers:** person */
  getMe(options?: CallOptions): Promise<User>
  /** Changes the fields that the body names. A new e-mail address needs the current password, is unverified until its link is opened, and is a ConflictError when taken. Names and picture are passed on to the member.
   *
   * **Callers:** person */
  updateMe(
    input: {
      body: {
        /** New e-mail address; cannot be cleared. */
        email?: string
        /** The current password; required when email changes, ignored otherwise. */
        currentPassword?: string | null
        /** New first name, at most 120 characters. */
        firstName?: string | null
        /** New last name, at most 120 characters. */
        lastName?: string | null
        /** New address of the picture. */
        photo_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<User>
  /** Ends the caller's own account: deactivated, every token and session gone, the member told by an event. ConflictError while nobody else administers one of their workspaces.
   *
   * **Callers:** person */
  deleteMe(options?: CallOptions): Promise<DeleteMeResponse>
  /** Lists the caller's own live sessions, last used first.
   *
   * **Callers:** person
   *
   * Not documented elsewhere: people want to see where they are signed in. */
  listMySessions(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListMySessionsResponse>
  /** Ends all the caller's sessions but the one that asks.
   *
   * **Callers:** person
   *
   * Not documented elsewhere: one call after a suspicion. */
  endMyOtherSessions(options?: CallOptions): Promise<EndMyOtherSessionsResponse>
  /** Ends one of the caller's own sessions: its tokens are refused at once. NotFoundError for another's.
   *
   * **Callers:** person
   *
   * Not documented elsewhere: a lost device is signed out from another one. */
  endMySession(
    input: {
      /** Session id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<EndMySessionResponse>
  /** Accepts an invitation (of this service or of the member service's onboarding) and makes the account; the same use case as /invitations/accept. NotFoundError for an unknown token, 410 for an expired one, ConflictError for a used or cancelled one and for an address that has an account: unless that is verified, a link that sets its password is mailed there (ResetPassword), and the invitation is accepted by signing in. The account made here is unverified until its own mail's link is opened. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** public */
  signUp(
    input: {
      body: SignUpRequest
    },
    options?: CallOptions,
  ): Promise<SignUpResponse>
}

export const authRoutes: Routes<AuthOperations> = {
  login: {
    verb: 'POST',
    path: '/auth/login',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  logout: {
    verb: 'POST',
    path: '/auth/logout',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  refreshToken: {
    verb: 'POST',
    path: '/auth/refreshToken',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  register: {
    verb: 'POST',
    path: '/auth/register',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: true,
  },
  verifyEmail: {
    verb: 'POST',
    path: '/auth/verify-email',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  createCredential: {
    verb: 'POST',
    path: '/ecosystem/credentials',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listCredentials: {
    verb: 'GET',
    path: '/ecosystem/credentials/{ecosystemId}',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  revokeCredential: {
    verb: 'DELETE',
    path: '/ecosystem/credentials/{ecosystemId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listInvitations: {
    verb: 'GET',
    path: '/invitations',
    query: ['status', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  acceptInvitation: {
    verb: 'POST',
    path: '/invitations/accept',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  sendInvitation: {
    verb: 'POST',
    path: '/invitations/send',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  revokeInvitation: {
    verb: 'DELETE',
    path: '/invitations/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  changePassword: {
    verb: 'POST',
    path: '/password/change',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  forgotPassword: {
    verb: 'POST',
    path: '/password/forgot',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  resetPassword: {
    verb: 'POST',
    path: '/password/reset',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  listSessions: {
    verb: 'GET',
    path: '/sessions',
    query: ['userId', 'isActive', 'page', 'limit', 'email'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  endSession: {
    verb: 'DELETE',
    path: '/sessions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getMe: {
    verb: 'GET',
    path: '/users/me',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateMe: {
    verb: 'PATCH',
    path: '/users/me',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteMe: {
    verb: 'DELETE',
    path: '/users/me',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listMySessions: {
    verb: 'GET',
    path: '/users/me/sessions',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  endMyOtherSessions: {
    verb: 'DELETE',
    path: '/users/me/sessions',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  endMySession: {
    verb: 'DELETE',
    path: '/users/me/sessions/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  signUp: {
    verb: 'POST',
    path: '/users/signUp',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: true,
  },
}
