import { z } from 'zod'
import { address, type Environment, secret, settings } from '../kernel/config.ts'

/** Settings of the member service (document 2, "Configuration names"). */
export const memberConfig = (env: Environment) =>
  settings(env, 'MEMBER', {
    DATABASE_URL: address('mysql'),
    PASSWORD_ENCRYPTION_KEY: secret,
    FRONT_BASE_URL: z.string().default('http://localhost:8080'),
    FRONT_INVITATION_SUFFIX: z.string().default('/invitation'),
  })
