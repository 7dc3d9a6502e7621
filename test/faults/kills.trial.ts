import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runTrial, victims } from './trial.ts'
import { faultless } from './verdict.ts'

const test = suite('kill -9 under load')

test('nothing acknowledged is lost and each notification is sent once, whatever is killed', async () => {
  const seed = Date.now() % 1_000_000
  const messages: string[] = []
  const verdict = await runTrial({ kills: 1, victims, writers: 4, seed, say: line => messages.push(line) })
  const { faults, gaps, outcomes } = verdict
  assert.equal(faults, faultless(faults), `seed ${seed}, ${gaps} gaps\n${messages.join('\n')}`)
  assert.ok(outcomes.acknowledged > 20, `only ${outcomes.acknowledged} comments were written`)
})

test.run()
