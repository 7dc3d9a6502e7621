import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { browserPath } from '../kit/browser.ts'
import { applyBlock, blocksOf, projectCopy, textOf } from '../kit/guide-blocks.ts'

/* Adds the screen of the guide to a copy of the project. */
const test = suite('the guide of the web client, followed to the letter')
const guide = 'docs/guides/front.md'
const blocks = blocksOf(guide, textOf(guide))
const paths = [...new Set(blocks.map(({ path }) => path))]
const { folder, run, fill, remove } = projectCopy()
test.after(remove)

const passes = async (command: string, ...args: string[]): Promise<void> => {
  const { ok, output } = await run(command, ...args)
  assert.ok(ok, `${command} ${args.join(' ')}: ${output}`)
}

test('every step applies, compiles and is bundled', async () => {
  await fill()
  for (const block of blocks) applyBlock(folder, block)
  await passes(process.execPath, 'cli/gen.ts')
  await passes(process.execPath, 'cli/build/main.ts')
  await passes('tsc', '--noEmit', '-p', 'edge/front/app')
})

test('what the guide shows passes the checks', async () => {
  await passes('biome', 'check', ...paths)
  await passes(process.execPath, 'cli/check.ts', 'rooms', 'styles', 'words')
})

if (!browserPath) console.error('NOT PROVEN: Chromium is missing, so the screen of the guide is not tested')
;(browserPath ? test : test.skip)('the screen works as its test says', async () => {
  await passes(process.execPath, 'cli/test-run/uvu-files.ts', join(folder, 'test/browser/front-pins.test.ts'))
})

test.run()
