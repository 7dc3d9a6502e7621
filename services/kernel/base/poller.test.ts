import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Poller, type PollerOptions, startPoller } from './poller.ts'

const test = suite('poller')
const longMs = 60_000
const pollers: Poller[] = []
const start = (options: Partial<PollerOptions> & Pick<PollerOptions, 'poll'>) => {
  const poller = startPoller({ failed: () => undefined, everyMs: longMs, ...options })
  pollers.push(poller)
  return poller
}
/** Resolves with the n-th poll. */
const countPolls = (answer: (poll: number) => number | undefined | Promise<number | undefined>) => {
  let looks = 0
  const waiting = new Map<number, () => void>()
  return {
    poll: async () => {
      looks++
      waiting.get(looks)?.()
      return answer(looks)
    },
    looked: (times: number) =>
      looks >= times ? Promise.resolve() : new Promise<void>(resolve => waiting.set(times, resolve)),
    count: () => looks,
  }
}

test.after.each(async () => {
  await Promise.all(pollers.splice(0).map(poller => poller.stop()))
})

test('polls again at once while there may be more, and then waits', async () => {
  const { poll, looked, count } = countPolls(time => (time < 3 ? 0 : undefined))
  start({ poll })
  await looked(3)
  await sleep(30)
  assert.is(count(), 3)
})

test('polls when something is due, ahead of its interval', async () => {
  const { poll, looked } = countPolls(time => (time === 1 ? 5 : undefined))
  start({ poll })
  await looked(2)
})

test('a wake ends the wait, also one during a poll', async () => {
  const { poll, looked, count } = countPolls(async time => {
    await sleep(1)
    if (time === 1) poller.wake()
    return undefined
  })
  const poller = start({ poll })
  await looked(2)
  await sleep(30)
  assert.is(count(), 2)
  poller.wake()
  await looked(3)
})

test('polls less often while idle', async () => {
  const began: number[] = []
  const { poll, looked } = countPolls(() => {
    began.push(performance.now())
    return undefined
  })
  start({ poll, everyMs: 20, idleMs: 80 })
  await looked(7)
  const waits = began.slice(1).map((time, index) => time - (began[index] ?? 0))
  // A timer may round down; how much later it fires depends on the machine.
  for (const [index, least] of [20, 30, 45, 67, 80, 80].entries())
    assert.ok((waits[index] ?? 0) >= least - 2, `wait ${index} took ${waits[index]} ms, less than ${least}`)
})

test('polls at the initial interval after something was found', async () => {
  const quietLooks = 40
  const { poll, looked } = countPolls(time => (time === quietLooks ? 1 : undefined))
  const poller = start({ poll, everyMs: 1, idleMs: longMs })
  for (let time = 1; time < quietLooks; time++) {
    await looked(time)
    poller.wake()
  }
  // By now the next poll would be a minute away.
  await looked(quietLooks + 3)
})

test('after a failure a wake does not shorten the wait', async () => {
  const failures: unknown[] = []
  const { poll, looked, count } = countPolls(time => {
    if (time === 1) throw new Error('the database is away')
    return undefined
  })
  const poller = start({ poll, everyMs: 200, failed: error => failures.push(error) })
  await looked(1)
  poller.wake()
  await sleep(50)
  assert.is(count(), 1)
  assert.match(String(failures[0]), 'the database is away')
  await looked(2)
})

test('a stop ends every wait and lets the running poll complete', async () => {
  let isOver = false
  const { poll, looked } = countPolls(async () => {
    await sleep(20)
    isOver = true
    return undefined
  })
  const poller = start({ poll })
  await looked(1)
  await poller.stop()
  assert.ok(isOver)
})

test.run()
