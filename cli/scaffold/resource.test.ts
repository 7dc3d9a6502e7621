import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../../test/kit/kit.ts'
import { projectCopy } from '../../test/kit/project-copy.ts'
import { writeResource } from './resource.ts'

const test = suite('the scaffold of a resource')
const { folder, fill, remove } = projectCopy()
test.before(fill)
test.after(remove)

test('one resource after the other is written, and registered in the files of others', () => {
  for (const plural of ['examples', 'samples']) writeResource(folder, plural)
  const guide = readFileSync(join(folder, 'docs/guides/scale.md'), 'utf8')
  assert.match(guide, '| news | `pages`, `samples`, `examples`,')
  for (const plural of ['examples', 'samples'])
    assert.ok(existsSync(join(folder, `services/news/${plural}/${plural}.ts`)))
})

test('nothing is written when a place in another file has moved', () => {
  const path = 'cli/commands/growth/tables.ts'
  const text = readFileSync(join(folder, path), 'utf8')
  writeFileSync(join(folder, path), text.replace("  byId('news', 'page_views'", "  byId('news', 'views'"))
  assert.throws(() => writeResource(folder, 'specimens'), /growth\/tables\.ts has no place like this/)
  assert.not.ok(existsSync(join(folder, 'services/news/specimens')))
})

test.run()
