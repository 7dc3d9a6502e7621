import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Kysely } from 'kysely'
import { UsageService } from '../../../gen/platform/legacyauth/v1/usage_pb.ts'
import { implement } from '../../kernel/implement.ts'
import type { Tables } from '../tables.ts'
import { addCalls, usageSince } from './usage.sql.ts'

const dayMs = 86_400_000

/** Who still calls the legacy version. The edge counts, whatever a call is answered, and tells it here. */
export const usageService = (db: Kysely<Tables>) =>
  implement(UsageService, {
    async recordUsage({ calls }) {
      await addCalls(
        db,
        calls.map(({ lastCalledAt, ...one }) => ({
          ...one,
          last: lastCalledAt ? timestampDate(lastCalledAt) : new Date(),
        })),
      )
      return {}
    },

    async listUsage({ days = 30 }) {
      const since = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)
      const rows = await usageSince(db, since)
      return {
        data: rows.map(row => ({
          route: row.route,
          client: row.client,
          calls: Math.min(Number(row.calls), 0x7fff_ffff),
          lastCalledAt: timestampFromDate(row.last_called_at),
        })),
      }
    },
  })
