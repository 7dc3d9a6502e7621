import { assert, suite } from '../../test/kit/kit.ts'
import { root } from '../run.ts'
import { editableFiles } from '../scaffold/guide-blocks.ts'
import { movedQuotes } from './guides.ts'

const test = suite('quotes of guides')

/** What the check reports after an edit of the project. */
function reportAfter(path: string, from: string, to: string): string[] {
  const files = editableFiles(root)
  files.write(path, files.read(path).replace(from, to))
  return movedQuotes(files).map(problem => problem.split('\n')[0] ?? '')
}

test('a guide that quotes a changed line is named', () => {
  assert.equal(reportAfter('edge/inbox/assets/topics.json', '"comments": [', '"replies": ['), [
    'docs/guides/add-an-event.md: edge/inbox/assets/topics.json has no place like this:',
  ])
})

test('a line that the scaffold looks for and finds twice is named once', () => {
  const row = "      likes: ['reactions', 'id'],\n"
  assert.equal(reportAfter('services/member/export/columns.test.ts', row, row.repeat(2)), [
    'cli/scaffold/resource.ts: services/member/export/columns.test.ts has more than one place like this:',
  ])
})

test.run()
