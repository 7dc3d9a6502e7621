// Written by npm run gen.
import type { DescFile, DescService } from '@bufbuild/protobuf'
import { file_platform_auth_v1_account_support } from './platform/auth/v1/account_support_pb.ts'
import { file_platform_auth_v1_accounts } from './platform/auth/v1/accounts_pb.ts'
import { file_platform_auth_v1_credentials } from './platform/auth/v1/credentials_pb.ts'
import { file_platform_auth_v1_invitations } from './platform/auth/v1/invitations_pb.ts'
import { file_platform_auth_v1_passwords } from './platform/auth/v1/passwords_pb.ts'
import { file_platform_auth_v1_sessions } from './platform/auth/v1/sessions_pb.ts'
import { file_platform_auth_v1_sign_in } from './platform/auth/v1/sign_in_pb.ts'
import { file_platform_auth_v1_users } from './platform/auth/v1/users_pb.ts'
import { file_platform_hotel_v1_chat } from './platform/hotel/v1/chat_pb.ts'
import { file_platform_hotel_v1_groups } from './platform/hotel/v1/groups_pb.ts'
import { file_platform_hotel_v1_hotels } from './platform/hotel/v1/hotels_pb.ts'
import { file_platform_hotel_v1_settings } from './platform/hotel/v1/settings_pb.ts'
import { file_platform_hotel_v1_setups } from './platform/hotel/v1/setups_pb.ts'
import { file_platform_hotel_v1_types } from './platform/hotel/v1/types_pb.ts'
import { file_platform_hotel_v1_weather } from './platform/hotel/v1/weather_pb.ts'
import { file_platform_legacyauth_v1_accounts } from './platform/legacyauth/v1/accounts_pb.ts'
import { file_platform_legacyauth_v1_passwords } from './platform/legacyauth/v1/passwords_pb.ts'
import { file_platform_legacyauth_v1_profiles } from './platform/legacyauth/v1/profiles_pb.ts'
import { file_platform_legacyauth_v1_sign_in } from './platform/legacyauth/v1/sign_in_pb.ts'
import { file_platform_legacyauth_v1_usage } from './platform/legacyauth/v1/usage_pb.ts'
import { file_platform_media_v1_media } from './platform/media/v1/media_pb.ts'
import { file_platform_member_v1_analytics } from './platform/member/v1/analytics_pb.ts'
import { file_platform_member_v1_audit } from './platform/member/v1/audit_pb.ts'
import { file_platform_member_v1_bulk } from './platform/member/v1/bulk_pb.ts'
import { file_platform_member_v1_departments } from './platform/member/v1/departments_pb.ts'
import { file_platform_member_v1_ecosystem_members } from './platform/member/v1/ecosystem_members_pb.ts'
import { file_platform_member_v1_export } from './platform/member/v1/export_pb.ts'
import { file_platform_member_v1_hotel_members } from './platform/member/v1/hotel_members_pb.ts'
import { file_platform_member_v1_hotel_workspaces } from './platform/member/v1/hotel_workspaces_pb.ts'
import { file_platform_member_v1_invitations } from './platform/member/v1/invitations_pb.ts'
import { file_platform_member_v1_member_settings } from './platform/member/v1/member_settings_pb.ts'
import { file_platform_member_v1_members } from './platform/member/v1/members_pb.ts'
import { file_platform_member_v1_onboarding } from './platform/member/v1/onboarding_pb.ts'
import { file_platform_member_v1_permissions } from './platform/member/v1/permissions_pb.ts'
import { file_platform_member_v1_profiles } from './platform/member/v1/profiles_pb.ts'
import { file_platform_member_v1_roles } from './platform/member/v1/roles_pb.ts'
import { file_platform_member_v1_sessions } from './platform/member/v1/sessions_pb.ts'
import { file_platform_member_v1_sync } from './platform/member/v1/sync_pb.ts'
import { file_platform_member_v1_teams } from './platform/member/v1/teams_pb.ts'
import { file_platform_member_v1_workspace_members } from './platform/member/v1/workspace_members_pb.ts'
import { file_platform_member_v1_workspaces } from './platform/member/v1/workspaces_pb.ts'
import { file_platform_news_v1_analytics } from './platform/news/v1/analytics_pb.ts'
import { file_platform_news_v1_categories } from './platform/news/v1/categories_pb.ts'
import { file_platform_news_v1_comments } from './platform/news/v1/comments_pb.ts'
import { file_platform_news_v1_digest } from './platform/news/v1/digest_pb.ts'
import { file_platform_news_v1_export } from './platform/news/v1/export_pb.ts'
import { file_platform_news_v1_likes } from './platform/news/v1/likes_pb.ts'
import { file_platform_news_v1_must_read } from './platform/news/v1/must_read_pb.ts'
import { file_platform_news_v1_page_preferences } from './platform/news/v1/page_preferences_pb.ts'
import { file_platform_news_v1_pages } from './platform/news/v1/pages_pb.ts'
import { file_platform_news_v1_pins } from './platform/news/v1/pins_pb.ts'
import { file_platform_news_v1_polls } from './platform/news/v1/polls_pb.ts'
import { file_platform_news_v1_revisions } from './platform/news/v1/revisions_pb.ts'
import { file_platform_news_v1_sync } from './platform/news/v1/sync_pb.ts'
import { file_platform_news_v1_templates } from './platform/news/v1/templates_pb.ts'
import { file_platform_news_v1_views } from './platform/news/v1/views_pb.ts'
import { file_platform_notification_v1_analytics } from './platform/notification/v1/analytics_pb.ts'
import { file_platform_notification_v1_dead_letters } from './platform/notification/v1/dead_letters_pb.ts'
import { file_platform_notification_v1_deliveries } from './platform/notification/v1/deliveries_pb.ts'
import { file_platform_notification_v1_export } from './platform/notification/v1/export_pb.ts'
import { file_platform_notification_v1_mail } from './platform/notification/v1/mail_pb.ts'
import { file_platform_notification_v1_notifications } from './platform/notification/v1/notifications_pb.ts'
import { file_platform_notification_v1_preferences } from './platform/notification/v1/preferences_pb.ts'
import { file_platform_notification_v1_subscriptions } from './platform/notification/v1/subscriptions_pb.ts'
import { file_platform_notification_v1_templates } from './platform/notification/v1/templates_pb.ts'
import { file_platform_notification_v1_webhooks } from './platform/notification/v1/webhooks_pb.ts'
import { file_platform_payment_v1_customers } from './platform/payment/v1/customers_pb.ts'
import { file_platform_payment_v1_plans } from './platform/payment/v1/plans_pb.ts'
import { file_platform_payment_v1_subscriptions } from './platform/payment/v1/subscriptions_pb.ts'
import { file_platform_payment_v1_webhooks } from './platform/payment/v1/webhooks_pb.ts'

