// Written by npm run gen from gen/openapi/legacyauth.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** An administrator account. */
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
  /** Current e-mail address of the user. */
  oldEmail: string
  /** New e-mail address. */
  newEmail: string
  /** The caller's password; required when callers change their own address, ignored otherwise. */
  currentPassword?: string | null
}

/** The user with the new address. */
export type ChangeMailResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** User id. */
  userId: string
  /** New e-mail address, normalised. */
  email: string
}

/** Identifies the user. */
export type ChangePasswordByAdminRequest = {
  /** E-mail address. */
  email: string
}

/** The temporary password, which is also mailed. */
export type ChangePasswordByAdminResponse = {
  /** Always true. */
  success: boolean
  /** Temporary password. It must be changed at the next sign-in. */
  temporaryPassword: string
  /** Human-readable confirmation. */
  message: string
}

/** The old and the new password. */
export type ChangePasswordRequest = {
  /** Current password; MSG_622 when wrong. */
  oldPassword: string
  /** New password, 8 characters to 72 bytes. Production refuses common ones. */
  newPassword: string
}

/** Confirms the new password. */
export type ChangePasswordResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'MSG_620'
  /** The flags, all false. */
  user: LoginFlags | null
}

/** A reset request with its code. */
export type CheckResetCodeRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code, as a string or a number; required unless couponCode is given. */
  code?: string | null
  /** Encrypted token of the link; checked if given. */
  hashedToken?: string | null
  /** Alias of `code`. */
  couponCode?: string | null
}

/** The fields for the next step. */
export type CheckResetCodeResponse = {
  /** Always true. */
  success: boolean
  /** Fields for PUT /user/change/Password. */
  data: ResetProof | null
}

/** A reset request with one or both of its proofs. Each has two accepted names. */
export type CheckResetRequestRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code. */
  code?: string | null
  /** Alias of `code`. */
  couponCode?: string | null
  /** Encrypted token. */
  hashedToken?: string | null
  /** Alias of `hashedToken`. */
  token?: string | null
}

/** Confirms that the request is valid. */
export type CheckResetRequestResponse = {
  /** Always true. */
  success: boolean
  /** Fields for PUT /user/change/Password. */
  data: ResetProof | null
}

/** The deleted user. */
export type DeleteAccountResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** User id. */
  userId: string
}

/** Identifies the ecosystem. */
export type DeleteEcosystemAccountsRequest = {
  /** Ecosystem (hotel) id. */
  ecosystemId: string
}

/** Counts of deleted records; zeros for an ecosystem without users. */
export type DeleteEcosystemAccountsResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** Number of users deleted. */
  deletedUsers: number
  /** Number of refresh tokens revoked. */
  revokedTokens: number
  /** Number of sessions deleted. */
  deletedSessions: number
  /** Number of users who keep their account because they also belong to another ecosystem; they must sign in again. */
  keptUsers: number
}

/** The number of revoked tokens. */
export type DeleteUserTokensResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** Number of refresh tokens revoked. */
  revoked: number
}

/** The account to create or renew. */
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

