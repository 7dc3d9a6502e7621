import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Kysely } from 'kysely'
import { UsageService } from '../../../../gen/platform/legacyauth/v1/usage_pb.ts'
import { invalid } from '../../../kernel/base/errors.ts'
import { claimEvent } from '../../../kernel/bus/consume.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import type { AuthTables } from '../../tables.ts'
import { addCalls, usageSince } from './usage.sql.ts'

const dayMs = 86_400_000

/** Usage of the legacy version. The edge counts every call, refused ones included, and reports it here. */
export const usageService = (db: Kysely<AuthTables>) =>
  implement(UsageService, {
    async recordUsage({ calls, batchId }) {
      const invalidDay = calls.findIndex(({ day }) => !isDay(day))
      if (invalidDay >= 0) throw invalid(`calls[${invalidDay}].day`, 'is not a valid date', 'string.date')
      const counts = calls.map(({ lastCalledAt, ...one }) => ({
        ...one,
        last: lastCalledAt ? timestampDate(lastCalledAt) : new Date(),
      }))
      await inTransaction(db, async trx => {
        if (batchId === undefined || (await claimEvent(trx, 'legacy-usage', batchId))) await addCalls(trx, counts)
      })
      return {}
    },

    async listUsage({ days = 30 }) {
      const rows = await usageSince(db, firstDayOf(days))
      return {
        data: rows.map(row => ({
          route: row.route,
          client: row.client,
          calls: toInt32(row.calls),
          lastCalledAt: timestampFromDate(row.last_called_at),
        })),
      }
    },
  })

/** Whether the date exists; its form is already validated. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** The first day of a period that ends today. */
const firstDayOf = (days: number): string => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

const toInt32 = (calls: string): number => Math.min(Number(calls), 0x7fff_ffff)
