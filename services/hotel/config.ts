import { z } from 'zod'
import { frontAddress } from '../kernel/base/front-link.ts'
import { address, type Environment, integer, settings, storageKey } from '../kernel/process/config.ts'
import { databaseAddress } from '../kernel/process/tls.ts'

/** Settings of the hotel service; each is read as HOTEL_NAME first, then as NAME. */
export const hotelConfig = (env: Environment) =>
  settings(env, 'HOTEL', {
    DATABASE_URL: databaseAddress,
    PASSWORD_ENCRYPTION_KEY: storageKey,
    PASSWORD_ENCRYPTION_KEY_PREVIOUS: storageKey.optional(),
    PASSWORD_ENCRYPTION_KEY_NEXT: storageKey.optional(),
    /** Calls of one person, credential or anonymous address in a minute; 0 for any number. */
    RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000).default(1_000),
    FRONT_BASE_URL: frontAddress.default('http://localhost:8080'),
    CHAT_BASE_URL: address('http', 'https').default('https://gate.sendbird.com'),
    CHAT_ORGANIZATION_TOKEN: z.string().default(''),
    WEATHER_BASE_URL: address('http', 'https').default('https://api.openweathermap.org'),
    WEATHER_API_KEY: z.string().default(''),
    /** How long an answer of the weather provider is kept before it is asked again. */
    WEATHER_FRESH_SECONDS: integer(0, 86_400).default(600),
    /** Longest wait for another service, which may be trying a provider again. */
    SETUP_ANSWER_MS: integer(1, 60_000).default(30_000),
    /** How long a run belongs to a process that gives no sign of life. */
    SETUP_LEASE_SECONDS: integer(1, 300).default(10),
    /** First pause before a failed step is tried again; doubled each time up to five minutes. */
    SETUP_RETRY_MS: integer(1, 60_000).default(1_000),
    /** Tries after which a run is parked for an operator. */
    SETUP_ATTEMPTS: integer(1, 1_000).default(20),
    /** When to look a second time for the late effect of a call that was not answered. */
    SETUP_LOOK_AGAIN_MS: integer(0, 60_000).default(10_000),
    /** Days after which a run that is over is forgotten. */
    SETUP_KEPT_DAYS: integer(1, 3_650).default(90),
    /** How often to look for deleted hotels whose grace time is over. */
    END_LOOK_MS: integer(10, 86_400_000).default(60_000),
    /** Grace time in which a deleted hotel can be restored. */
    RESTORE_DAYS: integer(0, 3_650).default(30),
  })
