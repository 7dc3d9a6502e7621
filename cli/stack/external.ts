import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { memberReader, passwordOf } from './accounts.ts'
import { LaunchError, messageOf, type Print } from './messages.ts'
import type { Secrets } from './secrets.ts'

/** The operator's database server, used instead of the private one. */
export type ExternalDatabase = {
  /** The given account, without a schema. */
  serverUrl: string
  /** The given account, in a service's schema. */
  url(service: string): string
  memberReadUrl: string
  /** The account and host that member's views are granted to; undefined when the given account is used instead. */
  reader: string | undefined
}

const unusableDatabase = (url: URL, error: unknown) =>
  new LaunchError(
    `DATABASE_URL: ${url.username}@${url.host} cannot be used: ${messageOf(error)}\n` +
      'Correct the setting, or omit it for a private server.',
  )

const prefixOf = ({ pathname }: URL): string => (pathname.length > 1 ? `${pathname.slice(1)}_` : '')

/** The address of a service's schema on the server of a DATABASE_URL. */
export function schemaUrlOf(databaseUrl: string, service: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${prefixOf(url)}${service}`
  return url.href
}

/**
 * Creates the services' schemas on a given server, if its account may. A path in the address becomes their prefix:
 * …/platform has platform_auth, platform_member and so on.
 */
export async function prepareExternal(databaseUrl: string, secrets: Secrets, print: Print): Promise<ExternalDatabase> {
  const base = new URL(databaseUrl)
  const prefix = prefixOf(base)
  const schemaUrl = (service: string) => schemaUrlOf(databaseUrl, service)
  const server = new URL(base)
  server.pathname = '/'
  const connection = await connectDatabase(server.href, { connectTimeout: 10_000 }).catch(error => {
    throw unusableDatabase(base, error)
  })
  try {
    for (const service of serviceNames) {
      const name = `${prefix}${service}`
      const [rows] = await connection.query('select 1 from information_schema.schemata where schema_name = ?', [name])
      if ((rows as unknown[]).length > 0) continue
      try {
        await connection.query(`create database \`${name}\` character set utf8mb4 collate utf8mb4_unicode_ci`)
        print(`created the schema ${name}`)
      } catch (error) {
        throw new LaunchError(
          `DATABASE_URL: the schema ${name} is missing and ${base.username} is not allowed to create it (${messageOf(error)}).\n` +
            `Create ${serviceNames.map(name => prefix + name).join(', ')}, or set ${service.toUpperCase()}_DATABASE_URL and the like.`,
        )
      }
    }
    const reader = `'${prefix}${memberReader}'@'%'`
    const password = passwordOf(memberReader, secrets)
    try {
      await connection.query(`create user if not exists ${reader} identified by '${password}'`)
      await connection.query(`alter user ${reader} identified by '${password}'`)
    } catch {
      print(
        `${base.username} is not allowed to create accounts: news and notification use it to read the member database`,
      )
      return { serverUrl: server.href, url: schemaUrl, memberReadUrl: schemaUrl('member'), reader: undefined }
    }
    const readUrl = new URL(schemaUrl('member'))
    readUrl.username = `${prefix}${memberReader}`
    readUrl.password = password
    return { serverUrl: server.href, url: schemaUrl, memberReadUrl: readUrl.href, reader }
  } finally {
    await connection.end()
  }
}
