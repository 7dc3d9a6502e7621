import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Ecosystem } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { maxWhole } from '../../kernel/rpc/paging.ts'
import type { AuthTables, EcosystemCredentialsTable } from '../tables.ts'

type Db = Kysely<AuthTables>
export type CredentialRow = Selectable<EcosystemCredentialsTable>

export const insertCredential = (db: Db, row: Insertable<EcosystemCredentialsTable>) =>
  db.insertInto('ecosystem_credentials').values(row).execute()

/** Credentials of an ecosystem, newest first. */
export const credentialsOf = (db: Db, { ecosystemId }: Ecosystem): Promise<CredentialRow[]> =>
  db
    .selectFrom('ecosystem_credentials')
    .selectAll()
    .where('ecosystem_id', '=', ecosystemId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxWhole)
    .execute()

export const ecosystemOfCredential = (db: Db, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('ecosystem_credentials')
    .select('ecosystem_id')
    .where('id', '=', id)
    .executeTakeFirst()

export const revokeCredential = (db: Db, { ecosystemId }: Ecosystem, id: string) =>
  db
    .updateTable('ecosystem_credentials')
    .set({ is_active: 0 })
    .where('ecosystem_id', '=', ecosystemId)
    .where('id', '=', id)
    .execute()

/** Revokes the credentials of deleted accounts. */
export const revokeCredentialsOf = (db: Db, userIds: string[]) =>
  exempt(db, "revokes a deleted owner's credentials in every ecosystem")
    .updateTable('ecosystem_credentials')
    .set({ is_active: 0 })
    .where('user_id', 'in', userIds)
    .execute()

/** The live credential of a public key, if its owner is active. */
export const credentialByKey = (db: Db, apiKey: string, now: Date) =>
  exempt(db, 'the key identifies the tenant')
    .selectFrom('ecosystem_credentials as credential')
    .innerJoin('users', 'users.id', 'credential.user_id')
    .selectAll('credential')
    .where('credential.api_key', '=', apiKey)
    .where('credential.is_active', '=', 1)
    .where('users.is_active', '=', 1)
    .where(eb => eb.or([eb('credential.expires_at', 'is', null), eb('credential.expires_at', '>', now)]))
    .executeTakeFirst()

/** The permissions that a credential grants, without the words that were none when it was created. */
export function grantedPermissions(row: Pick<CredentialRow, 'permissions' | 'unknown_permissions'>): string[] {
  const unknownSlugs = new Set(JSON.parse(row.unknown_permissions ?? '[]') as string[])
  return (JSON.parse(row.permissions) as string[]).filter(slug => !unknownSlugs.has(slug))
}

/** Whether a credential is neither revoked nor expired. */
export const liveCredential = (db: Db, id: string, now: Date) =>
  exempt(db, 'only whether it is live is read')
    .selectFrom('ecosystem_credentials')
    .select('id')
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
