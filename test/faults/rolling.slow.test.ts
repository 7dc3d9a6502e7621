import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { roll } from './rolling.ts'

const test = suite('rolling restarts under traffic')

test('services and edge are replaced twice without a request failing, an event lost or a frame missed', async () => {
  const said: string[] = []
  const say = (line: string) => said.push(line)
  const found = await roll({ topology: 'two', rounds: 2, rate: 80, together: true, say })
  const { failures, unclean, lost, doubled, untold, toldTwice, unheard } = found
  assert.equal(
    { failures, unclean, lost, doubled, untold, toldTwice, unheard },
    { failures: [], unclean: [], lost: [], doubled: [], untold: [], toldTwice: [], unheard: [] },
    said.join('\n'),
  )
  assert.ok(found.acknowledged > 10, `only ${found.acknowledged} comments were written`)
  assert.equal(Object.keys(found.closed), ['1001'], 'sockets are told to come again')
})

test.run()
