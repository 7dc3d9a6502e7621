import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crossings, tooLong, unclean } from './boundaries.ts'

const test = suite('boundaries')

/** The findings for a file of this one line. */
const findCrossings = (path: string, text: string) =>
  crossings([{ path, text }], new Set(['zod', '@scope/one', 'nats']))

test('a service imports gen, the kernel, itself and packages of production', () => {
  for (const name of ['../kernel/base/ids.ts', '../../gen/a_pb.ts', './rows.ts', 'zod', '@scope/one/deep', 'node:fs'])
    assert.equal(findCrossings('services/news/pages.ts', `import { a } from '${name}'`), [], name)
})

test('a service imports neither another service, nor the edge, nor commands, nor a development package', () => {
  for (const name of [
    '../member/tables.ts',
    '../../edge/app.ts',
    '../../cli/seed.ts',
    '../main.ts',
    'uvu',
    '@scope/two',
  ])
    assert.is(findCrossings('services/news/pages.ts', `import { a } from '${name}'`).length, 1, name)
})

test('the kernel imports no service and the edge only the kernel', () => {
  assert.is(findCrossings('services/kernel/base/ids.ts', "import { a } from '../../news/pages.ts'").length, 1)
  assert.is(findCrossings('edge/app.ts', "import { a } from '../services/news/pages.ts'").length, 1)
  assert.equal(findCrossings('edge/rest/body.ts', "import { a } from '../../services/kernel/base/ids.ts'"), [])
})

test('commands, tests and the host of services import any service', () => {
  for (const path of ['cli/seed.ts', 'services/modules.ts', 'edge/app.test.ts', 'test/kit/news.ts', 'bench/main.ts'])
    assert.equal(
      findCrossings(path, `import { a } from '${'../'.repeat(path.split('/').length - 1)}services/member/tables.ts'`),
      [],
    )
})

test('only tests import test support', () => {
  const text = "import { a } from '../../test/kit/news.ts'"
  assert.is(findCrossings('services/news/pages.ts', text).length, 1)
  assert.is(findCrossings('cli/seed.ts', "import { a } from '../test/kit/bus.ts'").length, 1)
  assert.equal(findCrossings('services/news/pages.test.ts', text), [])
})

test('only the bus of the kernel talks to NATS', () => {
  assert.equal(findCrossings('services/kernel/bus/link.ts', "import { connect } from 'nats'"), [])
  assert.is(findCrossings('services/news/pages.ts', "import { connect } from 'nats'").length, 1)
})

test('imports of every form are found, and words in strings are not imports', () => {
  const forms = [
    "import '../member/a.ts'",
    "import type { A } from '../member/a.ts'",
    "export * from '../member/a.ts'",
    "import {\n  a,\n  type B,\n} from '../member/a.ts'",
    "const a = await import('../member/a.ts')",
  ]
  for (const form of forms) assert.is(findCrossings('services/news/pages.ts', form).length, 1, form)
  assert.equal(
    findCrossings('services/news/pages.ts', "const text = \"from '../member/a.ts'\"\nexport const b = 'uvu'"),
    [],
  )
})

test('a file has at most 400 lines', () => {
  const lines = (count: number) => 'a\n'.repeat(count)
  const files = [
    { path: 'cli/a.ts', text: lines(400) },
    { path: 'cli/b.ts', text: lines(401) },
  ]
  assert.equal(tooLong(files), ['cli/b.ts: 401 lines, at most 400'])
})

test('only the module that verifies the certificate against the host opens database connections', () => {
  const text = 'const db = await createConnection(url)\n'
  for (const path of ['cli/a.ts', 'services/news/a.ts']) assert.is(unclean([{ path, text }]).length, 1, path)
  for (const path of ['services/kernel/database/connection.ts', 'test/a.ts', 'cli/a.test.ts'])
    assert.equal(unclean([{ path, text }]), [], path)
})

test('unfinished marks, double casts and skipped tests are reported with their line', () => {
  const mark = 'TO' + 'DO'
  const onlyCall = ['test', 'only'].join('.')
  const text = `fine()\n// ${mark}: more\nconst a = b as unknown as C\n${onlyCall}('x', () => {})\n`
  assert.equal(
    unclean([{ path: 'cli/a.ts', text }]).map(line => line.split(':').slice(0, 2).join(':')),
    ['cli/a.ts:2', 'cli/a.ts:3', 'cli/a.ts:4'],
  )
  assert.is(unclean([{ path: 'cli/a.test.ts', text }]).length, 2, 'a test may cast')
})

test.run()
