import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Kysely } from 'kysely'
import { UsageService } from '../../../../gen/platform/legacyauth/v1/usage_pb.ts'
import { invalid } from '../../../kernel/base/errors.ts'
import { claimEvent } from '../../../kernel/bus/consume.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import type { Tables } from '../../tables.ts'
import { addCalls, dailySince, usageSince } from './usage.sql.ts'

const dayMs = 86_400_000
/** Routes or clients that a list by day distinguishes. */
const mostSeparate = 20

/** Usage of the legacy version. The edge counts every call, refused ones included, and reports it here. */
export const usageService = (db: Kysely<Tables>) =>
  implement(UsageService, {
    async recordUsage({ calls, batchId }) {
      const noDay = calls.findIndex(({ day }) => !isDay(day))
      if (noDay >= 0) throw invalid(`calls[${noDay}].day`, 'is not a valid date', 'string.date')
      const added = calls.map(({ lastCalledAt, ...one }) => ({
        ...one,
        last: lastCalledAt ? timestampDate(lastCalledAt) : new Date(),
      }))
      await inTransaction(db, async trx => {
        if (batchId === undefined || (await claimEvent(trx, 'legacy-usage', batchId))) await addCalls(trx, added)
      })
      return {}
    },

    async listUsage({ days = 30 }) {
      const rows = await usageSince(db, firstOf(days))
      return {
        data: rows.map(row => ({
          route: row.route,
          client: row.client,
          calls: counted(row.calls),
          lastCalledAt: timestampFromDate(row.last_called_at),
        })),
      }
    },

    async listDailyUsage({ days = 30, by = 'route' }) {
      const rows = await dailySince(db, firstOf(days), by === 'client' ? 'client' : 'route', mostSeparate)
      return { data: rows.map(({ calls, ...row }) => ({ ...row, calls: counted(calls) })) }
    },
  })

/** Whether the date exists; its form is already validated. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** The first day of a period that ends today. */
const firstOf = (days: number): string => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

const counted = (calls: string): number => Math.min(Number(calls), 0x7fff_ffff)
