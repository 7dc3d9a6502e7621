import { assert, suite } from '../../test/kit/kit.ts'
import { circles, crowded, houseOfFiles, houses, picture } from './rooms.ts'

const test = suite('rooms')

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map(name => `import { a } from '${name}'`).join('\n'),
})

test('a folder holds at most 25 files, tests included; migrations and generated files may be more', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `${folder}/${n}.ts`)
  assert.equal(crowded([...files('edge/a', 25), ...files('services/news/migrations', 90), ...files('gen/x', 90)]), [])
  assert.equal(crowded(files('edge/a', 26)), ['edge/a: 26 files, at most 25'])
})

test('folders of one service that import each other are reported with these imports', () => {
  const problems = circles(
    houses([
      file('services/news/pages/a.ts', '../search/b.ts'),
      file('services/news/search/b.ts', '../likes/c.ts'),
      file('services/news/likes/c.ts', '../pages/a.ts', '../../kernel/base/ids.ts'),
    ]),
  )
  assert.is(problems.length, 1)
  for (const fragment of [
    'services/news: likes → pages → search → likes',
    'likes/c.ts imports services/news/pages/a.ts',
  ])
    assert.ok(problems[0]?.includes(fragment), problems[0])
})

test('a file at the top is a separate room, either below or above the folders', () => {
  const floor = file('services/news/tables.ts')
  const room = file('services/news/pages/a.ts', '../tables.ts')
  const roof = file('services/news/service.ts', './pages/a.ts')
  assert.equal(circles(houses([floor, room, roof])), [])
  assert.is(circles(houses([file('services/news/tables.ts', './pages/a.ts'), room])).length, 1)
})

test('imports between services, from tests and within a folder draw no arrow', () => {
  const all = houses([
    file('services/news/pages/a.ts', './b.ts', '../../member/c.ts'),
    file('services/news/pages/b.ts', './a.ts'),
    file('services/news/search/c.test.ts', '../pages/a.ts'),
    file('services/news/pages/d.test.ts', '../search/c.ts'),
  ])
  assert.equal(circles(all), [])
})

test('files that import each other are reported, whatever they import; tests are not', () => {
  const a = { path: 'edge/a.ts', text: "import type { B } from './b.ts'" }
  const b = file('edge/b.ts', './a.ts', './b.test.ts')
  assert.equal(circles([houseOfFiles([a, b, file('edge/b.test.ts', './b.ts')])]), [
    'files: edge/a.ts → edge/b.ts → edge/a.ts\n  edge/a.ts imports edge/b.ts\n  edge/b.ts imports edge/a.ts',
  ])
})

test('the picture shows the floors of each house, the top one first', () => {
  const all = houses([
    file('services/news/c/c.ts', '../b/b.ts', '../a/a.ts', '../config.ts'),
    file('services/news/d/d.ts', '../a/a.ts'),
    file('services/news/b/b.ts', '../a/a.ts'),
    file('services/news/a/a.ts'),
    file('services/media/one.ts'),
  ])
  assert.is(picture(all), '| Part | Folders, from top to bottom |\n|---|---|\n| news | c → b, d → a |')
})

test.run()
