import { z } from 'zod'
import { frontAddress } from '../kernel/base/front-link.ts'
import { address, type Environment, integer, readSettings, storageKey } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

/** Settings of the hotel service; HOTEL_NAME takes precedence over NAME. */
export const hotelConfig = (env: Environment) =>
  readSettings(env, 'HOTEL', {
    DATABASE_URL: databaseAddress,
    PASSWORD_ENCRYPTION_KEY: storageKey,
    PASSWORD_ENCRYPTION_KEY_PREVIOUS: storageKey.optional(),
    PASSWORD_ENCRYPTION_KEY_NEXT: storageKey.optional(),
    FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
    CHAT_BASE_URL: address('http', 'https').default('https://gate.sendbird.com'),
    CHAT_ORGANIZATION_TOKEN: z.string().default(''),
    WEATHER_BASE_URL: address('http', 'https').default('https://api.openweathermap.org'),
    WEATHER_API_KEY: z.string().default(''),
    /** How long an answer of the weather provider is cached. */
    WEATHER_FRESH_SECONDS: integer(0, 86_400).default(600),
    /** Longest wait for another service, which may itself be retrying a provider. */
    SETUP_ANSWER_MS: integer(1, 60_000).default(30_000),
    /** Lease of a run; without renewal, another process takes it over after this time. */
    SETUP_LEASE_SECONDS: integer(1, 300).default(10),
    /** First delay before a failed step is retried; doubles each time, up to five minutes. */
    SETUP_RETRY_MS: integer(1, 60_000).default(1_000),
    /** Attempts after which a run is parked for an operator. */
    SETUP_ATTEMPTS: integer(1, 1_000).default(20),
    /** Delay before an undo checks a second time for the late effect of an unanswered call. */
    SETUP_LOOK_AGAIN_MS: integer(0, 60_000).default(10_000),
    /** Days after which a finished run is deleted. */
    SETUP_KEPT_DAYS: integer(1, 3_650).default(90),
    /** Interval at which deleted hotels are checked for the end of their grace period. */
    END_LOOK_MS: integer(10, 86_400_000).default(60_000),
    /** Grace period in which a deleted hotel can be restored. */
    RESTORE_DAYS: integer(0, 3_650).default(30),
  })
