// Written by npm run gen from gen/openapi/legacyauth.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** An account on the administrators' side. */
export type AdminProfile = {
  /** Administrator id. */
  id: string
  /** E-mail address, normalised. */
  email: string
  /** Always true. */
  isAdmin: boolean
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** The old and the new address. */
export type ChangeMailRequest = {
  /** Present e-mail address of the user. */
  oldEmail: string
  /** New e-mail address. */
  newEmail: string
}

/** The user with the new address. */
export type ChangeMailResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** User id. */
  userId: string
  /** The new e-mail address, normalised. */
  email: string
}

/** Names the user. */
export type ChangePasswordByAdminRequest = {
  /** E-mail address. */
  email: string
}

/** The temporary password, which is mailed as well. */
export type ChangePasswordByAdminResponse = {
  /** Always true. */
  success: boolean
  /** The temporary password; it must be changed at the next sign-in. */
  temporaryPassword: string
  /** For a person. */
  message: string
}

/** The old and the new password. */
export type ChangePasswordRequest = {
  /** Present password; MSG_622 when wrong. */
  oldPassword: string
  /** New password, 8 characters to 72 bytes; common ones are refused. */
  newPassword: string
}

/** Says that the password is changed. */
export type ChangePasswordResponse = {
  /** Always true. */
  success: boolean
  /** Message code, MSG_620. */
  msg: string
  /** The flags, all false. */
  user: LoginFlags | null
}

/** A reset request with its code. */
export type CheckResetCodeRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code, as a text or a number; required unless couponCode is given. */
  code?: string | null
  /** The encrypted token of the link, checked when given. */
  hashedToken?: string | null
  /** Other name of code. */
  couponCode?: string | null
}

/** What the next step needs. */
export type CheckResetCodeResponse = {
  /** Always true. */
  success: boolean
  /** What PUT /user/change/Password needs. */
  data: ResetProof | null
}

/** A reset request with one of its proofs or both, each under either of its names. */
export type CheckResetRequestRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code. */
  code?: string | null
  /** Other name of code. */
  couponCode?: string | null
  /** The encrypted token. */
  hashedToken?: string | null
  /** Other name of hashedToken. */
  token?: string | null
}

/** Says that the request holds. */
export type CheckResetRequestResponse = {
  /** Always true. */
  success: boolean
  /** What PUT /user/change/Password needs. */
  data: ResetProof | null
}

/** How often one route was called, or one client called, on a day. */
export type DailyUsage = {
  /** Day in UTC: 2026-11-21. */
  day: string
  /** Route or client. */
  name: string
  /** Calls. */
  calls: number
}

/** Says who was deleted. */
export type DeleteAccountResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** User id. */
  userId: string
}

/** Names the ecosystem. */
export type DeleteEcosystemAccountsRequest = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
}

/** What was deleted; an ecosystem without users answers zeros. */
export type DeleteEcosystemAccountsResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** Users deleted. */
  deletedUsers: number
  /** Refresh tokens revoked. */
  revokedTokens: number
  /** Sessions deleted. */
  deletedSessions: number
  /** Users who keep their account because they also belong elsewhere; they must sign in anew. */
  keptUsers: number
}

/** What was revoked. */
export type DeleteUserTokensResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** Refresh tokens revoked. */
  revoked: number
}

/** The account to make or renew. */
export type InviteAccountRequest = {
  /** E-mail address of the member. */
  email: string
  /** Temporary password, 8 characters to 72 bytes. */
  password: string
  /** Member id. */
  memberId: string
}

/** The account. */
export type InviteAccountResponse = {
  /** Always true. */
  success: boolean
  /** The account with its flags. */
  user: InvitedUser | null
}

/** An invited account. */
export type InvitedUser = {
  /** User id. */
  id: string
  /** E-mail address, normalised. */
  email: string
  /** Always true. */
  isTmpPassword: boolean
  /** Always true. */
  isFirstLogin: boolean
}

