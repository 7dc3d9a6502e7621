import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faultless } from '../verdict.ts'
import { dayFaults, runDay } from './day.ts'
import { clusteredGround } from './ground.ts'

const test = suite('a day over clusters')

test('four minutes over clusters of databases, brokers and edges, with kills and an upgrade, lose and double nothing', async () => {
  const messages: string[] = []
  const crowd = { hotels: 1, people: 20, pages: 5, sockets: 10 }
  const ground = await clusteredGround()
  try {
    const verdict = await runDay(ground, { minutes: 4, crowd, levels: [100], say: line => messages.push(line) })
    const { acknowledged } = verdict.outcomes
    const faults = dayFaults(verdict, crowd.sockets)
    assert.equal(faults, faultless(faults), messages.join('\n'))
    assert.ok(acknowledged > 50, `only ${acknowledged} comments were written`)
    // Two minutes come before the upgrade.
    assert.ok(verdict.kills['database'] && verdict.kills['broker'], JSON.stringify(verdict.kills))
  } finally {
    await ground.stop()
  }
})

test.run()
