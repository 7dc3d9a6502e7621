import type { DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect'
import { z } from 'zod'
import { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { accessOf, requireTenant } from '../access/access.ts'
import { type Accounts, accountsFrom, dropEndedSignIns } from '../access/accounts.ts'
import { authenticator } from '../access/authenticate.ts'
import { credentialsFrom } from '../access/credentials.ts'
import { watchRefusedCredentials } from '../access/refused-credentials.ts'
import { dropRightsFirst, type Rights, rightsChangedSubject, rightsFrom } from '../access/rights.ts'
import { accessTokens, type Tokens } from '../access/tokens.ts'
import { currentRequestId } from '../base/ids.ts'
import { cipher, secretMatcher } from '../base/secrets.ts'
import { ownerOf, type ServiceName } from '../base/service-names.ts'
import { brokerAccount } from '../bus/address.ts'
import { type Bus, connectBus } from '../bus/bus.ts'
import { watchBus, watchOutbox } from '../bus/metrics.ts'
import { watchPools } from '../database/pools.ts'
import { type Environment, liveKeys, readSettings, secret } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import { createMetrics, type Metrics } from '../process/metrics.ts'
import { modeOf } from '../process/mode.ts'
import { assertProduction } from '../process/settings/production.ts'
import { settingWarnings } from '../process/settings/setting-faults.ts'
import { takesBody } from './door/body.ts'
import type { HeaderCheck } from './door/handlers.ts'
import { isServing } from './health.ts'
import type { Idempotency } from './idempotency.ts'
import type { Rpc } from './implement.ts'
import { type LocalServices, localServices } from './in-process.ts'
import { gateInterceptors } from './interceptors.ts'
import { type CallLimit, callLimit, callsPerMinute } from './limits/call-limit.ts'
import { limitCalls } from './limits/limits.ts'
import { remoteServices, rpcPort } from './remote-services.ts'
import { type RpcServer, startRpcServer } from './server.ts'

export { type ServiceName, serviceNames } from '../base/service-names.ts'

/** What the hosting process provides to a service. */
export type Runtime = {
  env: Environment
  log: Log
  bus: Bus
  tokens: Tokens
  rights: Rights
  /** Checks whether accounts and sessions are still valid. */
  accounts: Accounts
  metrics: Metrics
  /** A typed client that calls with the service key, wherever the other service runs. */
  client<S extends DescService>(service: S): Client<S>
}

/** A running service. */
type RunningService = {
  rpcs: Rpc[]
  /** Where its creating routes store the answers to Idempotency-Keys; without it they ignore such keys. */
  idempotency?: Pick<Idempotency, 'db' | 'except'>
  /** Throws while the service can't work, for example without its database. */
  ready(): Promise<void>
  /** Called when all services of the process can be called; the host starts once it is done. */
  afterStart?(): Promise<void>
  stop(): Promise<void>
}

/** The export of a service folder: its name and how it starts. */
export type ServiceModule = { name: ServiceName; start(runtime: Runtime): Promise<RunningService> }

export type Host = Runtime & {
  /** A transport to a service without the host's service key, for callers with their own credentials. */
  transport(service: DescService): Transport
  /**
   * Checks a call before its body is read: its credentials, and that its caller belongs to a tenant where one is
   * needed. Services check both again.
   */
  checkHeaders: HeaderCheck
  hostedServices: ReadonlySet<ServiceName>
  /** Whether a service, here or elsewhere, can work now. Answers within a second. */
  healthy(name: ServiceName): Promise<boolean>
  /** Makes clients reconnect elsewhere; all calls are still answered. See `RpcServer`. */
  drain(): void
  stop(): Promise<void>
}

const shape = {
  JWT_ACCESS_SECRET: secret,
  JWT_ACCESS_SECRET_PREVIOUS: secret.optional(),
  JWT_ACCESS_SECRET_NEXT: secret.optional(),
  SERVICE_API_KEY: secret,
  SERVICE_API_KEY_PREVIOUS: secret.optional(),
  SERVICE_API_KEY_NEXT: secret.optional(),
  AMQP_EXCHANGE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default('platform_events'),
  BUS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  RPC_HOST: z.string().default('127.0.0.1'),
}

/** Longest sealed answer in characters, the limit of its column type. */
const maxAnswerLength = 16_777_215

export type HostOptions = {
  /**
   * Whether tokens are checked against the authentication service. Tests may accept unknown people (`strangers`) or
   * skip the check (`unchecked`).
   */
  accounts?: 'checked' | 'strangers' | 'unchecked'
}

/** Starts a set of services in this process and connects them with those elsewhere. */
export async function startHost(
  modules: ServiceModule[],
  env: Environment,
  log: Log,
  options: HostOptions = {},
): Promise<Host> {
  const config = readSettings(env, '', shape)
  // An invalid NODE_ENV ends the start.
  modeOf(env)
  const hostedServices = new Set(modules.map(module => module.name))
  assertProduction(env, hostedServices)
  for (const line of settingWarnings(env, hostedServices)) log.warn(line)
  const bus = await connectBus({
    ...brokerAccount(modules, env),
    stream: config.AMQP_EXCHANGE_NAME,
    replicas: config.BUS_REPLICAS,
    name: 'platform',
    log,
  })
  const local = localServices()
  const metrics = createMetrics()
  watchBus(metrics.registry, bus)
  watchPools(metrics.registry)
  const remotes = remoteServices(env)
  const transport = (service: DescService): Transport => {
    const owner = ownerOf(service)
    return hostedServices.has(owner) ? local.transport : remotes.to(owner)
  }
  const client = <S extends DescService>(service: S): Client<S> =>
    createClient(service, withServiceKey(transport(service), config.SERVICE_API_KEY))

  const rights = rightsFrom(() => client(AccessService))
  bus.subscribeCore(rightsChangedSubject, () => rights.evict())

  const accounts =
    options.accounts === 'unchecked'
      ? noAccounts
      : accountsFrom(() => client(AccountService), { strangers: options.accounts === 'strangers' })
  dropEndedSignIns(bus, accounts)

  const tokenSecrets = liveKeys(
    config.JWT_ACCESS_SECRET,
    config.JWT_ACCESS_SECRET_PREVIOUS,
    config.JWT_ACCESS_SECRET_NEXT,
  )
  const tokens = accessTokens(tokenSecrets)
  const serviceKeys = liveKeys(config.SERVICE_API_KEY, config.SERVICE_API_KEY_PREVIOUS, config.SERVICE_API_KEY_NEXT)
  const credentials = credentialsFrom(() => client(AccountService))
  const credentialChecks = { tokens, serviceKeys, credentials, accounts }
  const authenticate = authenticator(credentialChecks, watchRefusedCredentials(log, metrics.registry))
  const checkHeaders: Host['checkHeaders'] = async (method, header) => {
    const access = accessOf(method)
    const actor = await authenticate(header, access)
    if (takesBody(method)) await requireTenant(access, actor, rights)
  }
  const reflectsTo = modeOf(env) !== 'development' ? { reflectsTo: secretMatcher(serviceKeys) } : {}
  const gateOptions = { ...credentialChecks, log, rights, metrics }
  const runtime: Runtime = {
    env,
    log,
    bus: dropRightsFirst(bus, rights),
    tokens,
    rights,
    accounts,
    metrics,
    client,
  }

  const answerCipher = cipher('kept-answer', tokenSecrets, maxAnswerLength)
  const limits: CallLimit[] = []
  const interceptorsOf = async (service: ServiceName, { idempotency }: RunningService): Promise<Interceptor[]> => {
    const perMinute = callsPerMinute(env, service)
    const limit = perMinute > 0 ? callLimit({ service, perMinute, bus }) : undefined
    if (limit) limits.push(limit)
    const chain = gateInterceptors(gateOptions, limit ? [limit.interceptor] : [])
    return idempotency
      ? [...chain, await idempotencyInterceptor({ ...idempotency, answerCipher, keys: tokenSecrets, log })]
      : chain
  }

  const runningServices: { name: ServiceName; service: RunningService; server: RpcServer }[] = []
  for (const { name, start } of modules) {
    const service = await start({ ...runtime, log: log.child({ service: name }) })
    if (service.idempotency) watchOutbox(metrics.registry, name, service.idempotency.db)
    const rpcs = service.rpcs.map(rpc => limitCalls(rpc, { client: () => client(AccountService), log }))
    const interceptors = await interceptorsOf(name, service)
    addRpcs(local, rpcs, interceptors)
    const healthy = async () => succeeds(service.ready())
    const server = await startRpcServer({
      rpcs,
      interceptors,
      host: config.RPC_HOST,
      port: rpcPort(env, name, modules.length === 1),
      setting: `${name.toUpperCase()}_RPC_PORT`,
      env,
      healthy,
      checkHeaders,
      ...reflectsTo,
    })
    runningServices.push({ name, service, server })
  }
  for (const { service } of runningServices) await service.afterStart?.()

  return {
    ...runtime,
    transport,
    checkHeaders,
    hostedServices,
    healthy(name) {
      const hostedService = runningServices.find(one => one.name === name)
      if (hostedService) return succeedsWithin(1_000, hostedService.service.ready())
      return succeedsWithin(1_000, isServing(remotes.to(name)))
    },
    drain() {
      for (const { server } of runningServices) server.drain()
    },
    async stop() {
      for (const limit of limits) limit.stop()
      await Promise.all(runningServices.map(({ server }) => server.close()))
      for (const { service } of runningServices.toReversed()) await service.stop()
      remotes.close()
      await bus.close()
    },
  }
}

/** Imported on demand: a process without a database needs no database driver. */
async function idempotencyInterceptor(options: Idempotency): Promise<Interceptor> {
  const { idempotent } = await import('./idempotency.ts')
  return idempotent(options)
}

/** Every token counts as valid. */
const noAccounts: Accounts = { isValid: async () => true, evict: () => undefined }

function addRpcs(local: LocalServices, rpcs: Rpc[], interceptors: ReturnType<typeof gateInterceptors>): void {
  for (const { service, implementation } of rpcs)
    local.add(service, implementation as Record<string, unknown>, interceptors)
}

const succeeds = (promise: Promise<void>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

const succeedsWithin = (ms: number, promise: Promise<void>): Promise<boolean> =>
  Promise.race([succeeds(promise), new Promise<boolean>(resolve => setTimeout(resolve, ms, false).unref())])

/** Adds the service key and the current request id to every call. */
function withServiceKey(transport: Transport, key: string): Transport {
  const headers = () => {
    const requestId = currentRequestId.getStore()
    return requestId ? { 'x-api-key': key, 'x-request-id': requestId } : { 'x-api-key': key }
  }
  return {
    unary: (method, signal, timeoutMs, _header, input, values) =>
      transport.unary(method, signal, timeoutMs, headers(), input, values),
    stream: (method, signal, timeoutMs, _header, input, values) =>
      transport.stream(method, signal, timeoutMs, headers(), input, values),
  }
}
