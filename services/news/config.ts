import { address, type Environment, settings } from '../kernel/config.ts'

/** Settings of the news service (document 3, "Configuration names"). */
export const newsConfig = (env: Environment) =>
  settings(env, 'NEWS', {
    DATABASE_URL: address('mysql'),
    MEMBER_DATABASE_URL: address('mysql'),
  })
