import { atEnd } from '../../../cli/test-run/at-end.ts'
import { recorded } from '../coverage.ts'
import { type Platform, startPlatform } from './platform.ts'
import { freePorts } from './ports.ts'

let started: Promise<Platform> | undefined

/**
 * The platform that test files of one process share, all of it in one other process; it ends after the last file. Each
 * file creates its hotels in it, and meets those of other files as a customer would meet other customers'. Failing
 * providers are noticed quickly, files have at most 10 MB, and CORS_ORIGINS names a free address for a customer's site.
 */
export function sharedPlatform(): Promise<Platform> {
  started ??= start()
  return started
}

async function start(): Promise<Platform> {
  const [port] = await freePorts(1)
  const platform = await startPlatform('one', {
    NODE_ENV: 'test',
    PROVIDER_RETRY_DELAYS_MS: '5,500',
    PROVIDER_REST_MS: '100',
    WEATHER_FRESH_SECONDS: '0',
    MEDIA_MAX_FILE_MO: '10',
    CORS_ORIGINS: `http://127.0.0.1:${port}`,
    ...recorded(),
  })
  atEnd(() => platform.stop())
  return platform
}
