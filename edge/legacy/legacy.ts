import { UsageService } from '../../gen/platform/legacyauth/v1/usage_pb.ts'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import type { Log } from '../../services/kernel/process/log.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import type { EdgeConfig } from '../config.ts'
import type { Notice } from '../rest/handler.ts'
import { farewells } from './farewell.ts'
import { countUsage } from './usage.ts'

export type Legacy = {
  /** Sets the headers of a legacy answer and counts the call; does nothing on other routes. */
  notice: Notice
  stop(): Promise<void>
}

/**
 * What the edge adds to legacy routes. This folder ends with them.
 * @param modernUrl address of the modern version, used when AUTH_PUBLIC_URL is not set
 */
export function startLegacyNotices(
  host: Pick<Host, 'client'>,
  config: EdgeConfig,
  log: Log,
  modernUrl: () => string,
): Legacy {
  const { deprecatedSince: since, sunset, authPublicUrl } = config
  const farewell = farewells({ since, sunset, modernUrl: () => authPublicUrl ?? modernUrl() })
  const usage = countUsage(host.client(UsageService), log)
  return {
    notice(route, request, response) {
      if (route.restOptions.dialect !== Dialect.LEGACY) return
      farewell(route, response)
      usage.count(route, request)
    },
    stop: usage.stop,
  }
}