const servicesOf = (...files: DescFile[]): DescService[] => files.flatMap(file => file.services)

/** The RPC services behind each documented REST service. */
export const catalogue = {
  auth: servicesOf(
    file_platform_auth_v1_account_support,
    file_platform_auth_v1_accounts,
    file_platform_auth_v1_credentials,
    file_platform_auth_v1_invitations,
    file_platform_auth_v1_passwords,
    file_platform_auth_v1_sessions,
    file_platform_auth_v1_sign_in,
    file_platform_auth_v1_users,
  ),
  hotel: servicesOf(
    file_platform_hotel_v1_chat,
    file_platform_hotel_v1_groups,
    file_platform_hotel_v1_hotels,
    file_platform_hotel_v1_settings,
    file_platform_hotel_v1_setups,
    file_platform_hotel_v1_types,
    file_platform_hotel_v1_weather,
  ),
  legacyauth: servicesOf(
    file_platform_legacyauth_v1_accounts,
    file_platform_legacyauth_v1_passwords,
    file_platform_legacyauth_v1_profiles,
    file_platform_legacyauth_v1_sign_in,
    file_platform_legacyauth_v1_usage,
  ),
  media: servicesOf(file_platform_media_v1_media),
  member: servicesOf(
    file_platform_member_v1_analytics,
    file_platform_member_v1_audit,
    file_platform_member_v1_bulk,
    file_platform_member_v1_departments,
    file_platform_member_v1_ecosystem_members,
    file_platform_member_v1_export,
    file_platform_member_v1_hotel_members,
    file_platform_member_v1_hotel_workspaces,
    file_platform_member_v1_invitations,
    file_platform_member_v1_member_settings,
    file_platform_member_v1_members,
    file_platform_member_v1_onboarding,
    file_platform_member_v1_permissions,
    file_platform_member_v1_profiles,
    file_platform_member_v1_roles,
    file_platform_member_v1_sessions,
    file_platform_member_v1_sync,
    file_platform_member_v1_teams,
    file_platform_member_v1_workspace_members,
    file_platform_member_v1_workspaces,
  ),
  news: servicesOf(
    file_platform_news_v1_analytics,
    file_platform_news_v1_categories,
    file_platform_news_v1_comments,
    file_platform_news_v1_digest,
    file_platform_news_v1_export,
    file_platform_news_v1_likes,
    file_platform_news_v1_must_read,
    file_platform_news_v1_page_preferences,
    file_platform_news_v1_pages,
    file_platform_news_v1_pins,
    file_platform_news_v1_polls,
    file_platform_news_v1_revisions,
    file_platform_news_v1_sync,
    file_platform_news_v1_templates,
    file_platform_news_v1_views,
  ),
  notification: servicesOf(
    file_platform_notification_v1_analytics,
    file_platform_notification_v1_dead_letters,
    file_platform_notification_v1_deliveries,
    file_platform_notification_v1_export,
    file_platform_notification_v1_mail,
    file_platform_notification_v1_notifications,
    file_platform_notification_v1_preferences,
    file_platform_notification_v1_subscriptions,
    file_platform_notification_v1_templates,
    file_platform_notification_v1_webhooks,
  ),
  payment: servicesOf(
    file_platform_payment_v1_customers,
    file_platform_payment_v1_plans,
    file_platform_payment_v1_subscriptions,
    file_platform_payment_v1_webhooks,
  ),
}

/** A REST service: the unit with its own port, health name and documentation. */
export type RestService = keyof typeof catalogue
