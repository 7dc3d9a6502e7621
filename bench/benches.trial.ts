import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupLives } from '../cli/stack/processes.ts'
import { benches } from './benches.ts'

const test = suite('benchmarks in their smallest form')
const main = fileURLToPath(new URL('./main.ts', import.meta.url))

async function runsToItsEnd(name: string): Promise<void> {
  const child = spawn(process.execPath, [main, name, '--smallest'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, to find what it leaves running.
    detached: true,
  })
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  assert.is(code, 0, `${output}\n${errors}`)
  assert.not(groupLives(child.pid ?? 0), `${name} left processes running`)
}

const names = Object.keys(benches)
while (names.length > 0) {
  const pair = names.splice(0, 2)
  test(`${pair.join(' and ')} run to their ends and leave no process`, async () => {
    await Promise.all(pair.map(runsToItsEnd))
  })
}

test.run()
