import { randomBytes } from 'node:crypto'
import type { DescService } from '@bufbuild/protobuf'
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { type Callback, suite as plainSuite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'
import { type RpcError, toRpcError } from '../../services/kernel/base/errors.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { createLog, type Log } from '../../services/kernel/process/log.ts'
import {
  type Host,
  type HostOptions,
  type ServiceModule,
  serviceNames,
  startHost,
} from '../../services/kernel/rpc/host.ts'
import { type TestBus, testBus, testDatabase } from './database.ts'

export { assert }

/** A time of a response in ms; 0 without one. */
export const millisOf = (time: Timestamp | undefined): number => (time ? timestampMs(time) : 0)

/**
 * A suite of uvu. Its reporter stops without a failure on errors whose `details` are not text, such as Connect's, so
 * these are passed on as plain errors.
 */
export function suite(name: string): ReturnType<typeof plainSuite> {
  const inner = plainSuite(name)
  const test = (title: string, handler: Callback) =>
    inner(title, async context => {
      try {
        await handler(context)
      } catch (error) {
        if (!(error instanceof Error) || !('details' in error) || typeof error.details === 'string') throw error
        const { name: kind, message, stack, cause } = error
        // The reader of a failed test needs the reason of an internal error, which clients don't get.
        const text = cause instanceof Error ? `${message}: ${cause.message}` : message
        throw Object.assign(new Error(text), { name: kind, stack, cause: error })
      }
    })
  // A failed set-up skips its tests, and uvu prints no reason.
  const loudly =
    (hook: Callback): Callback =>
    async context => {
      try {
        await hook(context)
      } catch (error) {
        console.error(error)
        throw error
      }
    }
  const before = Object.assign((hook: Callback) => inner.before(loudly(hook)), inner.before)
  return Object.assign(test, inner, { before })
}

export type TestHost = Host & {
  env: Environment
  /** Database of a hosted service, to read its rows. */
  databaseUrl(name: string): string
  /** Its broker. */
  broker: TestBus
  /** An access token of this user. */
  tokenOf(userId: string, claims?: Partial<AccessClaims>): string
  /** A typed client that calls as this user; without an id, anonymously. */
  as<S extends DescService>(service: S, userId?: string, claims?: Partial<AccessClaims>): Client<S>
  /** A typed client that calls with the token of an earlier answer. */
  bearing<S extends DescService>(service: S, accessToken: string): Client<S>
  /** Stops everything and drops the databases. */
  end(): Promise<void>
}

/**
 * A real host for a test file: its own databases, cloned from migrated templates, its own broker, and ports that the
 * system chooses. Services that the tested one needs are hosted too, not faked. Users may be invented: without the
 * authentication service accounts are not checked, and with it unknown users are accepted, unless `options` says
 * otherwise.
 */
export async function startTestHost(
  modules: ServiceModule[],
  extra: Environment = {},
  options: HostOptions & { log?: Log } = {},
): Promise<TestHost> {
  const bus = await testBus()
  const databases = await Promise.all(
    modules.map(async ({ name }) => {
      const database = await testDatabase(new URL(`../../services/${name}/migrations/`, import.meta.url))
      return { name, ...database }
    }),
  )
  const urlOf = (name: string) => databases.find(one => one.name === name)?.url ?? ''
  const env: Environment = {
    JWT_ACCESS_SECRET: randomBytes(32).toString('hex'),
    JWT_REFRESH_SECRET: randomBytes(32).toString('hex'),
    PASSWORD_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    SERVICE_API_KEY: randomBytes(32).toString('hex'),
    FRONT_BASE_URL: 'http://localhost:8080',
    // Everyone in a test calls from one address.
    ANONYMOUS_LIMIT: '100000',
    AMQP_GATEWAY_URL: bus.url,
    // People in tests call more often per minute than real ones.
    RATE_LIMIT_PER_MINUTE: '0',
    AMQP_EXCHANGE_NAME: bus.stream,
    ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_RPC_PORT`, '0'])),
    ...Object.fromEntries(databases.map(({ name, url }) => [`${name.toUpperCase()}_DATABASE_URL`, url])),
    NEWS_MEMBER_DATABASE_URL: urlOf('member'),
    NOTIFICATION_MEMBER_DATABASE_URL: urlOf('member'),
    ...extra,
  }
  const accounts = options.accounts ?? (modules.some(({ name }) => name === 'auth') ? 'strangers' : 'unchecked')
  const log = options.log ?? createLog('test', process.env['LOG_LEVEL'] ?? 'fatal')
  const host = await startHost(modules, env, log, { accounts })
  const bearing = <S extends DescService>(service: S, accessToken: string) =>
    createClient(service, withHeaders(host.transport(service), { authorization: `Bearer ${accessToken}` }))
  const tokenOf: TestHost['tokenOf'] = (userId, claims = {}) => host.tokens.issue({ ...nobody, userId, ...claims }, 900)
  return {
    ...host,
    env,
    broker: bus,
    databaseUrl: urlOf,
    tokenOf,
    as(service, userId, claims = {}) {
      if (!userId) return createClient(service, host.transport(service))
      return bearing(service, tokenOf(userId, claims))
    },
    bearing,
    async end() {
      await host.stop()
      await Promise.all(databases.map(one => one.drop()))
      await bus.close()
    },
  }
}

/** The claims of a user without rights. */
export const nobody: Omit<AccessClaims, 'iat' | 'exp'> = {
  userId: newId(),
  email: 'nobody@hotel.example',
  isAdmin: false,
  memberId: null,
  workspaceId: null,
  roles: [],
  permissions: [],
  kind: 'modern',
  sessionId: null,
}

/** The transport with further headers on each call. */
export const withHeaders = (transport: Transport, headers: Record<string, string>): Transport => ({
  unary: (method, signal, timeoutMs, header, input, values) =>
    transport.unary(method, signal, timeoutMs, { ...headers, ...(header as Record<string, string>) }, input, values),
  stream: (method, signal, timeoutMs, header, input, values) =>
    transport.stream(method, signal, timeoutMs, { ...headers, ...(header as Record<string, string>) }, input, values),
})

type Clients<S extends Record<string, DescService>> = { readonly [Name in keyof S]: Client<S[Name]> }

/** Clients of these services for every kind of caller, each made when it is used. */
export function callersOf<S extends Record<string, DescService>>(host: TestHost, services: S) {
  const clients = (make: (service: DescService) => unknown) =>
    new Proxy(services, { get: (_, name: string) => make(services[name] as DescService) }) as unknown as Clients<S>
  return {
    asService: clients(one => host.client(one)),
    asUser: (user: string | { userId: string } | undefined) =>
      clients(one => host.as(one, typeof user === 'object' ? user.userId : user)),
    withToken: (accessToken: string) => clients(one => host.bearing(one, accessToken)),
    anonymous: clients(one => host.as(one)),
  }
}

/** The platform error of a refused call; fails the test when the call succeeds. */
export async function refusal(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call
  } catch (error) {
    return toRpcError(error)
  }
  return assert.unreachable('the call was not refused') as never
}

/** Asserts the status of a refusal, and its code in the legacy version. */
export async function isRefused(call: Promise<unknown>, status: number, msg = ''): Promise<void> {
  const { info } = await refusal(call)
  assert.equal([info.status, info.msg], [status, msg])
}

/** The status of a call's answer. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    error => toRpcError(error).info.status,
  )

/** Waits until the check returns a truthy value, polling every few milliseconds; fails after `ms`. */
export async function eventually<T>(check: () => Promise<T> | T, ms = 30_000): Promise<NonNullable<T>> {
  const end = performance.now() + ms
  let last: unknown
  for (;;) {
    // The last check begins after the end, because a process that stalled has not had its time.
    const isLast = performance.now() >= end
    try {
      const value = await check()
      if (value) return value as NonNullable<T>
    } catch (error) {
      last = error
    }
    if (isLast) throw last instanceof Error ? last : new Error('it did not happen in time')
    await new Promise(resolve => setTimeout(resolve, 15))
  }
}
