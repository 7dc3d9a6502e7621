import { type Environment, settings } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

export const newsConfig = (env: Environment) =>
  settings(env, 'NEWS', {
    DATABASE_URL: databaseAddress,
    MEMBER_DATABASE_URL: databaseAddress,
  })
