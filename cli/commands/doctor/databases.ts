import { basename } from 'node:path'
import type { Connection } from 'mysql2/promise'
import { type ServiceName, serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectDatabase, queryRows } from '../../../services/kernel/database/connection.ts'
import { kernelMigrations, laterMigration, migrationFiles } from '../../../services/kernel/database/migrate.ts'
import { kernelPrefix } from '../../../services/kernel/database/schema-owner.ts'
import { type Environment, readSetting } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf } from '../../environment.ts'
import { memberViews } from '../../published.ts'
import { messageOf } from '../../stack/messages.ts'
import { clockFinding, type Finding, fault, note, ok } from './finding.ts'

/** The rights that migrations and services need in a schema. */
const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'INDEX', 'CREATE VIEW']

/** Checks every service's database: reachable, new enough, with the required rights and migrations. */
export async function databaseFindings(env: Environment): Promise<Finding[]> {
  const findingsByService = await Promise.all(serviceNames.map(name => ofService(name, databaseUrlOf(env, name))))
  const reader = await ofReader(readSetting(env, '', 'NOTIFICATION_MEMBER_DATABASE_URL'))
  // Findings about one server are reported once, not once per service.
  const findings = [...findingsByService.flat(), ...reader]
  return findings.filter(
    (one, index) => findings.findIndex(twin => twin.title === one.title && twin.detail === one.detail) === index,
  )
}

async function ofService(name: ServiceName, url: string | undefined): Promise<Finding[]> {
  const title = `database ${name}`
  // A missing address is reported with the settings.
  if (!url) return []
  return inspectDatabase(title, url, async connection => {
    const schema = new URL(url).pathname.slice(1)
    const missingPrivileges = await missingRights(connection, schema, rights)
    const migrations = await appliedMigrations(connection)
    const ownMigrations = await migrationsOf(name)
    const pending = ownMigrations.filter(migration => !migrations.includes(migration)).length
    const laterMigrations = migrations.filter(migration => !ownMigrations.includes(migration))
    const problem = laterMigration(schema, migrations)
    const findings: Finding[] = []
    if (missingPrivileges.length > 0)
      findings.push(
        fault(
          title,
          `the account lacks ${missingPrivileges.join(', ')}`,
          `grant ${missingPrivileges.join(', ')} on \`${schema}\`.* to it`,
        ),
      )
    const owner = await ownerOf(connection)
    if (owner !== undefined && owner !== name)
      findings.push(
        fault(
          title,
          `the schema ${schema} belongs to the service ${owner}`,
          `set ${name.toUpperCase()}_DATABASE_URL to a schema of its own`,
        ),
      )
    else if (pending > 0)
      findings.push(note(title, `pending migrations: ${pending}`, 'npm run platform -- migrate, or start the platform'))
    if (problem !== undefined) findings.push(fault(title, problem, 'use the version that migrated it'))
    else if (laterMigrations.length > 0)
      findings.push(
        note(
          title,
          `migrated by a later version: ${laterMigrations.join(', ')}`,
          'finish the upgrade, or go on rolling back',
        ),
      )
    if (findings.length === 0) findings.push(ok(title, 'reachable, with all permissions and migrations'))
    return [...(await ofServer(connection)), ...findings]
  })
}

async function ofReader(url: string | undefined): Promise<Finding[]> {
  const title = 'views of member'
  if (!url) return []
  return inspectDatabase(title, url, async connection => {
    for (const view of memberViews) await connection.query(`select 1 from \`${view}\` limit 1`)
    return [ok(title, 'readable')]
  })
}

async function inspectDatabase(
  title: string,
  url: string,
  inspect: (c: Connection) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { host } = new URL(url)
  const connection = await connectDatabase(url, { connectTimeout: 3_000 }).catch((error: unknown) => messageOf(error))
  if (typeof connection === 'string')
    return [
      fault(
        title,
        `${host}: ${connection || 'is not responding'}`,
        'start the platform or the server, or correct the address',
      ),
    ]
  try {
    return await inspect(connection)
  } catch (error) {
    return [fault(title, messageOf(error), 'start the platform once: it creates them and grants access')]
  } finally {
    connection.destroy()
  }
}

async function ofServer(connection: Connection): Promise<Finding[]> {
  const began = Date.now()
  const [row] = await queryRows(connection, 'select version() v, unix_timestamp(now(3)) * 1000 at')
  const ahead = Number(row?.['at']) - (began + Date.now()) / 2
  return [serverFinding(String(row?.['v'])), clockFinding('database clock', ahead)]
}

/** Checks a server's version. */
export function serverFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isMaria = /mariadb/i.test(version)
  const [oldest, oldestMinor] = isMaria ? [10, 6] : [8, 4]
  const isNew = major > oldest || (major === oldest && minor >= oldestMinor)
  const product = isMaria ? 'MariaDB' : 'MySQL'
  return isNew ? ok(product, version) : fault(product, version, 'use MariaDB 10.6 or later, or MySQL 8.4 or later')
}

async function missingRights(connection: Connection, schema: string, rights: string[]): Promise<string[]> {
  const grants = (await queryRows(connection, 'show grants')).map(row => String(Object.values(row)[0]))
  // MariaDB and MySQL escape the underscores of a schema's name in a grant.
  const plain = grants.map(line => line.replaceAll('\\', ''))
  const schemaGrants = plain.filter(line => line.includes(' ON *.* ') || line.includes(` ON \`${schema}\`.* `))
  const grantedRights = schemaGrants
    .map(line => line.slice('GRANT '.length, line.indexOf(' ON ')))
    .join(', ')
    .split(', ')
  return grantedRights.includes('ALL PRIVILEGES') ? [] : rights.filter(right => !grantedRights.includes(right))
}

/** The service that a schema belongs to; undefined before its first migration. */
async function ownerOf(connection: Connection): Promise<string | undefined> {
  if ((await queryRows(connection, "show tables like 'schema_owner'")).length === 0) return undefined
  const [row] = await queryRows(connection, 'select service from schema_owner')
  return row && String(row['service'])
}

async function appliedMigrations(connection: Connection): Promise<string[]> {
  if ((await queryRows(connection, "show tables like 'kysely_migration'")).length === 0) return []
  return (await queryRows(connection, 'select name from kysely_migration')).map(row => row['name'])
}

/** The names of a service's migrations, the kernel's included. */
async function migrationsOf(name: ServiceName): Promise<string[]> {
  const serviceFiles = await migrationFiles(new URL(`../../../services/${name}/migrations/`, import.meta.url))
  const migrations = [...(await migrationFiles(kernelMigrations)).map(file => kernelPrefix + file), ...serviceFiles]
  return migrations.map(file => basename(file, '.ts'))
}
