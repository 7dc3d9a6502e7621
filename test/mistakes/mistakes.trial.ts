import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceOnce } from '../../cli/scaffold/guide-blocks.ts'
import { assert, suite } from '../kit/kit.ts'
import { projectCopy, type Ran } from '../kit/project-copy.ts'
import { mistakes } from './table.ts'

/* Makes each mistake in a copy of the project; one command has to fail and name it. */
const test = suite('deliberate mistakes')
const { folder, run, fill, remove } = projectCopy()
test.after(remove)

const node = (...args: string[]): Promise<Ran> => run(process.execPath, ...args)

function execute(command: string): Promise<Ran> {
  const [, kind, operand = ''] = /^(check|test) (.+)$/.exec(command) ?? []
  return kind === 'test' ? node('cli/test-run/uvu-files.ts', join(folder, operand)) : node('cli/check.ts', operand)
}

test('every command passes before the mistakes', async () => {
  await fill()
  for (const command of new Set(mistakes.map(each => each.command))) {
    const { ok, output } = await execute(command)
    assert.ok(ok, `${command}:\n${output}`)
  }
})

for (const { name, file, find, replace, command, says, generate } of mistakes)
  test(`named by ${command}: ${name}`, async () => {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, replaceOnce(text, find, replace, file))
    if (generate) assert.ok((await node('cli/gen.ts')).ok, 'the files are generated')
    const { ok, output } = await execute(command)
    writeFileSync(path, text)
    if (generate) assert.ok((await node('cli/gen.ts')).ok, 'the files are generated again')
    assert.not.ok(ok, output)
    // uvu shows spaces as dots.
    assert.ok(output.replaceAll('·', ' ').includes(says), `nothing says "${says}":\n${output}`)
  })

test.run()
