import type { Connection, RowDataPacket } from 'mysql2/promise'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { type Finding, note, ok } from './finding.ts'

/** Rows that an operator must know of. `query` counts them. */
type Check = { service: ServiceName; title: string; query: string; late: string; fix: string }

const runbook = 'see docs/guides/runbook.md'

const checks: Check[] = [
  ...serviceNames
    .filter(service => service !== 'media')
    .map(service => ({
      service,
      title: `outbox of ${service}`,
      query: `select count(*) from (select 1 from outbox
        where published_at is null and created_at < now(3) - interval 60 second limit 100000) late`,
      late: 'events that wait for more than a minute',
      fix: `${runbook}#events-wait-in-the-outbox`,
    })),
  {
    service: 'auth',
    title: 'account mails',
    query: 'select count(*) from mails where next_attempt_at < now(3) - interval 5 minute',
    late: 'more than five minutes late',
    fix: `${runbook}#mails-and-pushes-are-late`,
  },
  {
    service: 'notification',
    title: 'mails and pushes',
    query: `select count(*) from deliveries where lane in ('email', 'fcm', 'onesignal', 'webpush')
      and due_at < now(3) - interval 5 minute`,
    late: 'more than five minutes late',
    fix: `${runbook}#mails-and-pushes-are-late`,
  },
  {
    service: 'notification',
    title: 'webhooks',
    query: 'select count(*) from webhooks where is_enabled = 0 and disabled_reason is not null',
    late: 'endpoints that the platform has disabled',
    fix: `${runbook}#a-webhook-endpoint-fails`,
  },
  {
    service: 'notification',
    title: 'webhooks',
    query: 'select count(*) from webhooks where is_enabled = 1 and failing_since < now(3) - interval 1 hour',
    late: 'endpoints that fail for more than an hour',
    fix: `${runbook}#a-webhook-endpoint-fails`,
  },
  {
    service: 'notification',
    title: 'webhook deliveries',
    query: `select count(*) from webhook_deliveries where due_at < now(3) - interval 5 minute
      and webhook_id not in (select id from webhooks where failing_since is not null)`,
    late: 'more than five minutes late',
    fix: `${runbook}#webhooks-are-late`,
  },
  {
    service: 'hotel',
    title: 'set-ups',
    query: "select count(*) from hotel_setups where status = 'parked'",
    late: 'parked',
    fix: 'npm run platform -- setups list --status parked',
  },
]

/** What is late, failing or parked. Databases without an answer are reported by `databaseFindings`. */
export async function lateFindings(env: Environment): Promise<Finding[]> {
  const findings = await Promise.all(
    serviceNames.map(async service => {
      const url = databaseUrlOf(env, service)
      const connection = url && (await connectDatabase(url, { connectTimeout: 3_000 }).catch(() => undefined))
      if (!connection) return []
      try {
        const ownChecks = checks.filter(check => check.service === service)
        const counts = await Promise.all(ownChecks.map(({ query }) => countRows(connection, query)))
        return ownChecks.map((check, index) => ({ ...check, count: counts[index] ?? 0 }))
      } finally {
        connection.destroy()
      }
    }),
  )
  const results = findings.flat()
  const notes = results
    .filter(({ count }) => count > 0)
    .map(({ title, late, count, fix }) => note(title, `${late}: ${count}`, fix))
  return notes.length > 0 || results.length === 0 ? notes : [ok('waiting work', 'nothing is late, failing or parked')]
}

/** 0 for a schema that isn't migrated yet. */
const countRows = (connection: Connection, query: string): Promise<number> =>
  connection.query<RowDataPacket[]>({ sql: query, rowsAsArray: true }).then(
    ([[row]]) => Number(row?.[0] ?? 0),
    () => 0,
  )
