import { assert, suite } from '../../test/kit/kit.ts'
import { unresolved } from './references.ts'

const test = suite('references')

const decisions = '- **D229** Counted by address.\n- **R3 · D279** Seen by colleagues [D229].\n'

/** A reference, built at run time so that the check accepts this file. */
const to = (id: string): string => `[${id}]`

const findUnresolved = (path: string, ...lines: string[]): string[] =>
  unresolved([{ path, text: lines.join('\n') }], decisions)

test('a reference resolves to an entry, also to one with several ids', () => {
  assert.equal(
    findUnresolved('services/a.ts', `// Counted before the hash ${to('D229')}.`, `// ${to('D279')} ${to('R3')}`),
    [],
  )
})

test('a reference to an unknown entry is reported with its place, in every folder', () => {
  for (const path of ['services/a.ts', 'proto/b.proto', 'README.md'])
    assert.equal(findUnresolved(path, 'one', `two ${to('D230')}`), [`${path}:2: [D230] is not in docs/decisions.md`])
})

test('a duplicate id is reported', () => {
  assert.equal(unresolved([], `${decisions}- **D279** Again.`), ['docs/decisions.md: D279 appears twice'])
})

test('a reference in the old form is refused everywhere except in third-party texts', () => {
  for (const former of ['DECISIONS', 'decision', 'document'].map(name => `${name} 1`).concat('(' + 'D229)')) {
    for (const path of ['test/a.ts', 'proto/a.proto', 'docs/events.md', 'README.md'])
      assert.is(findUnresolved(path, `See ${former}.`).length, 1, `${path}: ${former}`)
    assert.equal(findUnresolved('third_party/a.ts', `See ${former}.`), [], former)
  }
  assert.is(findUnresolved('test/a.ts', `${to('D229').slice(0, -1)}, R3]`).length, 1)
})

test('text that only looks like a reference is accepted', () => {
  assert.equal(findUnresolved('edge/a.ts', 'const [D] = row', 'the decision of 17 hotels', 'documents 20', '(R)'), [])
})

test.run()
