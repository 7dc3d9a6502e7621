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

for (const name of Object.keys(benches))
  test(`${name} runs to its end and leaves no process`, async () => {
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
  })

test.run()
