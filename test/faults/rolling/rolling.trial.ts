import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { roll } from './rolling.ts'
import type { Rolled } from './under-traffic.ts'

const test = suite('processes replaced under traffic')
const smallest = { rounds: [{}], rate: 50 }

function judge({ failures, gaveUp, unclean, lost, doubled, untold, toldTwice, unheard, requests }: Rolled): void {
  const found = { failures, gaveUp, unclean, lost, doubled, untold, toldTwice, unheard }
  const none = Object.fromEntries(Object.keys(found).map(name => [name, []]))
  assert.equal(found, none)
  assert.ok(requests > 100, `only ${requests} requests were sent`)
}

test('clients notice nothing when an edge and the process of all services are replaced', async () => {
  judge(await roll({ ...smallest, topology: 'two', together: true, say: () => undefined }))
})

test.run()
