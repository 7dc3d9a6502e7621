import { z } from 'zod'
import { address, type Environment, secret, settings } from '../kernel/config.ts'

/** Settings of the member service (document 2, "Configuration names"). */
export const memberConfig = (env: Environment) =>
  settings(env, 'MEMBER', {
    DATABASE_URL: address('mysql'),
    PASSWORD_ENCRYPTION_KEY: secret,
    FRONT_BASE_URL: z.string().default('http://127.0.0.1:3000'),
    FRONT_INVITATION_SUFFIX: z.string().default('/invitation'),
  })