/** Counts of calls. */
export type ListUsageResponse = {
  /** One row per route and client, highest count first; at most 1000. */
  data: RouteUsage[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** E-mail address and password of an administrator. Missing fields are refused with MSG_600, so none is required by the schema. */
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
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** The signed-in administrator. */
  admin: SignedInAdmin | null
}

/** The sign-in flags of an account. */
export type LoginFlags = {
  /** True while the password is temporary. */
  isTmpPassword: boolean
  /** True until the password is changed for the first time. */
  isFirstLogin: boolean
  /** True when the password must be changed at the next sign-in. */
  isForced: boolean
}

/** The tokens, flags and profile. */
export type LoginResponse = {
  /** Access token, valid for 2400 hours by default. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** True while the password is temporary. */
  isTmpPassword: boolean
  /** True for the first sign-in. */
  isFirstLogin: boolean
  /** True when the app should have the password changed first: it is temporary, this is the first sign-in, or an administrator requires it. Other calls aren't refused meanwhile. */
  requirePasswordChange: boolean
  /** The profile in the access token. */
  user: Profile | null
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

/** An account with its member, with the names of the legacy token claims. */
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
  /** URL of the picture. */
  picture: string | null
  /** Hotel id of the member. */
  hotelId: string | null
  /** Same as `hotelId`. */
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
  /** True for a platform administrator. */
  isAdmin: boolean
  /** True while the password is temporary. */
  isTmpPassword: boolean
  /** True until the password is changed for the first time. */
  isFirstLogin: boolean
  /** True when the password must be changed at the next sign-in. */
  isForced: boolean
}

/** A member's workspace. */
export type ProfileWorkspace = {
  /** Workspace id. */
  id: string
  /** Name of the workspace. */
  name: string
  /** Role slug of the member in the workspace. */
  role: string
}

/** The refresh token to exchange. */
export type RefreshRequest = {
  /** Refresh token from the previous answer. */
  refreshToken: string
}

/** The new pair. The refresh token of the request can't be used again. */
export type RefreshResponse = {
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
}

/** A create-password token and the password. */
export type RegisterTempRequest = {
  /** Create-password token of the member. */
  token: string
  /** Password, 8 characters to 72 bytes. Production refuses common ones. */
  password: string
}

/** The account with its tokens. */
export type RegisterTempResponse = {
  /** Always true. */
  success: boolean
  /** Access token. */
  accessToken: string
  /** Refresh token, valid for 7 days. It can be used once. */
  refreshToken: string
  /** The profile in the access token. */
  user: Profile | null
}

/** The account whose password was forgotten. */
export type RequestResetRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The reset request. */
export type RequestResetResponse = {
  /** E-mail address as sent. */
  email: string
  /** The 6-digit code; null for an anonymous caller in production. */
  generatedcode: string | null
  /** Encrypted token of the link; null for an anonymous caller in production. */
  tokenFrontRoute: string | null
}

/** A reset request with both proofs and the new password. Each has two accepted names. */
export type ResetPasswordRequest = {
  /** E-mail address of the account. */
  email: string
  /** The 6-digit code; required unless couponCode is given. */
  code?: string | null
  /** Alias of `code`. */
  couponCode?: string | null
  /** Encrypted token; required unless token is given. */
  hashedToken?: string | null
  /** Alias of `hashedToken`. */
  token?: string | null
  /** New password, 8 characters to 72 bytes; required unless password is given. */
  newPassword?: string | null
  /** Alias of `newPassword`. */
  password?: string | null
}

/** Confirms the new password. */
export type ResetPasswordResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'MSG_620'
}

/** Both proofs of a reset request, for the client to send in the next step. */
export type ResetProof = {
  /** Encrypted token of the request. */
  hashedToken: string
  /** The 6-digit code; null when only the token was presented. */
  couponCode: string | null
}

/** Identifies the user. */
export type RevokeRefreshTokensRequest = {
  /** User id. */
  userId: string
}

/** The number of revoked tokens. */
export type RevokeRefreshTokensResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** Number of refresh tokens revoked. */
  revoked: number
}

/** Identifies the user. */
export type RevokeTokensByEmailRequest = {
  /** E-mail address. */
  email: string
}

/** The number of revoked tokens. */
export type RevokeTokensByEmailResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** Number of refresh tokens revoked. */
  revoked: number
}

/** Calls of one route by one client. */
export type RouteUsage = {
  /** Method and path, such as POST /auth/login/:type. */
  route: string
  /** Origin of the web page, otherwise the product name in the User-Agent header; `unknown` without either. */
  client: string
  /** Number of calls in the period. */
  calls: number
  /** Time of the last call. */
  lastCalledAt: string | null
}

/** The account whose password was forgotten. */
export type SendResetEmailRequest = {
  /** E-mail address of the account. */
  email: string
}

/** The same for known and unknown e-mails. */
export type SendResetEmailResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'MSG_605'
}

/** The flags to set. Omitted flags are unchanged. */
export type SetLoginDataRequest = {
  /** User id. */
  userId: string
  /** Whether the password is temporary. */
  isTmpPassword?: boolean | null
  /** Whether the first sign-in is still pending. */
  isFirstLogin?: boolean | null
  /** Whether the password must be changed at the next sign-in. */
  isForced?: boolean | null
}

/** Whether the password is temporary. */
export type SetLoginDataResponse = {
  /** Always true. */
  success: boolean
  /** Message code. */
  msg: 'NO_MSG'
  /** The flags. */
  user: LoginFlags | null
}

/** A signed-in administrator. */
export type SignedInAdmin = {
  /** Administrator id. */
  id: string
  /** E-mail address, normalised. */
  email: string
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** An error of the legacy version: a message code. The request id is in the header `X-Request-Id`. */
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
}

