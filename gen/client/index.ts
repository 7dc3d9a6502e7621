// Written by npm run gen from gen/openapi/*.json; never edited.
import { type AuthOperations, authRoutes } from './auth.ts'
import { type HotelOperations, hotelRoutes } from './hotel.ts'
import { type LegacyauthOperations, legacyauthRoutes } from './legacyauth.ts'
import { type MediaOperations, mediaRoutes } from './media.ts'
import { type MemberOperations, memberRoutes } from './member.ts'
import { type NewsOperations, newsRoutes } from './news.ts'
import { type NotificationOperations, notificationRoutes } from './notification.ts'
import { type PaymentOperations, paymentRoutes } from './payment.ts'

/** Every operation of the platform, by service. */
export type Operations = {
  auth: AuthOperations
  hotel: HotelOperations
  legacyauth: LegacyauthOperations
  media: MediaOperations
  member: MemberOperations
  news: NewsOperations
  notification: NotificationOperations
  payment: PaymentOperations
}

export const routes = {
  auth: authRoutes,
  hotel: hotelRoutes,
  legacyauth: legacyauthRoutes,
  media: mediaRoutes,
  member: memberRoutes,
  news: newsRoutes,
  notification: notificationRoutes,
  payment: paymentRoutes,
}
