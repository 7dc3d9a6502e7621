import { assert, suite } from '../../test/kit/kit.ts'
import { unplain } from './words.ts'

const test = suite('words')

const findUnplainWords = (path: string, ...lines: string[]): string[] => unplain([{ path, text: lines.join('\n') }])

test('a warning word is reported with its place and a better one, in any case', () => {
  assert.equal(findUnplainWords('services/a.ts', 'const a = 1', '// Reads the page Anew, lest it be stale.'), [
    'services/a.ts:2: "lest": so that … not',
    'services/a.ts:2: "Anew": again',
  ])
})

test('comments, titles, strings and Markdown are held', () => {
  for (const line of [
    '/** Polls seldomer while idle. */',
    "test('whoever asks gets a 403', () => {",
    "  throw new ConflictError('The token is not taken')",
    'Each service has a database of its own.',
    '# Gives the lease back, or comes to nothing.',
    'one that anybody who asks lets go of',
  ])
    for (const path of ['docs/a.md', 'proto/a.proto', 'cli/a.ts', '.env.example'])
      assert.ok(findUnplainWords(path, line).length > 0, `${path}: ${line}`)
})

test('longer words and ordinary sentences are accepted', () => {
  const lines = [
    'The latest release on a plane.',
    'A name that is taken',
    'the outbox of its own process',
    'let go = 1',
  ]
  assert.equal(findUnplainWords('docs/a.md', ...lines), [])
})

test('texts of others and the list of common passwords are not held', () => {
  for (const path of ['third_party/a.proto', 'package-lock.json', 'services/auth/hashing/common-passwords.ts'])
    assert.equal(findUnplainWords(path, 'whoever'), [])
})

test.run()
