// Written by npm run gen.
import type { Service } from './services.ts'

/** The routing keys that each service publishes. */
export const emitted: Record<Service, readonly string[]> = {
  auth: [
    'platform.auth.user.created',
    'platform.auth.user.deleted',
    'platform.auth.user.sessions_revoked',
    'platform.authentication.ecosystem_deleted',
    'platform.authentication.email_changed',
    'platform.authentication.login_data_set',
    'platform.authentication.password_changed',
    'platform.authentication.reset_requested',
    'platform.authentication.signed_in',
    'platform.authentication.tokens_revoked',
    'platform.authentication.user_deleted',
    'platform.authentication.user_invited',
    'platform.notification.socket',
    'platform.webhook.report-error',
  ],
  member: [
    'member.onboarding',
    'platform.member.access_changed',
    'platform.member.role_updated',
    'platform.notification.member.deleted',
    'platform.notification.member.onboarding',
    'platform.notification.member.registered',
    'platform.notification.member.updated',
    'platform.notification.workspace.created',
    'platform.notification.workspace.member_joined',
    'platform.notification.workspace.member_left',
  ],
  hotel: [
    'platform.hotel.settings_updated',
    'platform.hotel.subscription_status',
    'platform.notification.hotel.created',
    'platform.notification.hotel.deleted',
    'platform.notification.hotel.updated',
    'platform.storage.media',
  ],
  media: [],
  news: [
    'platform.notification.comment.created',
    'platform.notification.comment.deleted',
    'platform.notification.like.created',
    'platform.notification.page.created',
    'platform.notification.page.deleted',
    'platform.notification.page.reminded',
    'platform.notification.page.updated',
  ],
  notification: [],
  payment: ['platform.payment.subscription_changed'],
}
