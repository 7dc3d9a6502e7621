import { writeResource } from '../../cli/scaffold/resource.ts'
import { assert, suite } from '../kit/kit.ts'
import { projectCopy, textOf } from '../kit/project-copy.ts'
import { mistakes } from './table.ts'

/* What the nightly trial of mistakes and the scaffold find in other files by their text. */
const test = suite('texts that are found in other files')

test('each deliberate mistake changes a text that occurs once', () => {
  const lost = mistakes.filter(({ file, find }) => textOf(file).split(find).length !== 2)
  assert.equal(
    lost.map(({ name, file }) => `${name}: ${file}`),
    [],
  )
})

test('the scaffold of a resource finds all places that it changes', async () => {
  const { folder, fill, remove } = projectCopy()
  try {
    await fill()
    const paths = writeResource(folder, 'bookmarks')
    assert.ok(paths.includes('services/news/bookmarks/bookmarks.ts'), paths.join('\n'))
  } finally {
    remove()
  }
})

test.run()
