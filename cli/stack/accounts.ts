import { createHmac } from 'node:crypto'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import type { Secrets } from './secrets.ts'

/** The account with which news and notification read the member database. */
export const memberReader = 'member_reader'
export const administrator = 'platform_admin'

/** Hosts of the accounts: services connect over the loopback, people with a shell over the socket. */
const hosts = ['127.0.0.1', 'localhost']

/** An account's password, derived, so that a later service needs no change of the stored secrets. */
export function passwordOf(account: string, secrets: Secrets): string {
  if (account === administrator) return secrets.databaseAdmin
  return createHmac('sha256', secrets.databaseSeed).update(account).digest('base64url').slice(0, 32)
}

/**
 * The statements that create every service's schema and account, one per line, as an init file needs them. They run at
 * every start and only add what is missing.
 */
export function accountStatements(secrets: Secrets): string {
  const account = (name: string, grants: string[]) =>
    hosts.flatMap(host => {
      const user = `'${name}'@'${host}'`
      const password = `IDENTIFIED BY '${passwordOf(name, secrets)}'`
      return [
        `CREATE USER IF NOT EXISTS ${user} ${password};`,
        `ALTER USER ${user} ${password};`,
        ...grants.map(grant => grant.replace('%user', user)),
      ]
    })
  return [
    ...serviceNames.map(
      name => `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;`,
    ),
    ...account(administrator, ['GRANT ALL PRIVILEGES ON *.* TO %user WITH GRANT OPTION;']),
    ...serviceNames.flatMap(name => account(name, [`GRANT ALL PRIVILEGES ON \`${name}\`.* TO %user;`])),
    // Member's views are granted one by one once its migrations have created them.
    ...account(memberReader, []),
    '',
  ].join('\n')
}
