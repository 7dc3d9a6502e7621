import { catalogue } from '../../gen/catalogue.ts'
import { service as auth } from '../../services/auth/service.ts'
import { startTestEdge } from '../../test/kit/edge.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { routesOf } from '../rest/routes.ts'
import { farewells } from './farewell.ts'

const test = suite('deprecation of the legacy version')

const dates = { LEGACY_DEPRECATED_SINCE: '2026-02-01', LEGACY_SUNSET: '2027-06-30' }
const { urls, end } = await startTestEdge([auth], dates)
test.after(() => end())

const routes = catalogue.legacyauth.flatMap(routesOf)
const deprecationOf = ({ headers }: Response) => [headers.get('deprecation'), headers.get('sunset')]
const expected = [`@${Date.UTC(2026, 1, 1) / 1000}`, 'Wed, 30 Jun 2027 00:00:00 GMT']

test('every legacy route states its deprecation and its end, also in errors', async () => {
  assert.ok(routes.length > 15)
  for (const { verb, path } of routes) {
    const answer = await fetch(urls.legacyauth + path.replace(/\{\w+\}/g, 'x'), { method: verb })
    await answer.arrayBuffer()
    assert.ok(answer.status >= 400, path)
    assert.equal(deprecationOf(answer), expected, path)
  }
})

test('errors before the service is called state them too: missing credential, invalid JSON, another media type, another verb', async () => {
  const login = `${urls.legacyauth}/auth/login/mobile`
  const json = { 'content-type': 'application/json' }
  const answers = await Promise.all([
    fetch(`${urls.legacyauth}/user/profile`),
    fetch(login, { method: 'POST', headers: json, body: '{' }),
    fetch(login, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
    fetch(login, { method: 'PUT' }),
  ])
  assert.equal(
    answers.map(({ status }) => status),
    [401, 400, 415, 405],
  )
  for (const answer of answers) assert.equal(deprecationOf(answer), expected)
})

test('routes with a modern counterpart name it, and it exists', async () => {
  const answer = await fetch(`${urls.legacyauth}/auth/login/mobile`, { method: 'POST' })
  assert.is(answer.headers.get('link'), `<${urls.auth}/auth/login>; rel="successor-version"`)
  const modern = new Set(catalogue.auth.flatMap(routesOf).map(({ path }) => path))
  const say = farewells({ since: '2026-01-01', sunset: '2027-12-31', modernUrl: () => 'https://auth.hotel.example' })
  const links = routes.map(route => {
    const headers = new Map<string, string>()
    say(route, { setHeader: (name: string, value: string) => headers.set(name, value) } as never)
    return /^<https:\/\/auth\.hotel\.example(.+)>/.exec(headers.get('Link') ?? '')?.[1]
  })
  const linkedPaths = links.filter(link => link !== undefined)
  assert.is(linkedPaths.length, 12)
  for (const link of linkedPaths) assert.ok(modern.has(link), link)
})

test('modern routes have no deprecation headers', async () => {
  const answer = await fetch(`${urls.auth}/auth/login`, { method: 'POST' })
  assert.equal(deprecationOf(answer), [null, null])
})

test.run()
