import { setTimeout as sleep } from 'node:timers/promises'
import { assert, suite } from '../kit/kit.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { withOwnServers } from '../kit/platform/servers.ts'
import { type Act, writingActs } from '../kit/writes/acts.ts'
import { recordServerWork, type WorkRecorder, withoutValues } from '../kit/writes/server-work.ts'

const test = suite('what writes cost')

/** Most statements and commits of an act, with the caches of rights empty. */
const limits: Record<string, readonly [statements: number, commits: number]> = {
  'publish to 2 people': [24, 3],
  'comment on a page': [22, 3],
  'like a page': [19, 3],
  'read all': [9, 1],
  'confirm a must-read page': [5, 1],
  'sign up with an invitation': [90, 15],
  'upload a picture': [7, 2],
}

/** Polls and periodic writes fall into some of the runs; what an act costs is in all of them. */
const tries = 6
/** Long enough to see the frequent polls; `tries` covers the rest. */
const idleMs = 3_000
/** Longer than rights are cached, and than the last effect of an act takes. */
const settleMs = 1_500

/** Those of the statements that others hold too, each once. */
function common(statements: readonly string[], otherStatements: readonly string[]): string[] {
  const rest = otherStatements.map(withoutValues)
  return statements.filter(text => {
    const index = rest.indexOf(withoutValues(text))
    if (index >= 0) rest.splice(index, 1)
    return index >= 0
  })
}

async function failureOf(act: Act, recorder: WorkRecorder): Promise<string | undefined> {
  const [maxStatements, maxCommits] = limits[act.name] ?? [0, 0]
  let [sharedStatements, leastCommits] = [[] as string[], Infinity]
  for (let run = 1; run <= tries; run++) {
    const perform = await act.prepare()
    await sleep(settleMs)
    const { statements, commits } = await recorder.record(perform)
    sharedStatements = run === 1 ? statements : common(sharedStatements, statements)
    leastCommits = Math.min(leastCommits, commits)
    if (sharedStatements.length <= maxStatements && leastCommits <= maxCommits) return undefined
  }
  return `${act.name}: ${leastCommits} commits, ${sharedStatements.length} statements:\n${sharedStatements.join('\n')}`
}

test('no act takes more statements or commits than its limit', () =>
  withOwnServers(async () => {
    const platform = await startPlatform('one')
    const recorder = await recordServerWork(platform)
    try {
      const acts = await writingActs(platform)
      // What the hotel's set-up still does must not count as polls.
      await sleep(settleMs)
      await recorder.recordIdle(idleMs)
      assert.equal(acts.map(act => act.name).toSorted(), Object.keys(limits).toSorted())
      const failures: string[] = []
      for (const act of acts)
        failures.push(...[await failureOf(act, recorder)].filter(failure => failure !== undefined))
      assert.is(failures.join('\n'), '')
    } finally {
      await recorder.close()
      await platform.stop()
    }
  }))

test.run()
