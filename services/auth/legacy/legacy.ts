import type { Rpc } from '../../kernel/rpc/server.ts'
import type { Parts } from '../parts.ts'
import { legacyAccountService } from './accounts.ts'
import { startCleaning } from './cleaning.ts'
import { legacyParts } from './legacy-parts.ts'
import { legacyPasswordService } from './passwords.ts'
import { legacyProfileService } from './profiles.ts'
import { reporting } from './reports.ts'
import { legacySignInService } from './sign-in.ts'
import { usageService } from './usage.ts'

/**
 * The legacy version over the same users. On the day of its end this folder goes, with its line in service.ts; what
 * else goes then is listed in docs/guides/end-legacy.md.
 */
export function startLegacy(common: Parts): { rpcs: Rpc[]; stop(): Promise<void> } {
  const parts = legacyParts(common)
  const services = [
    legacySignInService(parts),
    legacyProfileService(parts),
    legacyAccountService(parts),
    legacyPasswordService(parts),
    usageService(parts.db),
  ]
  const cleaning = startCleaning(parts.db, parts.log)
  return { rpcs: services.map(rpc => reporting(parts.db, rpc)), stop: cleaning.stop }
}
