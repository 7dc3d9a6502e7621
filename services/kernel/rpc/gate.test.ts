import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, type Interceptor, type UnaryRequest } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import grpc from '@grpc/grpc-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Health, HealthCheckRequestSchema, HealthCheckResponseSchema } from '../../../gen/grpc/health/v1/health_pb.ts'
import { GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { TeamService } from '../../../gen/platform/member/v1/teams_pb.ts'
import { eventually } from '../../../test/kit/kit.ts'
import { partly } from '../../../test/kit/partly.ts'
import { tenantOf, tenantOfRecord } from '../access/access.ts'
import type { Rights } from '../access/rights.ts'
import { accessTokens } from '../access/tokens.ts'
import { NotFoundError, type RpcError, toRpcError } from '../base/errors.ts'
import { setErrorSink } from '../process/error-reports.ts'
import { silentLog } from '../process/log.ts'
import type { RpcMetrics } from '../process/metrics.ts'
import { deadline } from './deadline.ts'
import { localServices } from './in-process.ts'
import { gateInterceptors } from './interceptors.ts'
import { remoteTransport } from './remote.ts'
import { startRpcServer } from './server.ts'

const test = suite('steps before a handler')

const [workspaceId, otherWorkspaceId] = ['a'.repeat(24), 'b'.repeat(24)]
const userId = 'c'.repeat(24)
const tokens = accessTokens(['a-secret-for-this-test'])
const key = 'a-service-key-for-this-test'

// Stands in for the member service, which is tested with its own database.
const member = (permissions: string[]) =>
  create(GetAccessResponseSchema, {
    memberId: 'd'.repeat(24),
    userId,
    workspaces: [{ workspaceId, workspaceName: 'Hotel', ecosystemId: workspaceId, role: 'member', permissions }],
  })
let permissions = ['view_members', 'manage_members']
const rights: Rights = {
  ofUser: async id => (id === userId ? member(permissions) : undefined),
  ofMember: async () => undefined,
  workspace: async () => undefined,
  evict: () => undefined,
}

const teams = partly(TeamService, {
  async createTeam({ name }, context) {
    if (name === 'explode') throw new Error('the database password is hunter2')
    if (name === 'missing') throw new NotFoundError('Leader not found')
    return { team: { name, workspaceId: tenantOf(context).workspaceId } }
  },
  async listTeamMembers({ id }, context) {
    if (id !== 'e'.repeat(24)) await tenantOfRecord(context, id, 'Team')
    return { data: [] }
  },
})

const brokenId = 'f'.repeat(24)
const media = partly(MediaService, {
  async *downloadMedia({ id }) {
    if (id === brokenId) throw Object.assign(new Error('Too many connections'), { errno: 1040 })
    for (;;) yield { chunk: { data: new Uint8Array(16) } }
  },
})

const observed: string[] = []
const metrics = {
  observe: (rpc: string, result: string) => void observed.push(`${rpc.split('/')[1]} ${result}`),
} as unknown as RpcMetrics
const interceptors: Interceptor[] = gateInterceptors({ log: silentLog, tokens, serviceKeys: [key], rights, metrics })
const local = localServices()
for (const { service, implementation } of [teams, media])
  local.add(service, implementation as Record<string, unknown>, interceptors)
const server = await startRpcServer({
  rpcs: [teams, media],
  interceptors,
  host: '127.0.0.1',
  port: 0,
  healthy: async () => true,
})
const remote = remoteTransport(`http://127.0.0.1:${server.port}`)

const claims = {
  userId,
  email: 'a@hotel.example',
  isAdmin: false,
  memberId: null,
  workspaceId: null,
  roles: [],
  permissions: [],
  kind: 'modern' as const,
  sessionId: null,
}
const bearer = (id = userId) => ({ authorization: `Bearer ${tokens.issue({ ...claims, userId: id }, 60)}` })

const refusal = async (run: Promise<unknown>): Promise<RpcError> => {
  try {
    await run
  } catch (error) {
    return toRpcError(error)
  }
  throw new Error('was not refused')
}

test('an outage is logged once without a stack, whatever the number of calls', async () => {
  const lines: Record<string, unknown>[] = []
  const log = { ...silentLog, error: (fields: Record<string, unknown>) => void lines.push(fields) } as never
  const ownServices = localServices()
  const chain = gateInterceptors({ log, tokens, serviceKeys: [key], rights })
  ownServices.add(media.service, media.implementation as Record<string, unknown>, chain)
  const client = createClient(MediaService, ownServices.transport)
  for (let calls = 0; calls < 5; calls++) {
    const read = () => client.downloadMedia({ id: brokenId }, { headers: bearer() })[Symbol.asyncIterator]().next()
    assert.is((await refusal(read())).info.status, 503)
  }
  assert.equal(
    lines.map(({ requestId: _, ...fields }) => fields),
    [{ rpc: 'platform.media.v1.MediaService/DownloadMedia', status: 503, reason: 'Too many connections' }],
  )
})

for (const [place, transport] of [
  ['in the process', local.transport],
  ['over the network', remote],
] as const) {
  const client = createClient(TeamService, transport)

  test(`${place}, a permitted call reaches its handler with the tenant`, async () => {
    const { team } = await client.createTeam({ workspaceId, name: 'Night' }, { headers: bearer() })
    assert.is(team?.workspaceId, workspaceId)
  })

  test(`${place}, refusals follow the order: 401, validation, tenant, permission`, async () => {
    const bad = { workspaceId: otherWorkspaceId, name: '' }
    assert.is((await refusal(client.createTeam(bad))).info.status, 401)
    assert.is((await refusal(client.createTeam(bad, { headers: { authorization: 'Bearer x' } }))).info.status, 401)
    const invalid = await refusal(client.createTeam(bad, { headers: bearer() }))
    assert.equal([invalid.info.status, invalid.info.violations[0]?.path], [400, 'name'])
    assert.is(invalid.info.violations[0]?.message, 'is required')
    const foreign = await refusal(client.createTeam({ ...bad, name: 'x' }, { headers: bearer() }))
    assert.equal([foreign.info.status, foreign.rawMessage], [403, 'Workspace access denied'])
    permissions = ['view_members']
    const lacking = await refusal(client.createTeam({ workspaceId, name: 'x' }, { headers: bearer() }))
    permissions = ['view_members', 'manage_members']
    assert.equal([lacking.info.status, lacking.rawMessage], [403, 'Permission denied'])
  })

  test(`${place}, only spaces may stand between Bearer and its token`, async () => {
    const token = bearer().authorization.slice('Bearer '.length)
    const call = { workspaceId, name: 'x' }
    for (const authorization of [`Bearer  ${token}`, `bearer   ${token}`])
      assert.is((await client.createTeam(call, { headers: { authorization } })).team?.workspaceId, workspaceId)
    for (const authorization of [`Bearer\t${token}`, `Bearer${token}`, `Bearer ${token} x`, `Bearer ,${token}`])
      assert.is((await refusal(client.createTeam(call, { headers: { authorization } }))).info.status, 401)
  })

  test(`${place}, a person without a member record is outside every workspace`, async () => {
    const error = await refusal(client.createTeam({ workspaceId, name: 'x' }, { headers: bearer('f'.repeat(24)) }))
    assert.equal([error.info.status, error.rawMessage], [403, 'Workspace access denied'])
  })

  test(`${place}, a service key opens no method that only people can call, and a wrong one is a 401`, async () => {
    const call = { workspaceId, name: 'x' }
    assert.is((await refusal(client.createTeam(call, { headers: { 'x-api-key': key } }))).info.status, 403)
    assert.is((await refusal(client.createTeam(call, { headers: { 'x-api-key': 'other' } }))).info.status, 401)
  })

  test(`${place}, the error class and message of a handler are returned, and an unknown error’s text is not`, async () => {
    const missing = await refusal(client.createTeam({ workspaceId, name: 'missing' }, { headers: bearer() }))
    assert.equal([missing.info.class, missing.rawMessage], ['NotFoundError', 'Leader not found'])
    const exploded = await refusal(client.createTeam({ workspaceId, name: 'explode' }, { headers: bearer() }))
    assert.equal([exploded.info.status, exploded.rawMessage], [500, 'Internal server error'])
  })

  test(`${place}, another tenant's record looks like one that does not exist`, async () => {
    const error = await refusal(client.listTeamMembers({ id: otherWorkspaceId }, { headers: bearer() }))
    assert.equal([error.info.status, error.rawMessage], [404, 'Team not found'])
  })

  test(`${place}, a record handler without a tenant check returns no answer`, async () => {
    const error = await refusal(client.listTeamMembers({ id: 'e'.repeat(24) }, { headers: bearer() }))
    assert.is(error.info.status, 500)
  })

  test(`${place}, an unimplemented method answers 501`, async () => {
    assert.is((await refusal(client.listTeams({ workspaceId }, { headers: bearer() }))).info.status, 501)
  })
}

test('a stock gRPC client gets answers, error codes and health from the same port', async () => {
  const stock = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure())
  const health = await new Promise<number>((resolve, reject) =>
    stock.makeUnaryRequest(
      `/${Health.typeName}/Check`,
      (service: string) =>
        Buffer.from(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service }))),
      bytes => fromBinary(HealthCheckResponseSchema, bytes),
      TeamService.typeName,
      (error, answer) => (error ? reject(error) : resolve(answer?.status ?? 0)),
    ),
  )
  assert.is(health, 1)
  const code = await new Promise(resolve =>
    stock.makeUnaryRequest(
      `/${TeamService.typeName}/CreateTeam`,
      () => Buffer.alloc(0),
      bytes => bytes,
      undefined,
      error => resolve(error?.code),
    ),
  )
  assert.is(code, grpc.status.UNAUTHENTICATED)
  stock.close()
})

