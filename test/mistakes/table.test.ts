import { assert, suite } from '../kit/kit.ts'
import { textOf } from '../kit/project-copy.ts'
import { mistakes } from './table.ts'

/* What the nightly trial of mistakes finds in other files by its text. */
const test = suite('texts that are found in other files')

test('each deliberate mistake changes a text that occurs once', () => {
  const staleMistakes = mistakes.filter(({ file, find }) => textOf(file).split(find).length !== 2)
  assert.equal(
    staleMistakes.map(({ name, file }) => `${name}: ${file}`),
    [],
  )
})

test.run()
