import { newId } from '../../kernel/base/ids.ts'
import type { Tried } from './sql.ts'
import type { Counted } from './hours.sql.ts'
import { interrupted } from '../providers/outcome.ts'
import type { Trx } from '../tables.ts'

/** Writes one row per try (DECISIONS 41). @returns how many of each kind there were */
export async function writeAttempts(trx: Trx, tried: readonly Tried[], sentAt: Date): Promise<Counted[]> {
  const ids = tried.map(({ delivery }) => delivery.id)
  // The earlier try is no longer one with another pending.
  await trx
    .updateTable('delivery_attempts')
    .set({ status: 'failed' })
    .where('delivery_id', 'in', ids)
    .where('status', '=', 'retry')
    .execute()
  const lost = await lostTries(trx, tried)
  const rows = [...lost, ...tried.filter(({ isTry }) => isTry)].map(each => attemptOf(each, sentAt))
  if (rows.length > 0) await trx.insertInto('delivery_attempts').values(rows).execute()
  return countsOf(rows)
}

/** Earlier tries that no row tells of, since their process died before it could write one. */
async function lostTries(trx: Trx, tried: readonly Tried[]): Promise<Tried[]> {
  const again = tried.map(({ delivery }) => delivery).filter(({ attempts }) => attempts > 1)
  if (again.length === 0) return []
  const rows = await trx
    .selectFrom('delivery_attempts')
    .select(({ fn }) => ['delivery_id', fn.max('attempt_number').as('last')])
    .where(
      'delivery_id',
      'in',
      again.map(({ id }) => id),
    )
    .groupBy('delivery_id')
    .execute()
  const last = new Map(rows.map(row => [row.delivery_id, Number(row.last)]))
  return again.flatMap(delivery => {
    const known = last.get(delivery.id) ?? 0
    return Array.from({ length: Math.max(0, delivery.attempts - 1 - known) }, (_, i) => ({
      delivery: { ...delivery, attempts: known + 1 + i },
      outcome: interrupted(delivery.lane),
      retryAt: null,
      isTry: true,
    }))
  })
}

function attemptOf({ delivery, outcome, retryAt }: Tried, sentAt: Date) {
  return {
    id: newId(),
    delivery_id: delivery.id,
    notification_id: delivery.notification_id,
    member_id: delivery.member_id,
    channel: delivery.lane === 'email' ? ('email' as const) : ('push' as const),
    status: outcome.ok ? ('success' as const) : retryAt ? ('retry' as const) : ('failed' as const),
    attempt_number: delivery.attempts,
    provider: outcome.provider,
    provider_id: outcome.ok ? (outcome.providerId?.slice(0, 255) ?? null) : null,
    provider_response: outcome.response && JSON.stringify(outcome.response),
    error: outcome.ok ? null : outcome.error.slice(0, 1000),
    error_code: outcome.ok ? null : (outcome.code?.slice(0, 100) ?? null),
    sent_at: sentAt,
    delivered_at: null,
  }
}

const countsOf = (attempts: readonly ReturnType<typeof attemptOf>[]): Counted[] =>
  [...Map.groupBy(attempts, ({ channel, status }) => `${channel} ${status}`).values()].flatMap(group =>
    group[0] ? [{ channel: group[0].channel, status: group[0].status, deliveries: group.length }] : [],
  )
