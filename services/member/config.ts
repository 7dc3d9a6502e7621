import { z } from 'zod'
import { frontAddress } from '../kernel/base/front-link.ts'
import { type Environment, integer, readSettings, storageKey } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

/** Settings of the member service. */
export const memberConfig = (env: Environment) =>
  readSettings(env, 'MEMBER', {
    DATABASE_URL: databaseAddress,
    PASSWORD_ENCRYPTION_KEY: storageKey,
    PASSWORD_ENCRYPTION_KEY_PREVIOUS: storageKey.optional(),
    PASSWORD_ENCRYPTION_KEY_NEXT: storageKey.optional(),
    /** Days after which entries of the audit log are deleted; 0 keeps them for ever. */
    AUDIT_KEPT_DAYS: integer(0, 36_500).default(0),
    FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
    FRONT_INVITATION_SUFFIX: z.string().default('/invitation'),
  })
