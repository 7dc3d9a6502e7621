import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue } from '../../edge/catalogue.ts'
import { routesOf } from '../../edge/rest/routes.ts'
import { differences } from '../checks/drift.ts'
import { root } from '../checks/run.ts'
import { restServices } from './catalogue.ts'
import { loadFiles } from './descriptors.ts'
import { permissionsText, routesText } from './route-table.ts'

const test = suite('generated files')
const files = await loadFiles(join(root, 'gen'))

test('the catalogue holds every service of every package that has a route', () => {
  const expected = [...restServices(files)].map(([name, own]) => [name, own.flatMap(file => file.services)] as const)
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
  const routes = files.flatMap(file => file.services.flatMap(routesOf))
  assert.is(rows.length, routes.length)
  assert.ok(rows.some(row => row.includes('POST `/teams`') && row.includes('`manage_members`')))
})

test('the table of permissions names what each opens', () => {
  assert.match(permissionsText(files), /\| `publish_content` \| [^\n]*POST `\/api\/v1\/pages\/\{id\}\/publish`/)
})

test('files that are missing, too many or other than generated are differences', () => {
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

test.run()
