import { type Environment, settings } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

/** Settings of the news service (document 3, "Configuration names"). */
export const newsConfig = (env: Environment) =>
  settings(env, 'NEWS', {
    DATABASE_URL: databaseAddress,
    MEMBER_DATABASE_URL: databaseAddress,
  })
