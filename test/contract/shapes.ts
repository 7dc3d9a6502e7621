import type { Service } from './documents.ts'

/** A body of the outside contract: the route, then the fields of request and response in its notation. */
export type Shape = { service: Service; route: string; request: string; response: string }

/** Reads blocks of `METHOD path`, `< request`, `> response`; either of the last two may be missing. */
function shapes(service: Service, text: string): Shape[] {
  return text
    .trim()
    .split(/\n\s*(?=[A-Z]+ \/)/)
    .map(block => {
      const [route = '', ...rows] = block.split('\n').map(row => row.trim())
      const after = (sign: string): string => rows.find(row => row.startsWith(sign))?.slice(2) ?? ''
      return { service, route, request: after('< '), response: after('> ') }
    })
}

/** All bodies of the original contract. */
export const documentedShapes: Shape[] = [
  ...shapes(
    'auth',
    `
    POST /auth/login
    < {email, password}
    > {accessToken, refreshToken}
    POST /auth/refreshToken
    < {refreshToken}
    > {accessToken, refreshToken}
    POST /invitations/send
    < {email, role, workspaceId}
    POST /ecosystem/credentials
    > {apiKey, apiSecret, permissions}`,
  ),
  ...shapes(
    'legacyauth',
    `
    POST /auth/refresh
    < {refreshToken}
    > {accessToken, refreshToken}
    POST /auth/login/:type
    < {email, password}
    > {accessToken, refreshToken, isTmpPassword, isFirstLogin, requirePasswordChange}
    POST /auth/loginAsAdmin
    < {email, password}
    > {accessToken, refreshToken, admin: {id, email}}
    POST /auth/invitation
    < {email, password, memberId}
    > {success, user: {id, email, isTmpPassword, isFirstLogin}}
    POST /auth/set-login-data
    < {userId, isTmpPassword, isFirstLogin, isForced}
    PUT /auth/change_mail
    < {oldEmail, newEmail}
    POST /auth/revokeRefreshTokens
    < {userId}
    POST /user/check/reset/code
    < {email, code}
    > {success, data: {hashedToken, couponCode}}
    POST /user/change/Password/by/admin
    < {email}
    > {success, temporaryPassword, message}
    PUT /user/changePassword
    < {oldPassword, newPassword}
    > {success, msg, user: {isTmpPassword, isFirstLogin, isForced}}
    POST /user/reset_password/request
    < {email}
    > {email, generatedcode, tokenFrontRoute}
    DELETE /user/ecosystem/delete
    < {ecosystemId}
    POST /user/tokens/revoke
    < {email}`,
  ),
  ...shapes(
    'hotel',
    `
    POST /hotel/add
    < {name, address, city, country, phone, email, website, groupId, typeId, settingId, administrator: {email, firstName, lastName}, subscription: {plan}}
    > {id, name, workspace, chat_app_id, qr_link, payment_customer_id, subscription_status, settings: {id, timezone}, type: {id, name}, administrator: {id, email}}
    GET /hotel/get/all
    < {page, limit, groupId, city, isActive}
    > {data: {id, name, city, country, workspace, chat_app_id, subscription_status, group: {id, name}, type: {name}}, meta: {total, page, limit, totalPages}}
    GET /hotel/get/:id
    > {id, name, address, city, country, phone, email, website, workspace, chat_app_id, qr_link, payment_customer_id, subscription_status, group: {id, name}, settings: {timezone, currency, primary_color}, type: {name, icon}, createdAt, updatedAt}
    PATCH /hotel/update/:id
    < {name, address, city, country, phone, email, website, groupId, settingId, typeId, isActive}
    > {id, updatedAt}
    DELETE /hotel/delete/:id
    > {message, id}
    POST /group/add
    < {name, description, logo_url}
    > {id, name, description, logo_url, createdAt}
    GET /group/get/all
    > {data: {id, name, hotelsCount, logo_url, createdAt}}
    GET /group/get/:id
    > {id, name, description, logo_url, hotels: {id, name, city, subscription_status}, createdAt}
    POST /setting/add
    < {timezone, language, currency, check_in_time, check_out_time, enable_push, enable_email, enable_sms, primary_color, secondary_color}
    > {id, timezone, language, currency, check_in_time, check_out_time, enable_push, enable_email, enable_sms, primary_color, secondary_color, logo_url}
    PATCH /setting/update/:id
    < {timezone, language, currency, check_in_time, check_out_time, enable_push, enable_email, enable_sms, primary_color, secondary_color, logo_url}
    > {id, timezone, language, currency, check_in_time, check_out_time, enable_push, enable_email, enable_sms, primary_color, secondary_color, logo_url}
    POST /type/add
    < {name, description, icon}
    > {id, name, description, icon}
    GET /type/get/all
    > {data: {id, name, icon}}
    POST /chat/create-app
    < {hotelId, name}
    > {app_id, api_token, application_name, region}
    GET /chat/stats/:hotelId
    > {users_count, channels_count, messages_today, active_users_today}
    GET /weather/:city
    > {city, country, temperature, feels_like, humidity, description, icon, wind_speed, forecast: {date, temp_max, temp_min, description}}`,
  ),
  ...shapes(
    'media',
    `
    POST /media/upload
    > {fileUrl}`,
  ),
  ...shapes(
    'payment',
    `
    POST /sub/assign-subscription/
    < {customer_id, product_id}`,
  ),
  ...shapes(
    'member',
    `
    POST /members/
    < {firstName, lastName, email, phone, workspaceId, workspaceRole, superior, dashboardAccess}
    > {id, firstName, lastName, email, workspaces: {workspaceId, workspaceRole, permissionSlugs}, superior, dashboardAccess}
    GET /members/get/all
    < {workspaceId, workspaceRole, isActive, search, page, limit}
    > {data: {id, firstName, lastName, email, photo_url, workspaces, isActive}, meta: {total, page, limit}}
    GET /members/get/:id
    > {id, firstName, lastName, email, phone, photo_url, isSuperAdmin, dashboardAccess, manager: {id, firstName, lastName}, subordinates: {id, firstName, lastName}, workspaces: {workspaceId, workspaceName, workspaceRole, permissions, isAdmin}, ecosystems: {ecosystemId, role, permissions}, teams: {teamId, teamName, role}, departments: {departmentId, departmentName, role}}
    POST /members/add/hotel/member
    < {hotelId, email, firstName, lastName, dashboardAccess, isAdmin}
    GET /members/get/light/:email
    > {id, firstname, lastname, picture, hotelId, workspaces: {id, name, role}, roles, permissions, chatAccessToken, deleted_at}
    GET /members/get/with/:email
    > {id, firstname, lastname, picture, hotelId, workspaces: {id, name, role}, roles, permissions, chatAccessToken, deleted_at}
    GET /members/hierarchy/:id
    > {member: {id, firstName, lastName}, manager: {id, firstName, lastName}, subordinates: {id, firstName, lastName, subordinates: {id}}}
    PUT /members/registered/update
    < {memberId}
    POST /sessions
    < {memberId, userAgent, ip, appType, isActive}
    POST /workspaces/
    < {name, description, ecosystemId, ecosystemType, isDefault, settings: {timezone, language}}
    GET /workspaces/get/:id
    > {id, name, description, ecosystemId, logo_url, isActive, members: {memberId, firstName, lastName, workspaceRole, permissions}, teams: {id, name, membersCount}, departments: {id, name, membersCount}, roles: {id, name, slug, isSystem}}
    POST /workspaces/:id/add-member
    < {memberId, workspaceRole, permissions}
    POST /roles/
    < {workspaceId, name, slug, description, permissions}
    GET /roles/workspace/:workspaceId
    > {data: {id, name, slug, isSystem, isDefault, permissions: {slug, name, category}}}
    POST /roles/:id/add-permission
    < {permissionSlug}
    GET /permissions/all
    > {data: {id, slug, name, description, category, resource, action, level}, categories}
    GET /permissions/member/:memberId/workspace/:workspaceId
    > {memberId, workspaceId, workspaceRole, permissions, source: {role, direct}}
    POST /teams/
    < {workspaceId, name, description, color, icon, leaderId}
    POST /departments/
    < {workspaceId, name, description, code, parentId, managerId}
    GET /departments/workspace/:workspaceId
    > {data: {id, name, code, manager: {id, firstName, lastName}, membersCount, subDepartments: {id, name, code, membersCount}}}
    POST /onboarding/invite
    < {email, firstName, lastName, workspaceId, ecosystemId, workspaceRole, permissions}
    > {id, email, token, status, expiresAt, invitationLink}
    GET /onboarding/get/all
    < {status}
    GET /analytics/workspace/:id
    > {workspaceId, members: {total, active, pending, byRole}, teams: {total, averageSize}, departments: {total}, activity: {newMembersThisMonth, activeToday}}
    POST /sync/members
    < {workspaceId}
    > {members: {id, firstName, lastName, email, photo_url}, syncedAt}
    GET /export/members/workspace/:workspaceId
    < {format}
    POST /bulk/add-members
    < {workspaceId, members: {email, firstName, lastName, workspaceRole}}`,
  ),
  ...shapes(
    'news',
    `
    POST /api/v1/pages
    < {title, content, excerpt, pageType, categoryId, parentId, workspaceId, medias: {fileUrl, thumbnailUrl, type}, enableComments, enableNotifications, status}
    > {id, title, content, pageType, status, publishedAt, createdBy: {id, firstName, lastName, photo_url}, category: {id, name, icon}, viewCount, likeCount, commentCount}
    GET /api/v1/pages
    < {workspaceId, page, limit, pageType, categoryId, status, search, sortBy, sortOrder}
    > {data: {id, title, excerpt, pageType, status, publishedAt, createdBy: {firstName, lastName}, category: {name, icon}, medias: {fileUrl, thumbnailUrl, type}, viewCount, likeCount, commentCount, isPinned}, meta: {total, page, limit, totalPages}}
    GET /api/v1/pages/:id
    > {id, title, content, excerpt, pageType, status, publishedAt, parent: {id, title}, children: {id, title}, category: {id, name, icon, color}, createdBy, medias, viewCount, likeCount, commentCount, userInteractions: {hasLiked, hasViewed, isFavorite, isBookmarked}, isPinned, enableComments, enableLikes}
    POST /api/v1/pages/:id/publish
    > {id, status, publishedAt}
    POST /api/v1/pages/:id/schedule
    < {scheduledAt}
    GET /api/v1/pages/:id/hierarchy
    > {breadcrumb: {id, title}, children}
    POST /api/v1/comments
    < {pageId, content, parentId}
    > {id, content, pageId, member: {id, firstName, lastName, photo_url}, likeCount, replies, createdAt}
    GET /api/v1/comments/page/:pageId
    > {data: {id, content, member, likeCount, replies: {id, content, member, likeCount, createdAt}, createdAt}, total}
    POST /api/v1/likes
    < {pageId, reactionType}
    > {id, pageId, reactionType, createdAt}
    GET /api/v1/likes/page/:pageId
    > {total, breakdown, members: {member: {firstName, lastName}, reactionType}}
    POST /api/v1/categories
    < {name, slug, description, icon, color, workspaceId, order}
    > {id, name, slug, description, icon, color, workspaceId, order, isActive}
    POST /api/v1/templates
    < {name, description, pageType, content, workspaceId}
    > {id, name, description, content, workspaceId, pageType, usageCount, isActive}
    POST /api/v1/pins
    < {pageId, workspaceId, order, expiresAt}
    > {id, pageId, workspaceId, pinnedBy, order, expiresAt}
    GET /api/v1/analytics/page/:id
    > {pageId, views: {total, unique, byDay: {date, count}}, likes: {total, breakdown}, comments: {total}, engagement: {rate, averageReadTime}}
    GET /api/v1/analytics/workspace/:workspaceId
    > {pages: {total, published, drafts}, interactions: {views, likes, comments}, topPages: {id, title, views, engagement}, topCategories: {id, name, pageCount}}`,
  ),
  ...shapes(
    'notification',
    `
    GET /api/v1/notifications
    < {isRead, type, page, limit}
    > {data: {id, type, category, title, body, actor: {id, firstName, lastName, photo_url}, data, isRead, createdAt}, meta: {total, unread, page, limit}}
    GET /api/v1/notifications/unread-count
    > {count, byType}
    GET /api/v1/preferences
    > {memberId, isGlobalSilent, doNotDisturb, quietHours: {enabled, start, end, timezone}, categoryPrefs}
    PATCH /api/v1/preferences
    < {quietHours: {enabled, start, end, timezone}, categoryPrefs}
    POST /api/v1/preferences/do-not-disturb
    < {duration}
    POST /api/v1/subscriptions
    < {deviceToken, platform, deviceType, appVersion, deviceModel, osVersion, workspaceId}
    GET /api/v1/analytics/notifications
    > {period, sent, delivered, read, clicked, byChannel: {push: {sent, delivered, rate}, email: {sent, delivered, rate}, socket: {sent, delivered, rate}}, byType, engagementRate}`,
  ),
]
