import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue, type RestService } from '../../gen/catalogue.ts'
import { matcher } from './match.ts'
import { routesOf } from './routes.ts'

const test = suite('route matching')
const find = (service: RestService) => matcher(catalogue[service].flatMap(routesOf))

test('a literal segment wins over a parameter', () => {
  const match = find('hotel')
  const routeMatch = match('GET', '/hotel/get/all')
  assert.is(routeMatch.kind === 'route' && routeMatch.route.method.name, 'ListHotels')
  const one = match('GET', `/hotel/get/${'a'.repeat(24)}`)
  assert.equal(one.kind === 'route' && [one.route.method.name, one.values], ['GetHotel', ['a'.repeat(24)]])
})

test('a trailing slash is ignored', () => {
  const match = find('member')
  for (const path of ['/teams', '/teams/']) {
    const routeMatch = match('POST', path)
    assert.is(routeMatch.kind === 'route' && routeMatch.route.method.name, 'CreateTeam')
  }
})

test('a path with other verbs names them, and any other path is unknown', () => {
  const match = find('member')
  assert.equal(match('PUT', '/teams'), { kind: 'wrong-verb', allowed: ['POST'] })
  assert.equal(match('GET', '/nothing/here'), { kind: 'none' })
  assert.equal(match('GET', '/teams//members'), { kind: 'none' })
})

test('the routes of every listener can be served together', () => {
  for (const service of Object.keys(catalogue) as RestService[]) find(service)
  matcher([...catalogue.legacyauth, ...catalogue.notification].flatMap(routesOf))
})

test('two services that declare one route are refused at start', () => {
  assert.throws(() => matcher([...catalogue.hotel, ...catalogue.hotel].flatMap(routesOf)), /is served by/)
})

test.run()
