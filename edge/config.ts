import { z } from 'zod'
import type { RestService } from '../gen/catalogue.ts'
import { frontAddress } from '../services/kernel/base/front-link.ts'
import {
  address,
  ConfigError,
  type Environment,
  integer,
  readSettings,
  vapidPublicKey,
} from '../services/kernel/process/config.ts'
import { isProduction, modeOf } from '../services/kernel/process/mode.ts'
import { type Origins, originsOf } from './http/origins.ts'
import { defaultLimits } from './live/sockets/limits.ts'

/** Default port of each REST service, and its setting. */
export const listeners: Record<RestService, { setting: string; port: number; health: string; owner: string }> = {
  auth: { setting: 'AUTH_PORT', port: 3000, health: 'authentication-service', owner: 'auth' },
  member: { setting: 'MEMBER_PORT', port: 3001, health: 'member-service', owner: 'member' },
  hotel: { setting: 'HOTEL_PORT', port: 3002, health: 'hotel-service', owner: 'hotel' },
  media: { setting: 'MEDIA_PORT', port: 3003, health: 'media-service', owner: 'media' },
  news: { setting: 'NEWS_PORT', port: 3004, health: 'news-service', owner: 'news' },
  notification: { setting: 'NOTIFICATION_PORT', port: 3005, health: 'notification-service', owner: 'notification' },
  legacyauth: { setting: 'LEGACY_AUTH_PORT', port: 3005, health: 'legacy-authentication-service', owner: 'auth' },
  payment: { setting: 'PAYMENT_PORT', port: 3006, health: 'payment-service', owner: 'payment' },
}

/** Port of the operator's console. */
export const consoleListener = { setting: 'CONSOLE_PORT', port: 3007, name: 'operator-console' }

/** Port of the web client. */
export const frontListener = { setting: 'FRONT_PORT', port: 8080, name: 'web-client' }

/** The settings of every port that the edge opens. */
export const portSettings: string[] = [
  ...new Set([...Object.values(listeners), consoleListener, frontListener].map(({ setting }) => setting)),
]

const shape = {
  CONSOLE_PORT: integer(0, 65_535).default(3007),
  FRONT_PORT: integer(0, 65_535).default(8080),
  FRONT_CLIENT: z.enum(['on', 'off']).default('on'),
  EDGE_HOST: z.string().default('127.0.0.1'),
  CORS_ORIGINS: z.string().default(''),
  FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
  SANDBOX_PORT: integer(0, 65_535).default(3010),
  SANDBOX_PUBLIC_URL: address('http', 'https').optional(),
  TRUST_PROXY_HOPS: integer(0, 10).default(0),
  EDGE_MAX_CALLS: integer(10, 100_000).default(2_000),
  EDGE_MAX_SOCKETS: integer(2, 1_000_000).default(defaultLimits.sockets),
  // The media service's limit. The edge needs it to stop uploads that it spools to disk.
  MEDIA_MAX_FILE_MO: integer(1, 1_000).default(100),
  LEGACY_DEPRECATED_SINCE: z.iso.date().default('2026-01-01'),
  LEGACY_SUNSET: z.iso.date().default('2027-12-31'),
  AUTH_PUBLIC_URL: address('http', 'https').optional(),
  VAPID_PUBLIC_KEY: vapidPublicKey.optional(),
}

export type EdgeConfig = {
  host: string
  /** The origins allowed to call: those listed, and the front end's. */
  origins: Origins
  trustProxyHops: number
  /** Maximum of concurrent calls; further ones are refused. */
  maxCalls: number
  /** Maximum of open sockets; further ones are refused. */
  maxSockets: number
  /** Maximum size of an uploaded file, in bytes. */
  maxFileBytes: number
  /** First day of the legacy routes' deprecation, and their last day. */
  deprecatedSince: string
  sunset: string
  /** Public address of the modern authentication service; by default its own listener. */
  authPublicUrl: string | undefined
  development: boolean
  /** Whether sockets may send their token in the URL. Not in production, where URLs appear in many logs. */
  takesQueryTokens: boolean
  ports: Record<RestService, number>
  consolePort: number
  /** Port of the web client; undefined when it is off. */
  frontPort: number | undefined
  /** Address of the sandbox, which runs in development only. */
  sandboxUrl: string
  /** FRONT_BASE_URL. */
  frontAddress: string
  /** Public key for web push; without it the web client offers none. */
  webPushKey: string | undefined
}

/** The edge's settings, checked once. */
export function edgeConfig(env: Environment): EdgeConfig {
  const config = readSettings(env, '', shape)
  const names = Object.keys(listeners) as RestService[]
  const portShape = Object.fromEntries(
    names.map(name => [listeners[name].setting, integer(0, 65_535).default(listeners[name].port)]),
  )
  const portValues = readSettings(env, '', portShape) as Record<string, number>
  const ports = Object.fromEntries(names.map(name => [name, portValues[listeners[name].setting] ?? 0]))
  return {
    host: config.EDGE_HOST,
    origins: allowedOrigins(config),
    trustProxyHops: config.TRUST_PROXY_HOPS,
    maxCalls: config.EDGE_MAX_CALLS,
    maxSockets: config.EDGE_MAX_SOCKETS,
    maxFileBytes: config.MEDIA_MAX_FILE_MO * 1_000_000,
    deprecatedSince: config.LEGACY_DEPRECATED_SINCE,
    sunset: config.LEGACY_SUNSET,
    authPublicUrl: config.AUTH_PUBLIC_URL?.replace(/\/+$/, ''),
    development: modeOf(env) === 'development',
    takesQueryTokens: !isProduction(env),
    ports: ports as Record<RestService, number>,
    consolePort: config.CONSOLE_PORT,
    frontPort: config.FRONT_CLIENT === 'on' ? config.FRONT_PORT : undefined,
    sandboxUrl: config.SANDBOX_PUBLIC_URL ?? `http://127.0.0.1:${config.SANDBOX_PORT}`,
    frontAddress: config.FRONT_BASE_URL,
    webPushKey: config.VAPID_PUBLIC_KEY,
  }
}

function allowedOrigins({ CORS_ORIGINS, FRONT_BASE_URL }: { CORS_ORIGINS: string; FRONT_BASE_URL: string }): Origins {
  try {
    return originsOf(CORS_ORIGINS, FRONT_BASE_URL)
  } catch (error) {
    throw new ConfigError(`invalid settings:\n  CORS_ORIGINS: ${error instanceof Error ? error.message : ''}`)
  }
}
