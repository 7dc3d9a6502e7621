import { setTimeout as sleep } from 'node:timers/promises'
import { type Act, writingActs } from '../test/kit/writes/acts.ts'
import { recordServerWork, type ServerWork } from '../test/kit/writes/server-work.ts'
import { line, median } from './support/figures.ts'
import { childrenNamed, processorSeconds } from './support/processes.ts'
import { bySize } from './support/size.ts'
import { startPlatform, withOwnServers } from './support/world.ts'

const runs = bySize(9, 3, 1)
const repetitions = bySize(200, 60, 2)
/** Longer than the longest pause between two polls. */
const idleSeconds = bySize(60, 25, 1)
/** Long enough for the last effect of an act. */
const settleMs = 1_500

/** What each act of two people costs in the database, at the broker and in processor time, everything in one process. */
export async function benchWrites(): Promise<string> {
  return withOwnServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const recorder = await recordServerWork(platform)
    try {
      const acts = await writingActs(platform)
      await sleep(settleMs)
      const idleWork = await recorder.recordIdle(idleSeconds * 1_000)
      const rows: string[] = []
      for (const act of acts) {
        const works: ServerWork[] = []
        for (let run = 0; run < runs; run++) {
          const perform = await act.prepare()
          await sleep(settleMs)
          works.push(await recorder.record(perform))
        }
        // Periodic writes fall into some of the runs.
        const fewest = works.toSorted((a, b) => a.statements.length - b.statements.length)[0] as ServerWork
        if (process.argv.includes('--statements'))
          for (const text of fewest.statements) console.log(act.name, '|', text.slice(0, 220))
        const figures = (['logBytes', 'messages'] as const).map(name =>
          median(works.map(work => work[name])).toFixed(0),
        )
        rows.push(line(act.name, fewest.statements.length, fewest.commits, ...figures, ...(await processorTimes(act))))
      }
      const perTenSeconds = ((idleWork.statements.length / idleSeconds) * 10).toFixed(0)
      return [
        line('act', 'statements', 'commits', 'log bytes', 'broker messages', 'ms platform', 'ms database'),
        line(...Array.from({ length: 7 }, () => '-')),
        ...rows,
        '',
        `At rest: ${perTenSeconds} statements in 10 seconds.`,
      ].join('\n')
    } finally {
      await recorder.close()
      await platform.stop()
    }
  })
}

/** Processor ms of the platform and of the database for one act, of many one after another. */
async function processorTimes({ prepare }: Act): Promise<string[]> {
  const performs: (() => Promise<unknown>)[] = []
  for (let index = 0; index < repetitions; index++) performs.push(await prepare())
  await sleep(settleMs)
  const programs = [childrenNamed('cli/worker.ts'), childrenNamed('mariadbd')]
  const before = programs.map(processorSeconds)
  for (const perform of performs) await perform()
  await sleep(settleMs)
  return programs.map((pids, index) =>
    (((processorSeconds(pids) - (before[index] ?? 0)) / repetitions) * 1_000).toFixed(1),
  )
}
