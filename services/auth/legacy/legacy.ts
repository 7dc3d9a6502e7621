import type { Rpc } from '../../kernel/server.ts'
import type { Parts } from '../parts.ts'
import { legacyAccountService } from './accounts.ts'
import { legacyParts } from './legacy-parts.ts'
import { legacyPasswordService } from './passwords.ts'
import { legacyProfileService } from './profiles.ts'
import { legacySignInService } from './sign-in.ts'
import { startUsage, usageService } from './usage.ts'

/**
 * The legacy version over the same users. On the day of its end this folder goes, with its line in service.ts, the
 * packages platform.legacyauth, edge/rest/farewell.ts and the tables that only it writes: administrators, user_logs, route_usage.
 */
export function startLegacy(common: Parts): { rpcs: Rpc[]; stop(): Promise<void> } {
  const parts = legacyParts(common)
  const usage = startUsage(parts.db, parts.log)
  const services = [
    legacySignInService(parts),
    legacyProfileService(parts),
    legacyAccountService(parts),
    legacyPasswordService(parts),
  ]
  services.push(usageService(parts.db, usage))
  return { rpcs: services.map(usage.watch), stop: usage.stop }
}
