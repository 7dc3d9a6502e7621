import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runTrial, victims } from './trial.ts'

const test = suite('kill -9 under load')

test('nothing acknowledged is lost and nobody is told twice, whatever is killed', async () => {
  const seed = Date.now() % 1_000_000
  const said: string[] = []
  const verdict = await runTrial({ kills: 2, of: victims, writers: 4, seed, say: line => said.push(line) })
  const { acknowledged, lost, doubled, untold, toldTwice } = verdict
  assert.equal(
    { lost, doubled, untold, toldTwice },
    { lost: [], doubled: [], untold: [], toldTwice: [] },
    `seed ${seed}\n${said.join('\n')}`,
  )
  assert.ok(acknowledged > 20, `only ${acknowledged} comments were written`)
})

test.run()
