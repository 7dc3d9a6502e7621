import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { poison } from './poison.ts'

const test = suite('poison among healthy events')

test('stores each healthy event once and dead-letters each poison one', async () => {
  const said: string[] = []
  const found = await poison({ events: 200, bad: 10, people: 10, say: line => said.push(line) })
  const { missing, letters, strangers } = found
  assert.equal({ missing, letters, strangers }, { missing: 0, letters: 10, strangers: 0 }, said.join('\n'))
})

test.run()
