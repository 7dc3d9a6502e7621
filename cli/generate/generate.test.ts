import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routesOf } from '../../edge/rest/routes.ts'
import { catalogue } from '../../gen/catalogue.ts'
import { routes } from '../../gen/client/index.ts'
import { root } from '../run.ts'
import { restServices } from './catalogue.ts'
import { loadFiles } from './descriptors.ts'
import { differences } from './drift.ts'
import { filesOf, removeOthers, writeFiles } from './files.ts'
import type { Schema } from './openapi/schema.ts'
import { permissionsText, routesText } from './route-table.ts'

const test = suite('generated files')
const files = await loadFiles(join(root, 'gen'))

type Answer = { headers?: object; content?: Record<string, { example?: unknown }> }
type Operation = { operationId: string; responses: Record<string, Answer> }

test('the catalogue holds every service of every package that has a route', () => {
  const expected = [...restServices(files)].map(
    ([name, serviceFiles]) => [name, serviceFiles.flatMap(file => file.services)] as const,
  )
  assert.equal(
    Object.entries(catalogue).map(([name, services]) => [name, services.map(one => one.typeName)]),
    expected.map(([name, services]) => [name, services.map(one => one.typeName)]),
  )
  assert.ok(expected.length >= 8)
})

test('the table of routes has a row for each route', () => {
  const rows = routesText(files)
    .split('\n')
    .filter(line => /^\| (GET|POST|PUT|PATCH|DELETE) /.test(line))
  assert.is(rows.length, files.flatMap(file => file.services.flatMap(routesOf)).length)
  assert.ok(rows.some(row => row.includes('POST `/teams`') && row.includes('`manage_members`')))
})

test('the typed client names the parameters of a path after the fields of its request', () => {
  const clients: Record<string, Record<string, { path: string }>> = routes
  const wrong = files
    .flatMap(file => file.services.flatMap(routesOf))
    .filter(({ method, segments }) => {
      const [, client = ''] = method.parent.file.proto.package.split('.')
      const path = clients[client]?.[method.name.replace(/^./, letter => letter.toLowerCase())]?.path
      const fields = segments.flatMap(part => (typeof part === 'string' ? [] : [`{${part.jsonName}}`]))
      return path !== undefined && fields.some(field => !path.includes(field))
    })
  assert.equal(
    wrong.map(({ method }) => method.name),
    [],
  )
})

test('the table of permissions lists the routes of each', () => {
  assert.match(permissionsText(files), /\| `publish_content` \| [^\n]*POST `\/api\/v1\/pages\/\{id\}\/publish`/)
})

test('examples of hotels, files and payments show the answers, and downloads show versions and ranges', async () => {
  const documents = new Map<string, { paths: Record<string, Record<string, Operation>> }>()
  for (const name of ['hotel', 'media', 'payment'])
    documents.set(name, JSON.parse(await readFile(join(root, `gen/openapi/${name}.json`), 'utf8')))
  const operations = [...documents.values()].flatMap(({ paths }) =>
    Object.values(paths).flatMap(Object.values<Operation>),
  )
  for (const { operationId, responses } of operations) {
    const examples = JSON.stringify(
      Object.values(responses).map(({ content }) => content?.['application/json']?.example),
    )
    assert.not.match(examples, /"text"|Front office|front-office/, operationId)
  }
  const download = documents.get('media')?.paths['/media/files/{id}']?.['get']
  assert.equal(Object.keys(download?.responses ?? {}), [
    '200',
    '206',
    '304',
    '400',
    '404',
    '416',
    '429',
    '503',
    'default',
  ])
  assert.equal(
    Object.keys(download?.responses['206']?.headers ?? {})
      .toSorted()
      .slice(0, 3),
    ['Cache-Control', 'Content-Disposition', 'Content-Range'],
  )
  const weather = documents.get('hotel')?.paths['/weather/{city}']?.['get']
  assert.equal(Object.keys(weather?.responses['200']?.headers ?? {}), ['Age', 'Warning'])
})

test('answers list the values of a field in their schema, not in prose', () => {
  const schemasOf = (path: string): [string, { properties?: Record<string, Schema> }][] =>
    Object.entries(JSON.parse(readFileSync(path, 'utf8')).components.schemas)
  const paths = [...Object.keys(catalogue).map(name => `gen/openapi/${name}.json`), 'gen/asyncapi.json']
  const schemas = new Map(paths.flatMap(path => schemasOf(join(root, path))))
  const prose = /^[a-z]\w*(, [a-z]\w*)* or [a-z]\w*[.;]/
  for (const [name, { properties = {} }] of schemas)
    for (const [field, { type, description, enum: values }] of Object.entries(properties))
      if (String(type).startsWith('string') && !values) assert.not.match(String(description), prose, `${name}.${field}`)
  const valuesOf = (name: string, field: string): unknown => schemas.get(name)?.properties?.[field]?.['enum']
  assert.equal(valuesOf('PageSummary', 'status'), ['draft', 'published', 'archived'])
  assert.equal(valuesOf('HotelSummary', 'subscription_status'), ['active', 'inactive', 'trial', null])
  assert.equal(schemas.get('TestTemplateResponse')?.properties?.['channels']?.['items'], {
    type: 'string',
    enum: ['push', 'email', 'socket', 'app'],
  })
  assert.equal(valuesOf('LikeCreated', 'reactionType'), ['like', 'love', 'haha', 'wow', 'sad', 'angry'])
})

test('missing, superfluous and changed files are differences', () => {
  const expected = new Map([
    ['same', '1'],
    ['other', '1'],
    ['missing', '1'],
  ])
  const present = new Map([
    ['same', '1'],
    ['other', '2'],
    ['stray', '1'],
  ])
  assert.equal(differences(expected, present), ['missing', 'other', 'stray'])
})

test('unchanged files keep their time, others are replaced, and strays are removed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gen-test-'))
  try {
    for (const name of ['same', 'other', 'stray']) writeFileSync(join(folder, name), '1')
    utimesSync(join(folder, 'same'), 1, 1)
    const before = statSync(join(folder, 'other')).ino
    const textByPath = new Map([
      ['same', '1'],
      ['other', '2'],
      [join('new', 'one'), '1'],
    ])
    assert.equal(writeFiles(folder, textByPath), ['other', join('new', 'one')])
    assert.equal(
      removeOthers(folder, name => !textByPath.has(name)),
      ['stray'],
    )
    assert.equal(filesOf(folder), textByPath)
    assert.is(statSync(join(folder, 'same')).mtimeMs, 1_000)
    // If it were written in place, a reader could see half of it.
    assert.is.not(statSync(join(folder, 'other')).ino, before)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
