import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceOnce } from '../../cli/scaffold/guide-blocks.ts'
import { assert, suite } from '../kit/kit.ts'
import { projectCopy, type Ran } from '../kit/project-copy.ts'
import { type Mistake, mistakes } from './table.ts'

/* Makes each mistake in a copy of the project; one command has to fail and name it. */
const test = suite('deliberate mistakes')
const { folder, run, fill, remove } = projectCopy()
test.after(remove)

const node = (...args: string[]): Promise<Ran> => run(process.execPath, ...args)

function execute(command: string): Promise<Ran> {
  const [kind, operand = ''] = command.split(' ')
  return kind === 'test' ? node('cli/test-run/uvu-files.ts', join(folder, operand)) : node('cli/check.ts', operand)
}

async function generateFiles(): Promise<void> {
  const { ok, output } = await node('cli/gen.ts')
  assert.ok(ok, output)
}

async function executeWith({ file, find, replace, generate, command }: Mistake): Promise<Ran> {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, replaceOnce(text, find, replace, file))
  try {
    if (generate) await generateFiles()
    return await execute(command)
  } finally {
    writeFileSync(path, text)
    if (generate) await generateFiles()
  }
}

test('every command passes before the mistakes', async () => {
  await fill()
  for (const command of new Set(mistakes.map(mistake => mistake.command))) {
    const { ok, output } = await execute(command)
    assert.ok(ok, `${command}:\n${output}`)
  }
})

for (const mistake of mistakes)
  test(`named by ${mistake.command}: ${mistake.name}`, async () => {
    const { ok, output } = await executeWith(mistake)
    assert.not.ok(ok, output)
    // uvu shows spaces as dots.
    assert.ok(output.replaceAll('·', ' ').includes(mistake.says), `nothing says "${mistake.says}":\n${output}`)
  })

test.run()
