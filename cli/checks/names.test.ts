import { assert, suite } from '../../test/kit/kit.ts'
import { bareNames, sharedTypeNames } from './names.ts'

const test = suite('names')

const namesIn = (path: string, ...lines: string[]): string[] => bareNames([{ path, text: lines.join('\n') }])

test('every kind of declaration is reported with its line', () => {
  for (const line of [
    'const found = 1',
    'let known: string',
    'for (const each of rows) count(each)',
    'function given() {}',
    'type Kept = { id: string }',
    'interface Seen {}',
    'const { rows: held } = page',
    'const [first, other = 1] = rows',
    'function count(rows: string[], most: number) {}',
    'const count = (rows: string[], same: boolean): number => rows.length',
    'rows.filter((row, at) => at > 0)',
    'rows.filter(named => named.isOpen)',
    'type Limits = { most: number }',
    'interface Store {\n  load(shown: boolean): Row\n}',
    'export type Row = {\n  readonly seen?: Date\n}',
  ])
    assert.equal(namesIn('services/a.ts', '/* two', 'lines */', line).length, 1, line)
  assert.equal(namesIn('services/a.ts', '/* two', 'lines */ const a = 1', 'const found = 1'), ['services/a.ts:3 found'])
})

test('fields, uses, longer names, comments and strings are not declarations', () => {
  const lines = [
    'const foundRows = find({ kept: 1, most: 2 })',
    'const { held } = state',
    "log('const found = 1') // const found = 1",
    'send(given, other)',
  ]
  assert.equal(namesIn('services/a.ts', ...lines), [])
})

test('test files and migrations are not read', () => {
  for (const path of ['services/a.test.ts', 'services/news/migrations/0001.ts'])
    assert.equal(namesIn(path, 'const found = 1'), [])
})

test('types of the same name in two files are reported; every service has a context', () => {
  const text = 'export type Context = {}\nexport interface Page {}\ntype Row = {}'
  const files = ['edge/a.ts', 'edge/b.ts'].map(path => ({ path, text }))
  assert.equal(sharedTypeNames(files), ['Page: edge/a.ts, edge/b.ts'])
})

test.run()
