import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { frontAddress } from '../kernel/base/front-link.ts'
import {
  address,
  ConfigError,
  type Environment,
  integer,
  readSettings,
  storageKey,
  storageKeysOf,
  vapidPublicKey,
} from '../kernel/process/config.ts'
import { isProduction } from '../kernel/process/mode.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

const optional = z.string().optional()

const shape = {
  DATABASE_URL: databaseAddress,
  MEMBER_DATABASE_URL: databaseAddress,
  PASSWORD_ENCRYPTION_KEY: storageKey,
  PASSWORD_ENCRYPTION_KEY_PREVIOUS: storageKey.optional(),
  PASSWORD_ENCRYPTION_KEY_NEXT: storageKey.optional(),
  AMQP_QUEUE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default('notification_queue'),
  AMQP_ROUTING_KEYS: z.string().default('platform.notification.>'),
  NOTIFICATION_PREFETCH: integer(1, 10_000).default(128),
  NOTIFICATION_PARALLEL: integer(1, 1_000).default(32),
  NOTIFICATION_ACK_WAIT_MS: integer(1_000, 3_600_000).default(30_000),
  NOTIFICATION_PUBLIC_URL: address('http', 'https').default('http://127.0.0.1:3005'),
  FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
  DELIVERY_RETRY_DELAYS_MS: z
    .string()
    .regex(/^\d{1,6}(,\d{1,6})*$/, 'must be milliseconds, separated by commas')
    .default('1000,2000,4000'),
  DELIVERY_TIMEOUT_MS: integer(1, 60_000).default(5_000),
  DELIVERY_POLL_MS: integer(10, 60_000).default(1_000),
  MAIL_LIMIT_PER_HOUR: integer(1, 1_000_000).default(5),
  NOTIFICATIONS_KEPT_DAYS: integer(0, 36_500).default(0),
  DELIVERIES_KEPT_DAYS: integer(0, 36_500).default(0),
  WEBHOOK_DELIVERIES_KEPT_DAYS: integer(1, 36_500).default(30),
  WEBHOOKS_TO_LOOPBACK: z.enum(['true', 'false']).optional(),
  EMAIL_PROVIDER: z.enum(['sendgrid', 'smtp']).optional(),
  EMAIL_BASE_URL: address('http', 'https').default('https://api.sendgrid.com'),
  EMAIL_API_KEY: optional,
  SMTP_URL: address('smtp', 'smtps').optional(),
  EMAIL_FROM: z.string().default('no-reply@platform.example'),
  EMAIL_FROM_NAME: z.string().default('Platform'),
  ONESIGNAL_BASE_URL: address('http', 'https').default('https://onesignal.com'),
  ONESIGNAL_APP_ID: optional,
  ONESIGNAL_REST_KEY: optional,
  FCM_BASE_URL: address('http', 'https').default('https://fcm.googleapis.com'),
  FCM_TOKEN_URL: address('http', 'https').default('https://oauth2.googleapis.com/token'),
  FCM_PROJECT_ID: optional,
  FCM_CLIENT_EMAIL: optional,
  FCM_PRIVATE_KEY: optional,
  VAPID_PUBLIC_KEY: vapidPublicKey.optional(),
  VAPID_PRIVATE_KEY: optional,
  WEB_PUSH_SERVICES: z.string().default(''),
}

type VapidKeys = { VAPID_PUBLIC_KEY?: string | undefined; VAPID_PRIVATE_KEY?: string | undefined }

export type Config = ReturnType<typeof notificationConfig>

export function notificationConfig(env: Environment) {
  const read = readSettings(env, 'NOTIFICATION', shape)
  assertVapidKeys(read)
  return {
    ...read,
    secrets: storageKeysOf(read),
    pushServices: pushServicesOf(read.WEB_PUSH_SERVICES, isProduction(env)),
    webhookRules: {
      allowsHttp: !isProduction(env),
      allowsLoopback:
        read.WEBHOOKS_TO_LOOPBACK === undefined ? !isProduction(env) : read.WEBHOOKS_TO_LOOPBACK === 'true',
    },
    subjects: subjectsOf(read.AMQP_ROUTING_KEYS),
    retryDelays: read.DELIVERY_RETRY_DELAYS_MS.split(',').map(Number),
    publicUrl: read.NOTIFICATION_PUBLIC_URL.replace(/\/+$/, ''),
    /** SMTP if nothing else is configured. */
    emailProvider: read.EMAIL_PROVIDER ?? (read.SMTP_URL && !read.EMAIL_API_KEY ? 'smtp' : 'sendgrid'),
  }
}

/** The further push services, which are reached by TLS in production. */
function pushServicesOf(text: string, needsTls: boolean): string[] {
  const services = text
    .split(',')
    .map(service => service.trim())
    .filter(Boolean)
  if (!services.every(service => (needsTls ? /^https:\/\/[^/]+$/ : /^https?:\/\/[^/]+$/).test(service)))
    throw new ConfigError('invalid settings:\n  WEB_PUSH_SERVICES: must be origins https://…, separated by commas')
  return services
}

/** Throws unless both keys of web push are given and belong together: push services would refuse every push. */
function assertVapidKeys({ VAPID_PUBLIC_KEY: publicKey = '', VAPID_PRIVATE_KEY: privateKey = '' }: VapidKeys): void {
  const key = Buffer.from(privateKey, 'base64url')
  const pair = createECDH('prime256v1')
  if (key.length === 32) pair.setPrivateKey(key)
  if (publicKey !== (key.length === 32 ? pair.getPublicKey('base64url') : privateKey))
    throw new ConfigError('invalid settings:\n  VAPID_PRIVATE_KEY: is not the private key of VAPID_PUBLIC_KEY')
}

/** The subjects of events that notify nobody and change earlier notifications, by the suffix of their consumer. */
export const removalSubjects = {
  _news: 'platform.news.>',
  _invitations: 'platform.member.invitation_cancelled',
} as const

/** The consumer of the events that webhooks carry. */
export const webhookDurable = (queue: string): string => `${queue}_webhooks`
export const webhookSubject = 'platform.notification.>'

/** The subjects of AMQP_ROUTING_KEYS: `platform.notification.*` matches every depth. */
export const subjectsOf = (keys: string): string[] => keys.split(',').map(key => key.trim().replace(/\.[*#]$/, '.>'))
