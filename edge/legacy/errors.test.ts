import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { rawAnswer, startTestEdge, type TestEdge } from '../../test/kit/edge.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import {
  type Endpoint,
  endpoints,
  forUsers,
  isPublic,
  planRequest,
  takesJson,
} from '../../test/kit/requests/requests.ts'

/* Every legacy route with every kind of refusal: the body is exactly {msg, success}. */
const test = suite('errors of the legacy version')
const routes = (await endpoints()).filter(({ service }) => service === 'legacyauth')
const bodies = routes.filter(takesJson)
const guardedRoutes = routes.filter(one => !isPublic(one))

type RequestParts = { headers?: Record<string, string>; body?: string; verb?: string }
type Refusal = { status: number; targets: Endpoint[]; request: (world: TestEdge, endpoint: Endpoint) => RequestParts }

/** A person without rights. */
const stranger = ({ host }: TestEdge): Record<string, string> => ({ authorization: `Bearer ${host.tokenOf(newId())}` })
/** The credential that a route needs. */
const credential = (world: TestEdge, endpoint: Endpoint): Record<string, string> => {
  if (isPublic(endpoint)) return {}
  return forUsers(endpoint) ? stranger(world) : { 'x-api-key': world.host.env['SERVICE_API_KEY'] ?? '' }
}
const json = (world: TestEdge, endpoint: Endpoint) => ({
  ...credential(world, endpoint),
  'content-type': 'application/json',
})

/** The minimal call of a route, which passes validation. */
const minimal = (endpoint: Endpoint, headers: Record<string, string>): RequestParts => {
  const { body } = planRequest(endpoint, () => undefined)
  if (body === undefined) return { headers }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

const refusals: Record<string, Refusal> = {
  'a body that is no JSON': {
    status: 400,
    targets: bodies,
    request: (...target) => ({ headers: json(...target), body: '{' }),
  },
  'a field of the wrong type': {
    status: 400,
    targets: bodies,
    request: (world, endpoint) => {
      const good = planRequest(endpoint, () => undefined).body as Record<string, unknown>
      const bad = Object.fromEntries(Object.keys(good).map(name => [name, { $gt: '' }]))
      return { headers: json(world, endpoint), body: JSON.stringify({ ...bad, email: 7 }) }
    },
  },
  'no credential': { status: 401, targets: guardedRoutes, request: () => ({}) },
  'a forged token': {
    status: 401,
    targets: guardedRoutes,
    request: (_, endpoint) => minimal(endpoint, { authorization: 'Bearer forged' }),
  },
  'a caller without the right': {
    status: 403,
    targets: guardedRoutes.filter(one => !forUsers(one)),
    request: (world, endpoint) => minimal(endpoint, stranger(world)),
  },
  'another verb': { status: 405, targets: routes, request: () => ({ verb: 'PATCH' }) },
  'a body that is too large': {
    status: 413,
    targets: bodies,
    request: (...target) => ({ headers: json(...target), body: JSON.stringify({ email: 'a'.repeat(200_000) }) }),
  },
  'a body of another type': {
    status: 415,
    targets: bodies,
    request: (...target) => ({ headers: { ...credential(...target), 'content-type': 'text/plain' }, body: 'x' }),
  },
}

async function send({ urls }: TestEdge, endpoint: Endpoint, { headers, body, verb }: RequestParts): Promise<Response> {
  const { path } = planRequest(endpoint, () => undefined)
  const init = { method: verb ?? endpoint.route.verb, ...(headers && { headers }), ...(body && { body }) }
  return fetch(urls.legacyauth + path, init)
}

/** What is wrong with a refusal; undefined for nothing. */
async function faultIn(answer: Response, status: number): Promise<string | undefined> {
  const text = await answer.text()
  const isExact = /^\{"msg":"(NO_MSG|MSG_\d{3})","success":false\}$/.test(text)
  const hasId = /^[\w-]{8,}$/.test(answer.headers.get('x-request-id') ?? '')
  return answer.status === status && isExact && hasId ? undefined : `${answer.status} ${text}`
}

async function faults(world: TestEdge, { status, targets, request }: Refusal): Promise<string[]> {
  assert.ok(targets.length > 5, `${targets.length} routes`)
  const problems: string[] = []
  for (const endpoint of targets) {
    const fault = await faultIn(await send(world, endpoint, request(world, endpoint)), status)
    if (fault) problems.push(`${endpoint.title}: ${fault}`)
  }
  return problems
}

async function within(settings: Environment, services: ServiceModule[], work: (world: TestEdge) => Promise<void>) {
  const world = await startTestEdge(services, settings)
  await work(world).finally(() => world.end())
}

test('what is refused before or by the service: syntax, fields, credentials, rights, verbs, sizes and types', () =>
  within({ SIGN_IN_LIMIT: '1000' }, [auth, member], async world => {
    for (const [title, refusal] of Object.entries(refusals)) assert.equal(await faults(world, refusal), [], title)
    for (const path of ['/user/nowhere', '/user?page=1'])
      assert.is(await faultIn(await fetch(world.urls.legacyauth + path), 404), undefined, path)
    const head = 'POST /user/sentreset/email HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
    const { text } = await rawAnswer(world.urls.legacyauth, `${head}Expect: a miracle\r\n\r\n`)
    assert.match(text, /^HTTP\/1.1 417 /)
    assert.match(text, /\r\n\r\n\{"msg":"NO_MSG","success":false\}$/)
  }))

test('what is refused because the caller called too often', () =>
  within({ RATE_LIMIT_PER_MINUTE: '1' }, [auth], async world => {
    await eventually(() => Date.now() % 60_000 < 45_000, 20_000)
    const headers = stranger(world)
    const request: Refusal['request'] = (_, endpoint) => minimal(endpoint, headers)
    for (const endpoint of routes.slice(0, 1)) await send(world, endpoint, request(world, endpoint))
    assert.equal(await faults(world, { status: 429, targets: routes, request }), [])
  }))

test('what is refused because the service is away', () =>
  within({ AUTH_RPC_URL: 'http://127.0.0.1:1' }, [], async world => {
    const request: Refusal['request'] = (_, endpoint) => minimal(endpoint, credential(world, endpoint))
    assert.equal(await faults(world, { status: 503, targets: routes, request }), [])
  }))

test.run()