/** Legacy authentication service. */
export type LegacyauthOperations = {
  /** Changes the e-mail address of a user at once. It is unverified until the link mailed there is opened, and the former address is notified. MSG_623 for an unknown user, 409 when another account or member has the new address.
   *
   * **Callers:** platform administrator, service key */
  changeMail(
    input: {
      body: ChangeMailRequest
    },
    options?: CallOptions,
  ): Promise<ChangeMailResponse>
  /** Deletes a user by e-mail, with all tokens and sessions. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  deleteAccount(
    input: {
      /** E-mail address. */
      email: string
    },
    options?: CallOptions,
  ): Promise<DeleteAccountResponse>
  /** Creates the account of a member, or renews it, with a temporary password that must be changed at the first sign-in. Renewing revokes all tokens of the user. MSG_602 for an unknown member, ConflictError when the member belongs to another account. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** platform administrator, service key */
  inviteAccount(
    input: {
      body: InviteAccountRequest
    },
    options?: CallOptions,
  ): Promise<InviteAccountResponse>
  /** Signs a member in to an app. MSG_600 without e-mail or password, MSG_601 for wrong credentials. With a correct password, MSG_602 without a member, MSG_603 or MSG_604 without access to that app, MSG_624 while another device is active. The first sign-in marks the member as registered.
   *
   * **Callers:** public */
  login(
    input: {
      /** App to sign in to: mobile or dashboard. */
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
  /** Signs a legacy Administrator in. MSG_600 without e-mail or password, MSG_601 for wrong credentials.
   *
   * **Callers:** public */
  loginAsAdmin(
    input: {
      body: LoginAsAdminRequest
    },
    options?: CallOptions,
  ): Promise<LoginAsAdminResponse>
  /** Exchanges a refresh token for a new pair. Reusing a token ends its session: MSG_601. The same once the member has no access to the app of the session.
   *
   * **Callers:** public */
  refresh(
    input: {
      body: RefreshRequest
    },
    options?: CallOptions,
  ): Promise<RefreshResponse>
  /** Creates the account of an invited member with the mailed create-password token, which is valid for 4 hours and can be used once. MSG_601 for an invalid token, MSG_602 when its member no longer exists. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** public
   *
   * Added to the original contract: the original contract names registerTemp without a path. */
  registerTemp(
    input: {
      body: RegisterTempRequest
    },
    options?: CallOptions,
  ): Promise<RegisterTempResponse>
  /** Revokes all tokens of a user or administrator. MSG_623 for an unknown user. People can revoke their own only; 403 otherwise.
   *
   * **Callers:** platform administrator, service key, person */
  revokeRefreshTokens(
    input: {
      body: RevokeRefreshTokensRequest
    },
    options?: CallOptions,
  ): Promise<RevokeRefreshTokensResponse>
  /** Sets the sign-in flags in the body, at least one. MSG_623 for an unknown user.
   *
   * **Callers:** platform administrator, service key */
  setLoginData(
    input: {
      body: SetLoginDataRequest
    },
    options?: CallOptions,
  ): Promise<SetLoginDataResponse>
  /** Sets the new password of a reset request, clears isTmpPassword and revokes all tokens of the user. MSG_606 unless code and token are both valid, MSG_620 on success.
   *
   * **Callers:** public */
  resetPassword(
    input: {
      body: ResetPasswordRequest
    },
    options?: CallOptions,
  ): Promise<ResetPasswordResponse>
  /** Sets a random temporary password for a user, mails it and revokes all tokens of the user. MSG_623 for an unknown user.
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
  /** Checks the code of a reset request and returns what the next step needs. MSG_606 when it is invalid.
   *
   * **Callers:** public */
  checkResetCode(
    input: {
      body: CheckResetCodeRequest
    },
    options?: CallOptions,
  ): Promise<CheckResetCodeResponse>
  /** Deletes all users of an ecosystem with their tokens and sessions, in one transaction. Users who also belong to another ecosystem, and platform administrators, keep their account but lose tokens and sessions.
   *
   * **Callers:** platform administrator, service key */
  deleteEcosystemAccounts(
    input: {
      body: DeleteEcosystemAccountsRequest
    },
    options?: CallOptions,
  ): Promise<DeleteEcosystemAccountsResponse>
  /** Counts calls by route and client, highest count first.
   *
   * **Callers:** platform administrator, service key
   *
   * Added to the original contract: shows when the legacy version can be removed. */
  listUsage(
    input?: {
      /** Number of days to look back, at most 365; 30 when absent. */
      days?: number
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListUsageResponse>
  /** Returns the caller's own account and member. MSG_602 when the account no longer has a member.
   *
   * **Callers:** person */
  getProfile(options?: CallOptions): Promise<Profile>
  /** Returns the calling administrator.
   *
   * **Callers:** platform administrator */
  getProfileAsAdmin(options?: CallOptions): Promise<AdminProfile>
  /** Mails a 6-digit code and a link like SendResetEmail, with a different answer. It contains code and token for services, for a bearer token of an administrator, and for all callers outside production; in production both are null for others.
   *
   * **Callers:** public */
  requestReset(
    input: {
      body: RequestResetRequest
    },
    options?: CallOptions,
  ): Promise<RequestResetResponse>
  /** Checks the code or the token of a reset request, which remains valid. MSG_606 when it is invalid. An e-mail has ten wrong codes an hour, over all steps of a reset.
   *
   * **Callers:** public */
  checkResetRequest(
    input: {
      body: CheckResetRequestRequest
    },
    options?: CallOptions,
  ): Promise<CheckResetRequestResponse>
  /** Mails a 6-digit code and a link. The answer and its duration don't reveal whether the e-mail is known.
   *
   * **Callers:** public */
  sendResetEmail(
    input: {
      body: SendResetEmailRequest
    },
    options?: CallOptions,
  ): Promise<SendResetEmailResponse>
  /** Revokes all tokens of the user and of the administrator with an e-mail. MSG_623 for an unknown user. People can revoke their own only; 403 otherwise.
   *
   * **Callers:** platform administrator, service key, person */
  revokeTokensByEmail(
    input: {
      body: RevokeTokensByEmailRequest
    },
    options?: CallOptions,
  ): Promise<RevokeTokensByEmailResponse>
  /** Revokes all tokens of a user or administrator by id. MSG_623 for an unknown user. People can revoke their own only; 403 otherwise.
   *
   * **Callers:** platform administrator, service key, person */
  deleteUserTokens(
    input: {
      /** User id. */
      userId: string
    },
    options?: CallOptions,
  ): Promise<DeleteUserTokensResponse>
}

export const legacyauthRoutes: ClientRoutes<LegacyauthOperations> = {
  changeMail: {
    verb: 'PUT',
    path: '/auth/change_mail',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  deleteAccount: {
    verb: 'DELETE',
    path: '/auth/delete/{email}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  inviteAccount: {
    verb: 'POST',
    path: '/auth/invitation',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  login: {
    verb: 'POST',
    path: '/auth/login/{type}',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  loginAsAdmin: {
    verb: 'POST',
    path: '/auth/loginAsAdmin',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  refresh: {
    verb: 'POST',
    path: '/auth/refresh',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  registerTemp: {
    verb: 'POST',
    path: '/auth/registerTemp',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: true,
  },
  revokeRefreshTokens: {
    verb: 'POST',
    path: '/auth/revokeRefreshTokens',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  setLoginData: {
    verb: 'POST',
    path: '/auth/set-login-data',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  resetPassword: {
    verb: 'PUT',
    path: '/user/change/Password',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: true,
  },
  changePasswordByAdmin: {
    verb: 'POST',
    path: '/user/change/Password/by/admin',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  changePassword: {
    verb: 'PUT',
    path: '/user/changePassword',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  checkResetCode: {
    verb: 'POST',
    path: '/user/check/reset/code',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  deleteEcosystemAccounts: {
    verb: 'DELETE',
    path: '/user/ecosystem/delete',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listUsage: {
    verb: 'GET',
    path: '/user/legacyUsage',
    query: ['days', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getProfile: {
    verb: 'GET',
    path: '/user/profile',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  getProfileAsAdmin: {
    verb: 'GET',
    path: '/user/profileAsAdmin',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  requestReset: {
    verb: 'POST',
    path: '/user/reset_password/request',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  checkResetRequest: {
    verb: 'POST',
    path: '/user/reset_password/request/check',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  sendResetEmail: {
    verb: 'POST',
    path: '/user/sentreset/email',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: true,
  },
  revokeTokensByEmail: {
    verb: 'POST',
    path: '/user/tokens/revoke',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  deleteUserTokens: {
    verb: 'DELETE',
    path: '/user/tokens/{userId}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
}
