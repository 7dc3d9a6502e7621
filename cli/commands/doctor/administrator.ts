import type { RowDataPacket } from 'mysql2/promise'
import { createHasher } from '../../../services/auth/hashing/hashing.ts'
import { normalizeEmail } from '../../../services/kernel/base/text.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { type Finding, note } from './finding.ts'

/**
 * Whether BOOTSTRAP_ADMIN_PASSWORD is still the administrator's password. Changing the setting doesn't change the
 * account.
 */
export async function administratorFindings(env: Environment): Promise<Finding[]> {
  const [email, password] = ['EMAIL', 'PASSWORD'].map(name => readSetting(env, '', `BOOTSTRAP_ADMIN_${name}`))
  const url = databaseUrlOf(env, 'auth')
  if (!email || !password || !url) return []
  const hash = await storedHash(url, normalizeEmail(email))
  if (hash === undefined) return []
  const hasher = await createHasher({ concurrency: 1 })
  const isCurrent = await hasher.matches(password, hash)
  await hasher.stop()
  const fix = 'set it to the password of the account, which changes on its own page or by a reset mail'
  return isCurrent ? [] : [note('BOOTSTRAP_ADMIN_PASSWORD', `is not the password of ${email}`, fix)]
}

/** Undefined without the account, or while the database can't be read, which `databaseFindings` reports. */
async function storedHash(url: string, email: string): Promise<string | undefined> {
  const connection = await connectDatabase(url, { connectTimeout: 3_000 }).catch(() => undefined)
  const rows = await connection
    ?.query<RowDataPacket[]>('select password_hash from users where email = ? and deleted_at is null', [email])
    .then(([users]) => users)
    .catch(() => [])
  connection?.destroy()
  return rows?.[0]?.['password_hash']
}
