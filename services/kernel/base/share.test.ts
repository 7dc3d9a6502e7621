import { setImmediate as nextTurn } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shareRuns } from './share.ts'

const test = suite('shared results')

/** A question whose runs are counted and end on command. */
function question() {
  const runs: { end(): void; fail(): void }[] = []
  const run = () =>
    new Promise<number>((resolve, reject) => {
      const number = runs.length + 1
      runs.push({ end: () => resolve(number), fail: () => reject(new Error(`run ${number}`)) })
    })
  return { runs, run }
}

test('callers during a run share the next one, never the one that began before', async () => {
  const { runs, run } = question()
  const ask = shareRuns<number>()
  const first = ask('k', run)
  await nextTurn()
  const later = [ask('k', run), ask('k', run), ask('k', run)]
  await nextTurn()
  assert.is(runs.length, 1)
  runs[0]?.end()
  assert.is(await first, 1)
  await Promise.resolve()
  assert.is(runs.length, 2)
  runs[1]?.end()
  assert.equal(await Promise.all(later), [2, 2, 2])
  const separateRun = ask('k', run)
  await nextTurn()
  assert.is(runs.length, 3)
  runs[2]?.end()
  assert.is(await separateRun, 3)
})

test('callers of one turn of the event loop share a run', async () => {
  const { runs, run } = question()
  const ask = shareRuns<number>()
  const first = ask('k', run)
  await Promise.resolve()
  const second = ask('k', run)
  assert.is(runs.length, 0)
  await nextTurn()
  runs[0]?.end()
  assert.equal(await Promise.all([first, second]), [1, 1])
})

test('other keys do not wait', async () => {
  const { runs, run } = question()
  const ask = shareRuns<number>()
  const both = [ask('a', run), ask('b', run)]
  await nextTurn()
  assert.is(runs.length, 2)
  for (const one of runs) one.end()
  assert.equal(await Promise.all(both), [1, 2])
})

test('a failing run fails those who share it, and no later caller', async () => {
  const { runs, run } = question()
  const ask = shareRuns<number>()
  const first = ask('k', run)
  await nextTurn()
  const second = ask('k', run)
  runs[0]?.fail()
  await first.then(
    () => assert.unreachable(),
    error => assert.match(String(error), 'run 1'),
  )
  await nextTurn()
  runs[1]?.end()
  assert.is(await second, 2)
})

test.run()
