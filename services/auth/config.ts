import { z } from 'zod'
import { frontAddress } from '../kernel/base/front-link.ts'
import {
  type Environment,
  integer,
  liveKeys,
  readSettings,
  secret,
  storageKey,
  storageKeysOf,
} from '../kernel/process/config.ts'
import { isProduction } from '../kernel/process/mode.ts'
import { databaseAddress } from '../kernel/process/tls.ts'
import { acceptPassword } from './hashing/hashing.ts'

/** Whether common passwords are refused: in production, unless the setting says otherwise [D161]. */
function hasPasswordBlocklist(env: Environment): boolean {
  const { PASSWORD_BLOCKLIST } = readSettings(env, 'AUTH', { PASSWORD_BLOCKLIST: z.enum(['true', 'false']).optional() })
  return PASSWORD_BLOCKLIST === undefined ? isProduction(env) : PASSWORD_BLOCKLIST === 'true'
}

const administratorPassword = (hasBlocklist: boolean) =>
  z
    .string()
    .refine(password => isAcceptable(password, hasBlocklist), 'is too short, too long or too common')
    .optional()

function isAcceptable(password: string, hasBlocklist: boolean): boolean {
  try {
    acceptPassword(password, { email: '', path: '', hasBlocklist })
    return true
  } catch {
    return false
  }
}

const shape = {
  DATABASE_URL: databaseAddress,
  JWT_REFRESH_SECRET: secret,
  JWT_REFRESH_SECRET_PREVIOUS: secret.optional(),
  JWT_REFRESH_SECRET_NEXT: secret.optional(),
  PASSWORD_ENCRYPTION_KEY: storageKey,
  PASSWORD_ENCRYPTION_KEY_PREVIOUS: storageKey.optional(),
  PASSWORD_ENCRYPTION_KEY_NEXT: storageKey.optional(),
  FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
  FRONT_RESET_PASSWORD_SUFFIX: z.string().default('/reset-password'),
  FRONT_VERIFY_EMAIL_SUFFIX: z.string().default('/verify-email'),
  ACCESS_TOKEN_SECONDS: integer(5, 86_400).default(900),
  LEGACY_ACCESS_TOKEN_SECONDS: integer(5, 8_640_000).default(8_640_000),
  SESSION_MAX_DAYS: integer(1, 3_650).default(90),
  SIGN_IN_LIMIT: integer(1, 1_000_000).default(20),
  SIGN_IN_SUBJECT_LIMIT: integer(1, 1_000_000).default(20),
  SIGN_IN_WINDOW_SECONDS: integer(1, 86_400).default(900),
  ANONYMOUS_LIMIT: integer(1, 1_000_000).default(100),
  BOOTSTRAP_ADMIN_EMAIL: z.email().max(254).optional(),
}

export type Config = ReturnType<typeof readConfig>

/** The settings of the authentication service; AUTH_NAME takes precedence over NAME. */
export function readConfig(env: Environment) {
  const hasBlocklist = hasPasswordBlocklist(env)
  const config = readSettings(env, 'AUTH', {
    ...shape,
    BOOTSTRAP_ADMIN_PASSWORD: administratorPassword(hasBlocklist),
  })
  return {
    ...config,
    hasBlocklist,
    refreshSecrets: liveKeys(
      config.JWT_REFRESH_SECRET,
      config.JWT_REFRESH_SECRET_PREVIOUS,
      config.JWT_REFRESH_SECRET_NEXT,
    ),
    storageKeys: storageKeysOf(config),
    isProduction: isProduction(env),
  }
}

const day = 86_400_000

/** Lifetimes in ms. All but those of verification mails are fixed by docs/contract.md. */
export const lifetimes = {
  refreshToken: 7 * day,
  reset: day / 24,
  legacyReset: day,
  verification: 7 * day,
  createPassword: (4 * day) / 24,
}