test('an unexpected error is reported with its RPC and request id, and a refusal is not', async () => {
  const reports: [string, unknown][] = []
  setErrorSink((error, { source, requestId }) => reports.push([`${source} ${requestId}`, error]))
  try {
    const client = createClient(TeamService, remote)
    const headers = { ...bearer(), 'x-request-id': 'r-1' }
    await refusal(client.createTeam({ workspaceId, name: 'missing' }, { headers }))
    await refusal(client.createTeam({ workspaceId, name: 'explode' }, { headers }))
  } finally {
    setErrorSink(undefined)
  }
  assert.equal(
    reports.map(([source, error]) => [source, (error as Error).message]),
    [['platform.member.v1.TeamService/CreateTeam r-1', 'the database password is hunter2']],
  )
})

test('a request id that is too long or not a token is replaced, in the process and over the port', async () => {
  const reportedIds: (string | undefined)[] = []
  setErrorSink((_error, { requestId }) => reportedIds.push(requestId))
  const requestIds = ['x'.repeat(65), '{"level":60}', 'a b', '', 'r-17_A']
  try {
    for (const transport of [local.transport, remote])
      for (const id of requestIds) {
        const headers = { ...bearer(), 'x-request-id': id }
        await refusal(createClient(TeamService, transport).createTeam({ workspaceId, name: 'explode' }, { headers }))
      }
  } finally {
    setErrorSink(undefined)
  }
  const ownIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
  assert.equal(
    reportedIds.map(id => (ownIdPattern.test(id ?? '') ? 'own' : id)),
    [1, 2].flatMap(() => ['own', 'own', 'own', 'own', 'r-17_A']),
  )
})

