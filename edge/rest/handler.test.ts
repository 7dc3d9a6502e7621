import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { SignInService } from '../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { PreferenceService } from '../../gen/platform/notification/v1/preferences_pb.ts'
import { ConflictError, TooManyRequestsError, UnauthorizedError } from '../../services/kernel/base/errors.ts'
import { setErrorSink } from '../../services/kernel/process/error-reports.ts'
import { localServices } from '../../services/kernel/rpc/in-process.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { cors } from '../http/cors.ts'
import { setAnswerHeaders } from '../http/request-id.ts'
import { admission } from './admission.ts'
import { restHandler } from './handler.ts'

const test = suite('REST from the descriptors')

// The edge's requests and answers are under test, so the handlers echo their input.
const local = localServices()
let receivedRequest: unknown
/** Calls that end on command. */
const waiting: (() => void)[] = []
const id = 'a'.repeat(24)
const handlers = {
  createTeam: async (request: { name: string }) => {
    receivedRequest = request
    if (request.name === 'taken') throw new ConflictError('The workspace has a team of that name')
    if (request.name === 'broken') throw new Error('secret text')
    if (request.name === 'waits') await new Promise<void>(resolve => waiting.push(resolve))
    if (request.name === 'busy') throw new TooManyRequestsError(undefined, { retryAfterSeconds: 7 })
    return { team: { id, name: request.name, workspaceId: id } }
  },
  updateTeam: async (request: unknown) => {
    receivedRequest = request
    return { team: { id } }
  },
  updatePreferences: async (request: unknown) => {
    receivedRequest = request
    return { preferences: {} }
  },
  listPages: async (request: { search?: string }) => {
    receivedRequest = request
    if (request.search === 'waits') await new Promise<void>(resolve => waiting.push(resolve))
    return { data: [], meta: { total: 0, page: 1, limit: 20, totalPages: 0 } }
  },
  login: async () => {
    throw new UnauthorizedError('Invalid credentials', { msg: 'MSG_601' })
  },
}
const services = [TeamService, PageService, PreferenceService, SignInService]
for (const service of services) local.add(service, handlers, [])

const app = express().disable('etag').disable('x-powered-by')
app.use(cors(new Set(['https://app.hotel.example'])))
app.use(
  restHandler(
    services,
    admission(10).limitCalls(() => local.transport),
  ),
)
const server = createServer((request, response) => {
  setAnswerHeaders(request, response)
  app(request, response)
})
await new Promise<void>(resolve => {
  server.listen(0, '127.0.0.1', resolve)
})
const { port } = server.address() as AddressInfo
const base = `http://127.0.0.1:${port}`

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(base + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} }
}

const paths = ({ body }: Answer) => (body['error'] as { path: string }[]).map(one => one.path)

test('a creation answers 201 with the resource as the body, every field present', async () => {
  const { status, body, headers } = await call('POST', '/teams/', { workspaceId: id, name: 'Night' })
  assert.is(status, 201)
  assert.is(body['name'], 'Night')
  assert.is(body['description'], null)
  assert.is(body['membersCount'], 0)
  assert.match(headers.get('content-type') ?? '', 'application/json')
})

