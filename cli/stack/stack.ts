import { accessSync, constants, mkdirSync } from 'node:fs'
import { type ServiceName, serviceNames } from '../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { administrator, memberReader } from './accounts.ts'
import { type BrokerAccount, sharedAccount } from './broker-config.ts'
import { type ExternalDatabase, prepareExternal } from './external.ts'
import { startMariadb } from './mariadb.ts'
import { LaunchError, type Print, seconds } from './messages.ts'
import { startNats } from './nats.ts'
import { findPrograms, type ProgramName } from './packages.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

export type StackOptions = {
  /** Folder of data, logs and secrets; created when missing. */
  dataDir: string
  /** Temporary data: faster, not durable. */
  ephemeral?: boolean
  print?: Print
  /** A database server instead of a private one; its schemas are created if the account may. */
  databaseUrl?: string | undefined
  /** Ready addresses of single services' databases; no server is started when all are given. */
  databaseUrls?: Partial<Record<ServiceName, string>>
  /** The account that reads member's views, given with databaseUrls.member. */
  memberReadUrl?: string | undefined
  /** A bus instead of a private one. */
  natsUrl?: string | undefined
  /** Starts only one of the two servers, where a test provides the other. */
  startOnly?: ('database' | 'bus')[]
}

export type Stack = {
  secrets: Secrets
  databaseUrl(service: ServiceName): string
  memberReadUrl: string
  /** An account that may create databases; undefined when every service's address was given. */
  adminDatabaseUrl: string | undefined
  /** The bus for a process with several services. */
  natsUrl: string
  /** The bus for one account; the same for all if an address was given. */
  natsUrlOf(account: BrokerAccount): string
  /** The servers started here. */
  servers: { name: string; pid: number; port: number; startupMs: number }[]
  /** The accounts that member's views are granted to, as SQL; empty without one. */
  memberReaders: string[]
  stop(): Promise<void>
}

/** Creates a writable folder, or reports why it can't. */
export function ensureFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
  } catch {
    throw new LaunchError(
      `The data folder ${dataDir} is not writable for this user.\n` +
        'Start as its owner, or choose another folder: DATA_DIR=/another/folder npm start',
    )
  }
}

/**
 * Starts the platform's servers: MariaDB with a schema and an account per service, and NATS JetStream. Given addresses
 * are used as they are; the rest runs privately over the data folder. The caller holds the folder's lock.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, ephemeral = false, print = () => undefined, databaseUrls = {}, natsUrl } = options
  ensureFolder(dataDir)
  const secrets = loadSecrets(dataDir)
  const hasAllDatabaseUrls = serviceNames.every(service => databaseUrls[service])
  const { startOnly = ['database', 'bus'] } = options
  const isPrivate = {
    database: startOnly.includes('database') && !hasAllDatabaseUrls && !options.databaseUrl,
    bus: startOnly.includes('bus') && !natsUrl,
  }

  const programNames: ProgramName[] = [
    ...(isPrivate.database ? ['mariadbd' as const] : []),
    ...(isPrivate.bus ? ['nats-server' as const] : []),
  ]
  const programs = await findPrograms(programNames, print)

  const startedAt = Date.now()
  const startupMs: Record<string, number> = {}
  const recordStart = <Server extends { port: number; name: string }>(server: Server): Server => {
    startupMs[server.name] = Date.now() - startedAt
    print(`${server.name} ready in ${seconds(Date.now() - startedAt)} (127.0.0.1:${server.port})`)
    return server
  }
  const server = { dataDir, secrets, ephemeral, print }
  const outcomes = await Promise.allSettled([
    programs.mariadbd && startMariadb({ ...server, program: programs.mariadbd }).then(recordStart),
    programs['nats-server'] && startNats({ ...server, program: programs['nats-server'] }).then(recordStart),
    options.databaseUrl && !hasAllDatabaseUrls ? prepareExternal(options.databaseUrl, secrets, print) : undefined,
  ])
  const [database, bus, external] = outcomes.map(outcome =>
    outcome.status === 'fulfilled' ? outcome.value : undefined,
  ) as [
    Awaited<ReturnType<typeof startMariadb>> | undefined,
    Awaited<ReturnType<typeof startNats>> | undefined,
    ExternalDatabase | undefined,
  ]
  const servers = [database, bus].filter(outcome => outcome !== undefined)
  const fault = outcomes.find(outcome => outcome.status === 'rejected')
  if (fault) {
    await Promise.all(servers.map(outcome => outcome.stop()))
    throw fault.reason
  }

  const databaseUrl = (service: ServiceName): string =>
    databaseUrls[service] ?? database?.url(service, service) ?? external?.url(service) ?? ''
  return {
    secrets,
    databaseUrl,
    memberReadUrl:
      options.memberReadUrl ??
      (databaseUrls.member ? undefined : (database?.url(memberReader, 'member') ?? external?.memberReadUrl)) ??
      databaseUrl('member'),
    adminDatabaseUrl: database?.url(administrator) ?? external?.serverUrl,
    natsUrl: natsUrl ?? bus?.urlOf(sharedAccount) ?? '',
    natsUrlOf: account => natsUrl ?? bus?.urlOf(account) ?? '',
    servers: servers.map(outcome => ({
      name: outcome.name,
      pid: outcome.pid(),
      port: outcome.port,
      startupMs: startupMs[outcome.name] ?? 0,
    })),
    memberReaders: database
      ? ['127.0.0.1', 'localhost'].map(host => `'${memberReader}'@'${host}'`)
      : external?.reader
        ? [external.reader]
        : [],
    stop: async () => {
      await Promise.all(servers.map(outcome => outcome.stop()))
    },
  }
}

/**
 * Grants the reading account the published views of the member schema. Call it after the migrations that create them.
 */
export async function grantMemberViews(stack: Stack, views: string[]): Promise<void> {
  if (!stack.adminDatabaseUrl || stack.memberReaders.length === 0) return
  const schema = new URL(stack.databaseUrl('member')).pathname.slice(1)
  const connection = await connectDatabase(stack.adminDatabaseUrl)
  try {
    for (const view of views) {
      for (const reader of stack.memberReaders) {
        await connection.query(
          `grant select on ${connection.escapeId(schema)}.${connection.escapeId(view)} to ${reader}`,
        )
      }
    }
  } finally {
    await connection.end()
  }
}
