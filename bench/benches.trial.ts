import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isGroupAlive } from '../cli/stack/processes.ts'
import { benches } from './benches.ts'

const test = suite('benchmarks in their smallest form')
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
/** Benchmarks that run at the same time: each spends much of its time waiting. */
const atOnce = 3

type Outcome = { code: number; output: string; isLeft: boolean }

async function outcomeOf(name: string): Promise<Outcome> {
  const child = spawn(process.execPath, [main, name, '--smallest'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, to find what it leaves running.
    detached: true,
  })
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  return { code, output: `${output}\n${errors}`, isLeft: isGroupAlive(child.pid ?? 0) }
}

const runs = Object.keys(benches).map(name => ({ name, ...Promise.withResolvers<Outcome>() }))
const waiting = [...runs]

async function lane(): Promise<void> {
  for (let run = waiting.shift(); run; run = waiting.shift()) run.resolve(await outcomeOf(run.name))
}
test.before(() => {
  for (let lanes = 0; lanes < atOnce; lanes++) void lane()
})

for (const { name, promise } of runs)
  test(`${name} runs to its end and leaves no process`, async () => {
    const { code, output, isLeft } = await promise
    assert.is(code, 0, output)
    assert.not(isLeft)
  })

test.run()