/** Counts of calls by day, oldest first; days without any are left out. */
export type ListDailyUsageResponse = {
  /** One row per day and route or client: of the twenty that were called most, and of all others as `others`. */
  data: DailyUsage[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** Counts of calls. */
export type ListUsageResponse = {
  /** One row per route and client, most called first; at most 1000. */
  data: RouteUsage[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** Credentials of an administrator. What is missing is answered with MSG_600, so nothing is required here. */
export type LoginAsAdminRequest = {
  /** E-mail address, at most 254 characters. */
  email?: string | null
  /** Password, at most 200 characters. */
  password?: string | null
}

/** Tokens of the administrator. */
export type LoginAsAdminResponse = {
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** Who signed in. */
  admin: SignedInAdmin | null
}

/** The three sign-in flags of an account. */
export type LoginFlags = {
  /** True while the password is a temporary one. */
  isTmpPassword: boolean
  /** True until the first change of the password. */
  isFirstLogin: boolean
  /** True when the password must be changed at the next sign-in. */
  isForced: boolean
}

/** Tokens, the flags of a temporary password or a first sign-in, and the profile. */
export type LoginResponse = {
  /** Access token, valid for 2400 hours unless configured shorter. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** True while the password is a temporary one. */
  isTmpPassword: boolean
  /** True at the first sign-in. */
  isFirstLogin: boolean
  /** True when the password must be changed before anything else: temporary, first sign-in, or forced. */
  requirePasswordChange: boolean
  /** The profile that the access token was made from. */
  user: Profile | null
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

/** An account with its member, in the names of the legacy token claims (document 1, "Access token payloads"). */
export type Profile = {
  /** User id. */
  id: string
  /** E-mail address, normalised. */
  email: string
  /** Member id. */
  memberId: string | null
  /** First name. */
  firstname: string | null
  /** Last name. */
  lastname: string | null
  /** Address of the picture. */
  picture: string | null
  /** Hotel id of the member. */
  hotelId: string | null
  /** The same as hotelId. */
  ecosystemId: string | null
  /** First workspace of the member. */
  workspaceId: string | null
  /** All active workspaces of the member. */
  workspaces: ProfileWorkspace[]
  /** Role slugs in the first workspace. */
  roles: string[]
  /** Effective permission slugs in the first workspace. */
  permissions: string[]
  /** Access token of the member at the chat provider. */
  chatApiKey: string | null
  /** True for an administrator of the platform. */
  isAdmin: boolean
  /** True while the password is a temporary one. */
  isTmpPassword: boolean
  /** True until the first change of the password. */
  isFirstLogin: boolean
  /** True when the password must be changed at the next sign-in. */
  isForced: boolean
}

/** A workspace of the member. */
export type ProfileWorkspace = {
  /** Workspace id. */
  id: string
  /** Name of the workspace. */
  name: string
  /** Role slug of the member in it. */
  role: string
}

/** The refresh token to exchange. */
export type RefreshRequest = {
  /** Refresh token of the last answer. */
  refreshToken: string
}

/** The new pair; the presented refresh token is spent. */
export type RefreshResponse = {
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
}

/** A create-password token with the password. */
export type RegisterTempRequest = {
  /** Create-password token of the member. */
  token: string
  /** Password, 8 characters to 72 bytes; common ones are refused. */
  password: string
}

/** The account, signed in. */
export type RegisterTempResponse = {
  /** Always true. */
  success: boolean
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days and for one use. */
  refreshToken: string
  /** The profile that the access token was made from. */
  user: Profile | null
}

/** Whose password was forgotten. */
export type RequestResetRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The reset request. */
export type RequestResetResponse = {
  /** The e-mail address as sent. */
  email: string
  /** The 6-digit code; null for an anonymous caller in production. */
  generatedcode: string | null
  /** The encrypted token of the link; null for an anonymous caller in production. */
  tokenFrontRoute: string | null
}

/** A reset request with both proofs and the new password, each under either of its names. */
export type ResetPasswordRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code; required unless couponCode is given. */
  code?: string | null
  /** Other name of code. */
  couponCode?: string | null
  /** The encrypted token; required unless token is given. */
  hashedToken?: string | null
  /** Other name of hashedToken. */
  token?: string | null
  /** New password, 8 characters to 72 bytes; required unless password is given. */
  newPassword?: string | null
  /** Other name of newPassword. */
  password?: string | null
}

/** Says that the password is set. */
export type ResetPasswordResponse = {
  /** Always true. */
  success: boolean
  /** Message code, MSG_620. */
  msg: string
}

/** Both proofs of a reset request, for the client to hand back. */
export type ResetProof = {
  /** The encrypted token of the request, under the name that the documents give it. */
  hashedToken: string
  /** The 6-digit code; null when the request proved itself by its token alone. */
  couponCode: string | null
}

/** Names the user. */
export type RevokeRefreshTokensRequest = {
  /** User id. */
  userId: string
}

/** What was revoked. */
export type RevokeRefreshTokensResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** Refresh tokens revoked. */
  revoked: number
}

/** Names the user. */
export type RevokeTokensByEmailRequest = {
  /** E-mail address. */
  email: string
}

/** What was revoked. */
export type RevokeTokensByEmailResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** Refresh tokens revoked. */
  revoked: number
}

/** How often one client called one route. */
export type RouteUsage = {
  /** Method and path: POST /auth/login/:type. */
  route: string
  /** Client: the origin of a web page, else the product name in the User-Agent header; unknown without either. */
  client: string
  /** Calls in the asked days. */
  calls: number
  /** Last call. */
  lastCalledAt: string | null
}

/** Whose password was forgotten. */
export type SendResetEmailRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The same for every e-mail. */
export type SendResetEmailResponse = {
  /** Always true. */
  success: boolean
  /** Message code, MSG_605. */
  msg: string
}

/** The flags to set; one that is absent is left alone. */
export type SetLoginDataRequest = {
  /** User id. */
  userId: string
  /** Whether the password is a temporary one. */
  isTmpPassword?: boolean | null
  /** Whether the first sign-in is still to come. */
  isFirstLogin?: boolean | null
  /** Whether the password must be changed at the next sign-in. */
  isForced?: boolean | null
}

/** The flags as they are now. */
export type SetLoginDataResponse = {
  /** Always true. */
  success: boolean
  /** Message code, NO_MSG. */
  msg: string
  /** The flags. */
  user: LoginFlags | null
}

/** An administrator as the sign-in answers it. */
export type SignedInAdmin = {
  /** Administrator id. */
  id: string
  /** E-mail address, normalised. */
  email: string
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** An error of the legacy version: a message code, and the invalid fields if the request is invalid. */
export type LegacyError = {
  msg:
    | 'NO_MSG'
    | 'MSG_600'
    | 'MSG_601'
    | 'MSG_602'
    | 'MSG_603'
    | 'MSG_604'
    | 'MSG_606'
    | 'MSG_621'
    | 'MSG_622'
    | 'MSG_623'
    | 'MSG_624'
  success: false
  message?: string
  requestId?: string
  error?: FieldError[]
}

/** Legacy authentication service. */
export type LegacyauthOperations = {
  /** Changes the e-mail of a user. MSG_623 for an unknown user, 409 when the new address is taken.
   *
   * **Callers:** platform administrator, service key */
  changeMail(
    input: {
      body: ChangeMailRequest
    },
    options?: CallOptions,
  ): Promise<ChangeMailResponse>
  /** Deletes a user by e-mail, with tokens and sessions. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  deleteAccount(
    input: {
      /** E-mail address. */
      email: string
    },
    options?: CallOptions,
  ): Promise<DeleteAccountResponse>
  /** Makes the account of a member, or renews it, with a temporary password that must be changed at the first sign-in. Renewing revokes all tokens of the user. MSG_602 for an unknown member, ConflictError when the member belongs to another account. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** platform administrator, service key */
  inviteAccount(
    input: {
      body: InviteAccountRequest
    },
    options?: CallOptions,
  ): Promise<InviteAccountResponse>
  /** Signs a member in from an app. MSG_600 without e-mail or password, MSG_601 for wrong credentials; after a right password MSG_602 without a member, MSG_603 or MSG_604 without access for that type, MSG_624 while another device is active. The first sign-in marks the member as registered.
   *
   * **Callers:** public */
  login(
    input: {
      /** App that signs in: mobile or dashboard. */
      type: 'mobile' | 'dashboard'
      body: {
        /** E-mail address, at most 254 characters. */
        email?: string | null
        /** Password, at most 200 characters. */
        password?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<LoginResponse>
  /** Signs a system administrator in. MSG_600 without e-mail or password, MSG_601 for wrong credentials.
   *
   * **Callers:** public */
  loginAsAdmin(
    input: {
      body: LoginAsAdminRequest
    },
    options?: CallOptions,
  ): Promise<LoginAsAdminResponse>
  /** Exchanges a refresh token for a new pair. A token that was used before ends its whole family: MSG_601.
   *
   * **Callers:** public */
  refresh(
    input: {
      body: RefreshRequest
    },
    options?: CallOptions,
  ): Promise<RefreshResponse>
  /** Makes the account of an invited member with the create-password token that was mailed to them, valid for 4 hours and one use. MSG_601 for a bad token, MSG_602 when its member is gone. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** public
   *
   * Not documented elsewhere: document 1 names registerTemp without a path (decision 80). */
  registerTemp(
    input: {
      body: RegisterTempRequest
    },
    options?: CallOptions,
  ): Promise<RegisterTempResponse>
  /** Revokes all tokens of a user, or of an administrator. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  revokeRefreshTokens(
    input: {
      body: RevokeRefreshTokensRequest
    },
    options?: CallOptions,
  ): Promise<RevokeRefreshTokensResponse>
  /** Sets the sign-in flags that the body names, one at least. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  setLoginData(
    input: {
      body: SetLoginDataRequest
    },
    options?: CallOptions,
  ): Promise<SetLoginDataResponse>
  /** Sets the new password of a reset request, clears isTmpPassword and revokes all tokens of the user. Code and token must both hold: MSG_606 otherwise, MSG_620 on success.
   *
   * **Callers:** public */
  resetPassword(
    input: {
      body: ResetPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ResetPasswordResponse>
  /** Gives a user a random temporary password, mails it and revokes all tokens of the user. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  changePasswordByAdmin(
    input: {
      body: ChangePasswordByAdminRequest
    },
    options?: CallOptions,
  ): Promise<ChangePasswordByAdminResponse>
  /** Changes the caller's password, clears the three flags and ends the caller's other sessions. MSG_622 for a wrong old password, MSG_621 when the new one is refused.
   *
   * **Callers:** person */
  changePassword(
    input: {
      body: ChangePasswordRequest
    },
    options?: CallOptions,
  ): Promise<ChangePasswordResponse>
  /** Checks the code of a reset request and answers what the next step needs. MSG_606 when it does not hold.
   *
   * **Callers:** public */
  checkResetCode(
    input: {
      body: CheckResetCodeRequest
    },
    options?: CallOptions,
  ): Promise<CheckResetCodeResponse>
  /** Deletes all users of an ecosystem, revokes their tokens and deletes their sessions, in one transaction. Who also works in another ecosystem, and platform administrators, keep their account and lose tokens and sessions.
   *
   * **Callers:** platform administrator, service key */
  deleteEcosystemAccounts(
    input: {
      body: DeleteEcosystemAccountsRequest
    },
    options?: CallOptions,
  ): Promise<DeleteEcosystemAccountsResponse>
  /** Calls per route and client, most called first.
   *
   * **Callers:** platform administrator, service key
   *
   * Not documented elsewhere: nobody can switch off what is still called. */
  listUsage(
    input?: {
      /** Days to look back; 30 when absent, at most 365. */
      days?: number
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListUsageResponse>
  /** Calls day by day, per route or per client.
   *
   * **Callers:** platform administrator, service key
   *
   * Not documented elsewhere: whether the legacy version is called less and less shows over time alone. */
  listDailyUsage(
    input?: {
      /** Days to look back, today included; 30 when absent, at most 365. */
      days?: number
      /** route or client; route when absent. */
      by?: 'route' | 'client'
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListDailyUsageResponse>
  /** The caller's own account and member. MSG_602 when the account has no member any more.
   *
   * **Callers:** person */
  getProfile(options?: CallOptions): Promise<Profile>
  /** The calling administrator.
   *
   * **Callers:** platform administrator */
  getProfileAsAdmin(options?: CallOptions): Promise<AdminProfile>
  /** The same as SendResetEmail with another answer. Code and token are in it for services and administrators, and for everybody outside production; an anonymous caller in production gets null for both.
   *
   * **Callers:** public */
  requestReset(
    input: {
      body: RequestResetRequest
    },
    options?: CallOptions,
  ): Promise<RequestResetResponse>
  /** Checks the code, or the token, of a reset request without using it up. MSG_606 when it does not hold.
   *
   * **Callers:** public */
  checkResetRequest(
    input: {
      body: CheckResetRequestRequest
    },
    options?: CallOptions,
  ): Promise<CheckResetRequestResponse>
  /** Mails a 6-digit code and a link. The answer, and the time it takes, are the same for an unknown e-mail.
   *
   * **Callers:** public */
  sendResetEmail(
    input: {
      body: SendResetEmailRequest
    },
    options?: CallOptions,
  ): Promise<SendResetEmailResponse>
  /** Revokes all tokens of the user with an e-mail, and of the administrator with it. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  revokeTokensByEmail(
    input: {
      body: RevokeTokensByEmailRequest
    },
    options?: CallOptions,
  ): Promise<RevokeTokensByEmailResponse>
  /** Revokes all tokens of a user, or of an administrator, named by id. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  deleteUserTokens(
    input: {
      /** User id. */
      userId: string
    },
    options?: CallOptions,
  ): Promise<DeleteUserTokensResponse>
}

export const legacyauthRoutes: Routes<LegacyauthOperations> = {
  changeMail: {
    verb: 'PUT',
    path: '/auth/change_mail',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  deleteAccount: {
    verb: 'DELETE',
    path: '/auth/delete/{email}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  inviteAccount: {
    verb: 'POST',
    path: '/auth/invitation',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  login: {
    verb: 'POST',
    path: '/auth/login/{type}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  loginAsAdmin: {
    verb: 'POST',
    path: '/auth/loginAsAdmin',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  refresh: {
    verb: 'POST',
    path: '/auth/refresh',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  registerTemp: {
    verb: 'POST',
    path: '/auth/registerTemp',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: true,
  },
  revokeRefreshTokens: {
    verb: 'POST',
    path: '/auth/revokeRefreshTokens',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  setLoginData: {
    verb: 'POST',
    path: '/auth/set-login-data',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  resetPassword: {
    verb: 'PUT',
    path: '/user/change/Password',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: true,
  },
  changePasswordByAdmin: {
    verb: 'POST',
    path: '/user/change/Password/by/admin',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  changePassword: {
    verb: 'PUT',
    path: '/user/changePassword',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  checkResetCode: {
    verb: 'POST',
    path: '/user/check/reset/code',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  deleteEcosystemAccounts: {
    verb: 'DELETE',
    path: '/user/ecosystem/delete',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listUsage: {
    verb: 'GET',
    path: '/user/legacyUsage',
    query: ['days', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listDailyUsage: {
    verb: 'GET',
    path: '/user/legacyUsage/daily',
    query: ['days', 'by', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getProfile: {
    verb: 'GET',
    path: '/user/profile',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getProfileAsAdmin: {
    verb: 'GET',
    path: '/user/profileAsAdmin',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  requestReset: {
    verb: 'POST',
    path: '/user/reset_password/request',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  checkResetRequest: {
    verb: 'POST',
    path: '/user/reset_password/request/check',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  sendResetEmail: {
    verb: 'POST',
    path: '/user/sentreset/email',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: true,
  },
  revokeTokensByEmail: {
    verb: 'POST',
    path: '/user/tokens/revoke',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  deleteUserTokens: {
    verb: 'DELETE',
    path: '/user/tokens/{userId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
}