test('an RPC of more than a MiB is refused before it is decoded', async () => {
  // Connect's own client: `remote` translates every error.
  const client = createClient(
    TeamService,
    createConnectTransport({ baseUrl: `http://127.0.0.1:${server.port}`, httpVersion: '1.1' }),
  )
  const error = await client
    .createTeam({ workspaceId, name: 'x'.repeat(1_100_000) }, { headers: bearer() })
    .catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ConnectError && error.code === Code.ResourceExhausted, String(error))
  assert.equal([toRpcError(error).info.status, error.rawMessage], [413, 'The body must not exceed 221024 bytes'])
})

test('a call past its deadline is a 503, and one that fails before keeps its error', async () => {
  const slow = deadline(20)(() => new Promise(() => undefined))
  const call = { stream: false } as UnaryRequest
  assert.is((await refusal(slow(call))).info.status, 503)
  const failing = deadline(20)(() => Promise.reject(new NotFoundError('Leader not found')))
  assert.is((await refusal(failing(call))).rawMessage, 'Leader not found')
})

test('a call within the process ends after the time that its caller gives it', async () => {
  const services = localServices()
  services.add(TeamService, { listTeams: () => new Promise(() => undefined) }, [])
  const call = createClient(TeamService, services.transport).listTeams({ workspaceId }, { timeoutMs: 50 })
  const error = await refusal(call)
  assert.equal(
    [error.code, error.info.status, error.rawMessage],
    [Code.DeadlineExceeded, 503, 'The call took too long'],
  )
})

test('a call refused at once leaves no timer for its deadline', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const refusing = deadline()(() => {
    throw new NotFoundError('Leader not found')
  })
  for (let n = 0; n < 10; n++) await refusal(refusing({ stream: false } as UnaryRequest))
  assert.is(timers(), before)
})

test('an unavailable server is a 503 without its address', async () => {
  const deadTransport = remoteTransport('http://127.0.0.1:1')
  const error = await refusal(
    createClient(TeamService, deadTransport).listTeams({ workspaceId }, { headers: bearer() }),
  )
  assert.equal([error.info.status, error.rawMessage], [503, 'Service unavailable, try again'])
  deadTransport.close()
})

test.after(async () => {
  remote.close()
  await server.close(1_000)
})

for (const [place, transport] of [
  ['in the process', local.transport],
  ['over the network', remote],
] as const) {
  test(`${place}, a failure inside a streamed answer has the status of any other, and is counted`, async () => {
    observed.length = 0
    const parts = createClient(MediaService, transport).downloadMedia({ id: brokenId })
    const first = parts[Symbol.asyncIterator]().next()
    const error = toRpcError(await first.catch((thrown: unknown) => thrown))
    assert.equal([error.info.status, error.info.class], [503, 'ServiceUnavailableError'])
    assert.equal(observed, ['DownloadMedia ServiceUnavailableError'])
  })

  test(`${place}, a streamed answer that its caller leaves early is counted as ok`, async () => {
    observed.length = 0
    async function* requests() {
      yield { id: 'e'.repeat(24) }
    }
    const controller = new AbortController()
    const { downloadMedia } = MediaService.method
    const { message } = await transport.stream(downloadMedia, controller.signal, undefined, undefined, requests())
    const parts = message[Symbol.asyncIterator]()
    assert.not.ok((await parts.next()).done)
    await parts.return?.()
    controller.abort()
    await eventually(() => observed.length > 0)
    assert.equal(observed, ['DownloadMedia ok'])
  })
}

test.run()
