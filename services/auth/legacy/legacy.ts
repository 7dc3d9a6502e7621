import type { Kysely } from 'kysely'
import type { Log } from '../../kernel/process/log.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { cleanRegularly } from '../accounts/cleaning.ts'
import type { Context } from '../context.ts'
import type { AuthTables } from '../tables.ts'
import { legacyAccountService } from './accounts/accounts.ts'
import { legacyContext } from './context.ts'
import { legacyPasswordService } from './passwords/passwords.ts'
import { reporting } from './reports.ts'
import { legacyProfileService } from './sign-in/profiles.ts'
import { legacySignInService } from './sign-in/sign-in.ts'
import { deleteOldCalls } from './usage/usage.sql.ts'
import { usageService } from './usage/usage.ts'
import { deleteOldLogs } from './user-logs.ts'

/**
 * The legacy version over the same users. To end it, delete this folder and its line in service.ts;
 * docs/guides/end-legacy.md lists the rest.
 */
export function startLegacy(common: Context): { rpcs: Rpc[]; stop(): Promise<void> } {
  const parts = legacyContext(common)
  const services = [
    legacySignInService(parts),
    legacyProfileService(parts),
    legacyAccountService(parts),
    legacyPasswordService(parts),
    usageService(parts.db),
  ]
  const cleanup = startCleaning(parts.db, parts.log)
  return { rpcs: services.map(rpc => reporting(parts.db, rpc)), stop: cleanup.stop }
}

const day = 86_400_000
const logsKeptMs = 90 * day
/** A year, the longest period that can be queried. */
const callsKeptMs = 366 * day

/** Deletes old log records and counts in small batches. */
const startCleaning = (db: Kysely<AuthTables>, log: Log) =>
  cleanRegularly(log, async () => {
    await deleteOldLogs(db, new Date(Date.now() - logsKeptMs))
    await deleteOldCalls(db, new Date(Date.now() - callsKeptMs).toISOString().slice(0, 10))
  })
