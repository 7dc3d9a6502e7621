import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runClusterTrial } from './trial.ts'

const test = suite('clusters')

test('with three database nodes and three brokers one of each can die under load: nothing is lost, and each notification is sent once', async () => {
  const said: string[] = []
  const { acknowledged, lost, doubled, untold, toldTwice } = await runClusterTrial({
    kills: 1,
    say: line => said.push(line),
  })
  const none = { lost: [], doubled: [], untold: [], toldTwice: [] }
  assert.equal({ lost, doubled, untold, toldTwice }, none, said.join('\n'))
  assert.ok(acknowledged > 20, `only ${acknowledged} comments were written`)
})

test.run()
