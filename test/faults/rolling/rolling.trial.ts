import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faultless } from '../verdict.ts'
import { roll } from './rolling.ts'

const test = suite('processes replaced under traffic')
const smallest = { rounds: [{}], rate: 50 }

test('clients notice nothing when an edge and the process of all services are replaced', async () => {
  const { faults, requests } = await roll({ ...smallest, topology: 'two', together: true, say: () => undefined })
  assert.equal(faults, faultless(faults))
  assert.ok(requests > 100, `only ${requests} requests were sent`)
})

test.run()
