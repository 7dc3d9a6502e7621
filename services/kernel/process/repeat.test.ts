import { setTimeout as sleep } from 'node:timers/promises'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { repeatEvery } from './repeat.ts'

const test = suite('repeated work')

test('work is repeated one run at a time, also after a failure, until it is stopped', async () => {
  let runs = 0
  let atOnce = 0
  const failures: unknown[] = []
  const repeated = repeatEvery(
    2,
    async () => {
      atOnce++
      assert.is(atOnce, 1)
      await sleep(5)
      atOnce--
      if (++runs === 2) throw new RangeError('second')
    },
    error => failures.push(error),
  )
  await eventually(() => runs >= 4)
  assert.equal(failures.map(String), ['RangeError: second'])
  await repeated.stop()
  const finalRuns = runs
  assert.is(atOnce, 0)
  await sleep(20)
  assert.is(runs, finalRuns)
})

test('a requested run follows the one in progress', async () => {
  const order: string[] = []
  const repeated = repeatEvery(60_000, async () => {
    order.push('begin')
    await sleep(5)
    order.push('end')
  })
  await Promise.all([repeated.run(), repeated.run()])
  assert.equal(order, ['begin', 'end', 'begin', 'end'])
  await repeated.stop()
})

test.run()
