import { browserPath } from '../kit/browser.ts'
import { assert, suite } from '../kit/kit.ts'
import { contract, guideCopy, notesTest, registers } from '../mistakes/guide-copy.ts'

/* Follows the guides in a copy of the project. */
const test = suite('the guides, followed to the letter')
const consumerTests = ['services/news/notes/erasure.test.ts', 'test/operations/consumers.test.ts']
const screenTest = 'test/browser/front-pins.test.ts'
/** Fails until a new table is entered. It creates the databases of all services, so it runs once. */
const growthTest = 'cli/commands/growth/growth.test.ts'
const { run, node, paths, check, tests, types } = guideCopy(test)

test('what the guides show passes the checks and its tests', async () => {
  const all = await Promise.all([
    types(),
    // `npm run fix` sorts the imports among those of the project.
    run('biome', 'check', '--assist-enabled=false', ...paths.filter(path => /\.(tsx?|css)$/.test(path))),
    check(
      'boundaries',
      'rooms',
      'styles',
      'words',
      'loose',
      'events',
      'limits',
      'buf lint',
      'buf format',
      'types of the web client',
    ),
    tests(
      notesTest,
      ...consumerTests,
      'services/notification/texts/texts.test.ts',
      growthTest,
      ...registers,
      ...contract,
    ),
  ])
  for (const { ok, output } of all) assert.ok(ok, output)
})

if (!browserPath) console.error('NOT PROVEN: Chromium is missing, so the screen of the guide is not tested')
;(browserPath ? test : test.skip)('the screen works as its test says', async () => {
  const bundled = await node('cli/build/main.ts')
  assert.ok(bundled.ok, bundled.output)
  const { ok, output } = await tests(screenTest)
  assert.ok(ok, output)
})

test.run()
