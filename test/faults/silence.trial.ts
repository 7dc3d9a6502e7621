import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { testBus } from '../kit/bus.ts'
import { eventually } from '../kit/kit.ts'

const test = suite('a silent broker')

test('a process leaves a broker that neither answers nor closes within 15 s', async () => {
  const broker = await testBus()
  const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
  try {
    assert.is(bus.status().connected, true)
    const began = Date.now()
    // The system keeps a stopped server's connections open, and accepts further ones for it.
    broker.signal('SIGSTOP')
    await eventually(() => !bus.status().connected, 30_000)
    assert.ok(Date.now() - began < 15_000, `after ${Date.now() - began} ms`)
  } finally {
    broker.signal('SIGCONT')
    await bus.close()
    await broker.close()
  }
})

test.run()