const refusals: [
  title: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  status: number,
][] = [
  ['an unknown path', 'GET', '/nowhere', undefined, {}, 404],
  ['another verb', 'PUT', '/teams', {}, {}, 405],
  ['text that is no JSON', 'POST', '/teams', '{"name":', {}, 400],
  ['another media type', 'POST', '/teams', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['an unknown charset', 'POST', '/teams', '{}', { 'content-type': 'application/json; charset=klingon' }, 415],
  ['an unknown encoding', 'POST', '/teams', '{}', { 'content-encoding': 'zstd-ish' }, 415],
  ['a list for an object', 'POST', '/teams', [], {}, 400],
  ['a number for an object', 'POST', '/teams', 7, {}, 400],
  ['null for an object', 'POST', '/teams', 'null', {}, 400],
  ['a body of more than 100 kB', 'POST', '/teams', { name: 'x'.repeat(100_001) }, {}, 413],
  [
    'a small body that unpacks to 50 MB',
    'POST',
    '/teams',
    gzipSync(Buffer.alloc(50e6, 32)),
    { 'content-encoding': 'gzip' },
    413,
  ],
  ['101 levels of nesting', 'POST', '/api/v1/pages', `{"content":${'{"a":'.repeat(101)}1${'}'.repeat(101)}}`, {}, 400],
  [
    '5,000 levels of nesting',
    'POST',
    '/api/v1/pages',
    `{"content":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    {},
    400,
  ],
  ['a query parameter given twice', 'GET', `/api/v1/pages?workspaceId=${id}&page=1&page=2`, undefined, {}, 400],
  ['a number that is none', 'GET', `/api/v1/pages?workspaceId=${id}&page=two`, undefined, {}, 400],
  ['a number in scientific form', 'GET', `/api/v1/pages?workspaceId=${id}&page=1e3`, undefined, {}, 400],
  ['a fraction for a whole number', 'GET', `/api/v1/pages?workspaceId=${id}&page=1.5`, undefined, {}, 400],
  ['a path that does not decode', 'GET', '/teams/%E0%A4%A/members', undefined, {}, 400],
  ['NUL in a path', 'GET', '/teams/%00/members', undefined, {}, 400],
  ['an unbuilt method', 'GET', `/teams/${id}/members`, undefined, {}, 501],
]
for (const [title, method, path, body, headers, status] of refusals) {
  test(`${title} is a ${status}`, async () => {
    const answer = await call(method, path, body, headers)
    assert.is(answer.status, status, JSON.stringify(answer.body))
    if (status === 400) assert.ok(Array.isArray(answer.body['error']))
    else assert.equal([answer.body['statusCode'], typeof answer.body['requestId']], [status, 'string'])
  })
}

test('an unsupported verb names the supported ones, and OPTIONS lists them', async () => {
  assert.is((await call('DELETE', '/teams')).headers.get('allow'), 'POST, OPTIONS')
  const options = await call('OPTIONS', `/teams/${id}/members`)
  assert.equal([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
})

test('HEAD answers like GET without a body', async () => {
  const { status, headers, body } = await call('HEAD', `/api/v1/pages?workspaceId=${id}`)
  assert.equal([status, body], [200, {}])
  assert.ok(Number(headers.get('content-length')) > 20)
})

test('the query becomes typed fields', async () => {
  await call('GET', `/api/v1/pages?workspaceId=${id}&page=2&search=caf%C3%A9+%25`)
  const { page, search } = receivedRequest as { page: number; search: string }
  assert.equal([page, search], [2, 'café %'])
})

test('a PATCH sends the keys of its body as the mask: null clears a field, and absent fields are unchanged', async () => {
  await call('PATCH', `/teams/update/${id}`, { description: null, leaderId: id })
  const { updateMask, description, leaderId } = receivedRequest as Record<
    string,
    { paths: string[] } | string | undefined
  >
  assert.equal((updateMask as { paths: string[] }).paths, ['description', 'leader_id'])
  assert.equal([description, leaderId], [undefined, id])
  await call('PATCH', `/teams/update/${id}`, {})
  assert.equal((receivedRequest as { updateMask: { paths: string[] } }).updateMask.paths, [])
  assert.equal(paths(await call('PATCH', `/teams/update/${id}`, { id, nme: 'x' })), ['id', 'nme'])
  const maskOf = async (categoryPrefs: object | null) => {
    await call('PATCH', '/api/v1/preferences', { categoryPrefs })
    return (receivedRequest as { updateMask: { paths: string[] } }).updateMask.paths
  }
  assert.equal([await maskOf(null), await maskOf({})], [['category_prefs'], []])
})

test('errors use the class dialect, with Retry-After where applicable, and never contain internal text', async () => {
  const conflict = await call('POST', '/teams', { workspaceId: id, name: 'taken' })
  const { requestId, ...body } = conflict.body
  assert.equal(body, { statusCode: 409, error: 'ConflictError', message: 'The workspace has a team of that name' })
  assert.is(conflict.headers.get('x-request-id'), requestId)
  assert.is((await call('POST', '/teams', { workspaceId: id, name: 'busy' })).headers.get('retry-after'), '7')
  const failure = await call('POST', '/teams', { workspaceId: id, name: 'broken' })
  assert.equal([failure.status, failure.body['message']], [500, 'Internal server error'])
})

test('calls beyond the limit get 503 with Retry-After, sign-ins last, and succeed again afterwards', async () => {
  const create = (name: string) => call('POST', '/teams/', { workspaceId: id, name })
  const list = (search: string) => call('GET', `/api/v1/pages?workspaceId=${id}&search=${search}`)
  const isRefused = ({ status, headers, body }: Answer) =>
    assert.equal([status, headers.get('retry-after'), body['error']], [503, '1', 'ServiceUnavailableError'])
  const creations = Array.from({ length: 5 }, () => create('waits'))
  await eventually(() => waiting.length === 5)
  // One service has at most half of the calls: when it hangs, the others are still answered.
  isRefused(await create('Night'))
  assert.is((await list('x')).status, 200)
  const listings = Array.from({ length: 4 }, () => list('waits'))
  await eventually(() => waiting.length === 9)
  isRefused(await list('x'))
  assert.is((await call('POST', '/auth/login/mobile', { email: 'a@b.fr', password: 'x' })).status, 401)
  for (const end of waiting.splice(0)) end()
  for (const answer of creations) assert.is((await answer).status, 201)
  for (const answer of listings) assert.is((await answer).status, 200)
  assert.is((await create('Night')).status, 201)
})

test('an error of the edge itself is reported once, and an error of a service is not', async () => {
  const reports: string[] = []
  setErrorSink((error, { source, requestId }) => reports.push(`${source} ${requestId}: ${(error as Error).message}`))
  try {
    for (const name of ['broken', 'taken'])
      await call('POST', '/teams/', { workspaceId: id, name }, { 'x-request-id': `r-${name}` })
  } finally {
    setErrorSink(undefined)
  }
  assert.equal(reports, ['edge r-broken: secret text'])
})

test('a client that accepts problem details gets each error in that form, with the same status, text and fields', async () => {
  const headers = { accept: 'application/problem+json, application/json' }
  const conflict = await call('POST', '/teams/', { workspaceId: id, name: 'taken' }, headers)
  assert.is(conflict.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  const { type, title, status, detail, requestId } = conflict.body
  assert.equal(
    [conflict.status, type, title, status, detail],
    [409, 'urn:platform:error:ConflictError', 'Conflict', 409, 'The workspace has a team of that name'],
  )
  assert.is(requestId, conflict.headers.get('x-request-id'))
  const invalid = await call('POST', '/teams/', { workspaceId: id, name: 7 }, headers)
  assert.equal([invalid.status, invalid.body['type']], [400, 'urn:platform:error:ValidationError'])
  assert.equal((invalid.body['errors'] as { path: string }[])[0]?.path, 'name')
  const legacy = await call('POST', '/auth/login/mobile', { email: 'a@b.fr', password: 'x' }, headers)
  assert.equal(
    [legacy.status, legacy.body['type'], legacy.body['msg']],
    [401, 'urn:platform:error:UnauthorizedError', 'MSG_601'],
  )
  const failure = await call('POST', '/teams/', { workspaceId: id, name: 'broken' }, headers)
  assert.not.match(JSON.stringify(failure.body), 'secret')
})

test('legacy routes answer in the legacy dialect', async () => {
  const { status, body } = await call('POST', '/auth/login/mobile', { email: 'a@b.fr', password: 'x' })
  assert.equal([status, body], [401, { msg: 'MSG_601', success: false }])
  const invalid = await call('POST', '/auth/login/mobile', { email: 7 })
  assert.equal([invalid.status, invalid.body], [400, { msg: 'NO_MSG', success: false }])
  const detailed = await call('POST', '/auth/login/mobile', { email: 7 }, { accept: 'application/problem+json' })
  assert.equal(
    [detailed.status, detailed.body['msg'], detailed.body['errors']],
    [400, 'NO_MSG', [{ path: 'email', message: 'must be a string', rule: 'type' }]],
  )
})

test('a well-formed request id of the client is kept', async () => {
  assert.is((await call('GET', '/x', undefined, { 'x-request-id': 'abc-1' })).headers.get('x-request-id'), 'abc-1')
  assert.is.not((await call('GET', '/x', undefined, { 'x-request-id': 'a b' })).headers.get('x-request-id'), 'a b')
})

test('only listed origins can read answers, and their preflights list what is allowed', async () => {
  const preflight = { 'access-control-request-method': 'POST' }
  const allowedPreflight = await call('OPTIONS', '/teams', undefined, {
    origin: 'https://app.hotel.example',
    ...preflight,
  })
  assert.equal(
    [allowedPreflight.status, allowedPreflight.headers.get('access-control-allow-origin')],
    [204, 'https://app.hotel.example'],
  )
  const foreignPreflight = await call('OPTIONS', '/teams', undefined, { origin: 'https://evil.example', ...preflight })
  assert.is(foreignPreflight.headers.get('access-control-allow-origin'), null)
  // A cached copy stored without an origin must not be served to a page.
  assert.is((await call('GET', '/x')).headers.get('vary'), 'Origin')
})

test('a request with two lengths is refused before it is read', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'),
    )
    socket.once('data', data => resolve(data.toString('latin1'))).once('error', reject)
  })
  assert.match(answer, /^HTTP\/1\.1 400/)
})

test.after(() => {
  server.closeAllConnections()
  server.close()
})

test.run()
