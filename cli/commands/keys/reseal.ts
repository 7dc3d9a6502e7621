import { type Kysely, sql } from 'kysely'
import { cipher } from '../../../services/kernel/base/secrets.ts'
import { type ServiceName } from '../../../services/kernel/base/service-names.ts'
import { closeDatabase, openDatabase } from '../../../services/kernel/database/database.ts'
import { type Environment, liveKeys, readSetting } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { CommandError } from '../command.ts'

/** A column of sealed texts. A value may hold several, separated by commas. */
type Column = { service: ServiceName; table: string; column: string; purpose: string; id?: string }

/**
 * Every column sealed with PASSWORD_ENCRYPTION_KEY. Stored idempotent answers are missing on purpose: they are sealed
 * with JWT_ACCESS_SECRET and last a day.
 */
export const sealedColumns: Column[] = [
  { service: 'auth', table: 'ecosystem_credentials', column: 'api_secret', purpose: 'stored-secret' },
  { service: 'auth', table: 'password_resets', column: 'sealed_code', purpose: 'stored-secret' },
  { service: 'auth', table: 'password_resets', column: 'sealed_token', purpose: 'stored-secret' },
  { service: 'auth', table: 'mails', column: 'sealed', purpose: 'queued-mail' },
  {
    service: 'member',
    table: 'member_settings',
    column: 'chat_access_token',
    purpose: 'stored-secret',
    id: 'member_id',
  },
  { service: 'notification', table: 'deliveries', column: 'sealed_mail', purpose: 'queued-mail' },
  { service: 'notification', table: 'webhooks', column: 'secret', purpose: 'webhook-secret' },
  { service: 'notification', table: 'webhooks', column: 'previous_secret', purpose: 'webhook-secret' },
  { service: 'hotel', table: 'hotels', column: 'chat_api_token', purpose: 'stored-secret' },
]

export type ResealCount = {
  service: string
  table: string
  column: string
  examined: number
  resealed: number
  unreadable: number
}

const batchSize = 500

/**
 * Reseals values of previous keys with the current key, while the services run. A row that changes meanwhile is
 * skipped.
 * @param dry true to count only
 */
export async function reseal(env: Environment, dry: boolean): Promise<ResealCount[]> {
  const results: ResealCount[] = []
  for (const column of sealedColumns) {
    const url = databaseUrlOf(env, column.service)
    if (!url)
      throw new CommandError(
        `No database is configured for ${column.service}: set ${column.service.toUpperCase()}_DATABASE_URL.`,
      )
    const db = openDatabase<Record<string, Record<string, string>>>(url, { poolSize: 1, guard: false })
    try {
      results.push(await resealColumn(db, column, keysOf(env, column.service), dry))
    } finally {
      await closeDatabase(db)
    }
  }
  return results
}

function keysOf(env: Environment, service: ServiceName): string[] {
  const read = (name: string) => readSetting(env, service.toUpperCase(), name)
  const current = read('PASSWORD_ENCRYPTION_KEY')
  if (!current) throw new CommandError('PASSWORD_ENCRYPTION_KEY is not set.')
  return liveKeys(current, read('PASSWORD_ENCRYPTION_KEY_PREVIOUS'), read('PASSWORD_ENCRYPTION_KEY_NEXT'))
}

async function resealColumn(
  db: Kysely<Record<string, Record<string, string>>>,
  { service, table, column, purpose, id = 'id' }: Column,
  keys: string[],
  dry: boolean,
): Promise<ResealCount> {
  const maxLength = 16_777_215
  const [currentKey = ''] = keys
  const [currentCipher, anyCipher] = [cipher(purpose, [currentKey], maxLength), cipher(purpose, keys, maxLength)]
  const [cells, ids] = [sql.ref(column), sql.ref(id)]
  const count = { examined: 0, resealed: 0, unreadable: 0 }
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; sealed: string }>`
      select ${ids} as id, ${cells} as sealed from ${sql.table(table)}
      where ${ids} > ${after} and ${cells} is not null order by ${ids} limit ${batchSize}
    `.execute(db)
    for (const { id: rowId, sealed } of rows) {
      count.examined++
      const parts = sealed.split(',')
      if (parts.every(part => currentCipher.open(part) !== undefined)) continue
      const texts = parts.map(part => anyCipher.open(part))
      if (!texts.every(text => text !== undefined)) {
        count.unreadable++
        continue
      }
      count.resealed++
      if (dry) continue
      const renewed = texts.map(text => currentCipher.seal(text)).join(',')
      await sql`update ${sql.table(table)} set ${cells} = ${renewed} where ${ids} = ${rowId} and ${cells} = ${sealed}`.execute(
        db,
      )
    }
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return { service, table, column, ...count }
    after = last.id
  }
}
