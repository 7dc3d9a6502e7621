import { assert, suite } from '../../test/kit/kit.ts'
import { raggedRows } from './tables.ts'

const test = suite('tables')

const findRaggedRows = (path: string, ...lines: string[]): string[] => raggedRows([{ path, text: lines.join('\n') }])
const head = ['| Id | Threat |', '|---|---|']

test('a row with more or fewer cells than its head is reported with its place', () => {
  assert.equal(
    findRaggedRows('docs/a.md', '# Threats', '', ...head, '| T1 | Tenants |', '| T2 |', '| T3 | `a || b` |'),
    [
      'docs/a.md:6: 1 cells under a head of 2; write \\| for a | in a cell',
      'docs/a.md:7: 4 cells under a head of 2; write \\| for a | in a cell',
    ],
  )
})

test('each table has its own head, also in a list, and an escaped bar stays in its cell', () => {
  assert.equal(findRaggedRows('docs/a.md', ...head, '| T1 | `a \\| b` |', '', '  | One |', '  |-|', '  | 1 |'), [])
})

test('code in Markdown and other files are not held', () => {
  assert.equal(findRaggedRows('docs/a.md', '```', ...head, '| 1 |', '```'), [])
  assert.equal(findRaggedRows('a.ts', ...head, '| 1 |'), [])
})

test.run()
