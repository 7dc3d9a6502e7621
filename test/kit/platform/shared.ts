import { atEnd } from '../../../cli/test-run/at-end.ts'
import { recorded } from '../coverage.ts'
import { type Platform, startPlatform } from './platform.ts'
import { freePorts } from './ports.ts'

export type SharedPlatform = Platform & {
  /** What its processes have logged. */
  logged(): string
}

const platforms: Partial<Record<'one' | 'split', Promise<SharedPlatform>>> = {}

/**
 * The platform that test files of one process share, all of it in one other process or each service in its own; it ends
 * after the last file. Each file creates its hotels in it, and meets those of other files as a customer would meet
 * other customers'. Failing providers are noticed quickly, files have at most 10 MB, and CORS_ORIGINS names a free
 * address for a customer's site.
 */
export function sharedPlatform(topology: 'one' | 'split' = 'one'): Promise<SharedPlatform> {
  platforms[topology] ??= start(topology)
  return platforms[topology]
}

async function start(topology: 'one' | 'split'): Promise<SharedPlatform> {
  const [port] = await freePorts(1)
  const settings = {
    NODE_ENV: 'test',
    PROVIDER_RETRY_DELAYS_MS: '5,500',
    PROVIDER_REST_MS: '100',
    // Longer than a process may be starved of CPU: a mail that is sent again would count twice.
    DELIVERY_TIMEOUT_MS: '30000',
    WEATHER_FRESH_SECONDS: '0',
    MEDIA_MAX_FILE_MO: '10',
    CORS_ORIGINS: `http://127.0.0.1:${port}`,
    ...recorded(),
  }
  let log = ''
  const platform = await startPlatform(topology, settings, text => {
    log += text
    process.stderr.write(text)
  })
  atEnd(() => platform.stop())
  return { ...platform, logged: () => log }
}
