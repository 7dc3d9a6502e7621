import { type Environment, integer, readSettings } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

export const newsConfig = (env: Environment) =>
  readSettings(env, 'NEWS', {
    DATABASE_URL: databaseAddress,
    MEMBER_DATABASE_URL: databaseAddress,
    /** Days after which single views are deleted; 0 keeps them for ever. */
    VIEWS_KEPT_DAYS: integer(0, 36_500).default(0),
  })
