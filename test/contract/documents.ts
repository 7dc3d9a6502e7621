/** The services of the outside contract, by proto package, with the port of their routes. */
export const ports = {
  auth: 3000,
  member: 3001,
  hotel: 3002,
  media: 3003,
  news: 3004,
  legacyauth: 3005,
  notification: 3005,
  // The contract names no port for it.
  payment: 3006,
} as const

/** A service by its proto package. */
export type Service = keyof typeof ports

/** A route that the contract names. */
export type Documented = {
  service: Service
  method: string
  /** As in the contract. */
  path: string
  /** True when the edge answers by itself, without an RPC. */
  isAnsweredByEdge: boolean
}

const line = /^(?<method>GET|POST|PUT|PATCH|DELETE) (?<path>\/\S*)(?<edgeMark> \(edge\))?$/

/** Reads lines such as `POST /auth/login`; ` (edge)` marks a route without an RPC. */
function routes(service: Service, text: string): Documented[] {
  return text
    .trim()
    .split('\n')
    .map(row => {
      const { method, path, edgeMark } = line.exec(row.trim())?.groups ?? {}
      if (!method || !path) throw new Error(`Not a route: ${row}`)
      return { service, method, path, isAnsweredByEdge: edgeMark !== undefined }
    })
}

/** Every method and path of the original contract. */
export const documentedRoutes: Documented[] = [
  // Health, the routes of both versions of sign-in, and those of the modern one.
  ...routes(
    'auth',
    `
    GET /health (edge)
    POST /auth/register
    POST /auth/login
    POST /auth/refreshToken
    POST /auth/logout
    POST /auth/verify-email
    GET /users/me
    PATCH /users/me
    DELETE /users/me
    POST /password/forgot
    POST /password/reset
    POST /password/change
    POST /users/signUp
    POST /invitations/send
    POST /invitations/accept
    GET /invitations
    POST /ecosystem/credentials
    GET /ecosystem/credentials/:ecosystemId
    DELETE /ecosystem/credentials/:id`,
  ),
  // The routes of both versions of sign-in, and those of the legacy one.
  ...routes(
    'legacyauth',
    `
    GET /health (edge)
    GET /docs/ (edge)
    POST /auth/login/:type
    POST /auth/refresh
    GET /user/profile
    POST /user/sentreset/email
    PUT /user/change/Password
    PUT /user/changePassword
    POST /auth/loginAsAdmin
    POST /auth/invitation
    POST /auth/set-login-data
    DELETE /auth/delete/:email
    PUT /auth/change_mail
    POST /auth/revokeRefreshTokens
    POST /user/check/reset/code
    POST /user/change/Password/by/admin
    POST /user/reset_password/request
    POST /user/reset_password/request/check
    DELETE /user/ecosystem/delete
    DELETE /user/tokens/:userId
    POST /user/tokens/revoke
    GET /user/profileAsAdmin`,
  ),
  ...routes(
    'hotel',
    `
    GET /health (edge)
    POST /hotel/add
    GET /hotel/get/all
    GET /hotel/get/:id
    PATCH /hotel/update/:id
    DELETE /hotel/delete/:id
    POST /group/add
    GET /group/get/all
    GET /group/get/:id
    POST /setting/add
    GET /setting/get/all
    PATCH /setting/update/:id
    POST /type/add
    GET /type/get/all
    POST /chat/create-app
    GET /chat/stats/:hotelId
    GET /weather/:city`,
  ),
  // Of media and payment the contract names only the routes that the hotel service calls.
  ...routes(
    'media',
    `
    GET /health (edge)
    POST /media/upload`,
  ),
  ...routes(
    'payment',
    `
    GET /health (edge)
    POST /sub/assign-subscription/`,
  ),
  ...routes(
    'member',
    `
    GET /health (edge)
    POST /members/
    GET /members/get/all
    GET /members/get/:id
    PATCH /members/update/:id
    DELETE /members/delete/:id
    GET /members/get/with/:email
    GET /members/get/light/:email
    POST /members/add/hotel/member
    GET /members/get/by/hotel_id/:id
    GET /members/hierarchy/:id
    PUT /members/registered/update
    POST /sessions
    POST /workspaces/
    GET /workspaces/get/all
    GET /workspaces/get/:id
    POST /workspaces/:id/add-member
    DELETE /workspaces/:workspaceId/remove-member/:memberId
    POST /roles/
    GET /roles/workspace/:workspaceId
    PATCH /roles/:id
    POST /roles/:id/add-permission
    DELETE /roles/:id/remove-permission/:permissionSlug
    GET /permissions/all
    POST /permissions/
    GET /permissions/member/:memberId/workspace/:workspaceId
    POST /teams/
    GET /teams/workspace/:workspaceId
    POST /teams/:id/add-member
    GET /teams/:id/members
    POST /departments/
    GET /departments/workspace/:workspaceId
    POST /onboarding/invite
    GET /onboarding/get/all
    POST /onboarding/accept/:token
    DELETE /onboarding/cancel/:id
    GET /settings/member/:id
    PATCH /settings/member/:id
    GET /analytics/workspace/:id
    POST /sync/members
    POST /members/sync
    GET /export/members/workspace/:workspaceId
    POST /bulk/add-members
    POST /bulk/update-roles
    POST /bulk/assign-permissions`,
  ),
  ...routes(
    'news',
    `
    GET /health (edge)
    GET /docs (edge)
    POST /api/v1/pages
    GET /api/v1/pages
    GET /api/v1/pages/:id
    PATCH /api/v1/pages/:id
    DELETE /api/v1/pages/:id
    POST /api/v1/pages/:id/publish
    POST /api/v1/pages/:id/schedule
    GET /api/v1/pages/:id/hierarchy
    POST /api/v1/pages/from-template/:templateId
    POST /api/v1/comments
    GET /api/v1/comments/page/:pageId
    PATCH /api/v1/comments/:id
    DELETE /api/v1/comments/:id
    POST /api/v1/comments/:id/like
    POST /api/v1/likes
    DELETE /api/v1/likes/:pageId
    GET /api/v1/likes/page/:pageId
    POST /api/v1/categories
    GET /api/v1/categories/workspace/:workspaceId
    PATCH /api/v1/categories/:id
    DELETE /api/v1/categories/:id
    POST /api/v1/templates
    GET /api/v1/templates/workspace/:workspaceId
    POST /api/v1/pins
    GET /api/v1/pins/workspace/:workspaceId
    DELETE /api/v1/pins/:pageId
    GET /api/v1/analytics/page/:id
    GET /api/v1/analytics/workspace/:workspaceId
    POST /sync/members`,
  ),
  ...routes(
    'notification',
    `
    GET /health (edge)
    GET /api/v1/notifications
    GET /api/v1/notifications/unread-count
    PATCH /api/v1/notifications/:id/read
    POST /api/v1/notifications/read-all
    DELETE /api/v1/notifications/:id
    GET /api/v1/preferences
    PATCH /api/v1/preferences
    POST /api/v1/preferences/global-silence
    POST /api/v1/preferences/do-not-disturb
    POST /api/v1/subscriptions
    GET /api/v1/subscriptions
    DELETE /api/v1/subscriptions/:deviceToken
    GET /api/v1/analytics/notifications`,
  ),
]
