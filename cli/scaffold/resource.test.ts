import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../../test/kit/kit.ts'
import { projectCopy } from '../../test/kit/project-copy.ts'
import { singularOf, writeResource } from './resource.ts'

const test = suite('the scaffold of a resource')
const { folder, fill, remove } = projectCopy()
test.before(fill)
test.after(remove)

const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')
const write = (plural: string, singular = singularOf(plural)) => writeResource(folder, { plural, singular })

test('one resource after the other is written, and registered in the files of others', () => {
  write('boxes')
  write('statuses', 'status')
  write('classes')
  assert.match(textOf('docs/guides/scale.md'), '| news | `pages`, `classes`, `statuses`, `boxes`,')
  assert.match(textOf('services/news/boxes/boxes.ts'), 'createBox(')
  assert.match(textOf('services/news/statuses/statuses.ts'), 'createStatus(')
  assert.match(textOf('services/news/classes/classes.ts'), 'createClass(')
})

test('nothing is written when a place in another file has moved', () => {
  const path = 'cli/commands/growth/tables.ts'
  writeFileSync(join(folder, path), textOf(path).replace("  byId('news', 'page_views'", "  byId('news', 'views'"))
  assert.throws(() => write('samples'), /growth\/tables\.ts has no place like this/)
  assert.not.ok(existsSync(join(folder, 'services/news/samples')))
})

test('a name that the example has, or that does not fit, is refused', () => {
  assert.throws(() => write('notes'), /the example of the guides/)
  assert.throws(() => write('private-notes'), /one word in lower case that ends in s, at least four letters/)
  assert.throws(() => write('series', 'series'), /other than series/)
})

test.run()
