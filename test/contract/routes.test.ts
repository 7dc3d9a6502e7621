import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadFiles, nameOf, routesOf, rpcsOf, shapeOf } from './descriptors.ts'
import { documentedRoutes, ports } from './documents.ts'

const test = suite('contract: routes')
const routes = rpcsOf(await loadFiles()).flatMap(routesOf)

const keyOf = ({ service, method, path }: { service: string; method: string; path: string }): string =>
  `${service} ${method} ${shapeOf(path)}`

test('the table contains no route twice', () => {
  const keys = documentedRoutes.map(keyOf)
  assert.equal(
    keys.filter((key, at) => keys.indexOf(key) !== at),
    [],
  )
})

test('every documented route is declared by an RPC of its service', () => {
  const declaredKeys = new Set(routes.map(keyOf))
  const missing = documentedRoutes.filter(row => !row.isAnsweredByEdge && !declaredKeys.has(keyOf(row)))
  assert.equal(missing.map(keyOf), [])
})

test('every declared route is documented or has a reason', () => {
  const documentedKeys = new Set(documentedRoutes.map(keyOf))
  const strangers = routes.filter(route => !documentedKeys.has(keyOf(route)) && route.addition === '')
  assert.equal(
    strangers.map(route => `${keyOf(route)} (${nameOf(route.rpc)})`),
    [],
  )
})

test('no documented route is declared as an addition', () => {
  const documentedKeys = new Set(documentedRoutes.map(keyOf))
  const mislabelled = routes.filter(route => documentedKeys.has(keyOf(route)) && route.addition !== '')
  assert.equal(
    mislabelled.map(route => `${keyOf(route)} (${nameOf(route.rpc)})`),
    [],
  )
})

test('routes of the edge itself are declared by no RPC', () => {
  const pages = ['/health', '/live', '/ready', '/docs', '/openapi.json', '/ws', '/']
  const edgeRoutes = new Set([...pages.map(path => `GET ${path}`), 'POST /webhooks/stripe'])
  for (const row of documentedRoutes)
    if (row.isAnsweredByEdge) assert.ok(edgeRoutes.has(`${row.method} ${shapeOf(row.path)}`), keyOf(row))
  const takenRoutes = routes.filter(route => edgeRoutes.has(`${route.method} ${shapeOf(route.path)}`))
  assert.equal(takenRoutes.map(keyOf), [])
})

test('no two routes of a port have the same method and shape of path', () => {
  const byPort = new Map(Object.entries(ports))
  const owners = new Map<string, string>()
  for (const route of routes) {
    const port = byPort.get(route.service)
    assert.ok(port, `${nameOf(route.rpc)}: package ${route.service} has no port`)
    const key = `${port} ${route.method} ${shapeOf(route.path)}`
    assert.is(owners.get(key), undefined, `${key}: ${owners.get(key)} and ${nameOf(route.rpc)}`)
    owners.set(key, nameOf(route.rpc))
  }
})

test.run()
