import { type DescMessage, getOption } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { http } from '../../gen/google/api/annotations_pb.ts'
import { Body, rest } from '../../gen/platform/options/v1/options_pb.ts'
import { type DeclaredRoute, loadFiles, nameOf, parametersOf, routesOf, rpcsOf, shapeOf } from './descriptors.ts'
import { documentedShapes, type Shape } from './shapes.ts'

const test = suite('contract: documented bodies')
const routes = rpcsOf(await loadFiles()).flatMap(routesOf)

/** Dotted paths of a shape such as {id, group: {id, name}}. */
function pathsOf(shape: string): string[] {
  const paths: string[] = []
  const parents: string[] = []
  for (const [token] of shape.matchAll(/[{}]|\w+/g)) {
    if (token === '{') parents.push(paths.at(-1) ?? '')
    else if (token === '}') parents.pop()
    else paths.push([parents.at(-1), token].filter(Boolean).join('.'))
  }
  return paths
}

/** Whether a message has the field at a dotted path of JSON names; a free object has every field. */
function has(message: DescMessage | undefined, [name, ...rest]: string[]): boolean {
  if (message?.typeName === 'google.protobuf.Struct') return true
  const field = message?.fields.find(one => one.jsonName === name)
  return field !== undefined && (rest.length === 0 || has(field.message, rest))
}

function routeOf({ service, route }: Shape): DeclaredRoute | undefined {
  const [method, path = ''] = route.split(' ')
  return routes.find(one => one.service === service && one.method === method && shapeOf(one.path) === shapeOf(path))
}

/** The message that is the body of the answer. */
function bodyOf({ rpc }: DeclaredRoute): DescMessage | undefined {
  const name = getOption(rpc, http).responseBody
  return name ? rpc.output.fields.find(field => field.name === name)?.message : rpc.output
}

test('every request has the documented fields, under their documented names', () => {
  const missing = documentedShapes.flatMap(shape => {
    const route = routeOf(shape)
    const paths = route
      ? pathsOf(shape.request).filter(path => !has(route.rpc.input, path.split('.')))
      : ['no such route']
    return paths.map(path => `${shape.service} ${shape.route}: ${path}`)
  })
  assert.equal(missing, [])
})

test('every response has the documented fields, under their documented names', () => {
  const missing = documentedShapes.flatMap(shape => {
    const route = routeOf(shape)
    const paths = route
      ? pathsOf(shape.response).filter(path => !has(bodyOf(route), path.split('.')))
      : ['no such route']
    return paths.map(path => `${shape.service} ${shape.route}: ${path}`)
  })
  assert.equal(missing, [])
})

test('unknown fields are ignored in bodies that the contract does not show, and refused in others', () => {
  const shownRoutes = new Set(documentedShapes.filter(({ request }) => request !== '').map(routeOf))
  const isOpen = (route: DeclaredRoute): boolean => {
    if (['auth', 'legacyauth'].includes(route.service)) return true
    return route.addition === '' && !shownRoutes.has(route) && !['member', 'news'].includes(route.service)
  }
  const takesFields = ({ rpc, path }: DeclaredRoute): boolean =>
    getOption(rpc, http).body !== '' &&
    getOption(rpc, rest).request !== Body.MULTIPART &&
    rpc.input.fields.length > parametersOf(path).length
  const wrong = routes.filter(route => getOption(route.rpc, rest).openBody !== (takesFields(route) && isOpen(route)))
  assert.equal(
    wrong.map(({ rpc }) => nameOf(rpc)),
    [],
  )
})

test.run()
