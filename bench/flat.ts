import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Platform } from '../test/kit/platform/platform.ts'
import { gather, type Person } from './day/crowd.ts'
import { anyKind, perPersonAndHour, sendAsked } from './day/mix.ts'
import { openLoop } from './day/open-loop.ts'
import { childrenNamed, residentMemory } from './support/processes.ts'
import { bySize } from './support/size.ts'
import { startPlatform, withServers } from './support/world.ts'

const [hotels, people, pages] = bySize([5, 2_000, 2_000], [5, 2_000, 2_000], [1, 20, 5])
const active = 1_000
/** Seconds between two looks. */
const step = bySize(300, 120, 1)
/** Looks while the caches fill, under load and at rest. */
const [filling, loaded, resting] = bySize([3, 12, 12], [3, 6, 3], [1, 2, 1])

const collector = fileURLToPath(new URL('./support/collect.ts', import.meta.url))
type Sample = { doing: string; minutes: number; heap: number; resident: number }

/** Requests of the busy hour. Resolves with the number of those that were not answered as they should be. */
async function load(platform: Platform, crowd: Person[]): Promise<number> {
  let failed = 0
  const open = new Set<Promise<void>>()
  await openLoop((active * perPersonAndHour) / 3_600, step, () => {
    const kind = anyKind()
    const person = crowd[Math.floor(Math.random() * crowd.length)] as Person
    const answering = sendAsked(platform.urls, kind.ask(person)).then(({ status, text }) => {
      if (status < 200 || status >= 300) failed++
      else kind.heed?.(person, text)
    })
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  })
  await Promise.all(open)
  return failed
}

/** Whether the memory of a platform grows under the load of a day, and at rest. */
export const benchFlat = (): Promise<string> =>
  withServers(async () => {
    const platform = await startPlatform('one', { NODE_OPTIONS: `--expose-gc --import=${collector}` })
    try {
      const crowd = await gather(platform, hotels, people, pages)
      const [pid = 0] = childrenNamed('cli/worker.ts')
      const began = Date.now()
      const looks: Sample[] = []
      const takeSample = async (doing: string) => {
        const { heap } = await platform.ask('platform', { type: 'collect' }, 'collected')
        const minutes = (Date.now() - began) / 60_000
        looks.push({ doing, minutes, heap: Number(heap) / 2 ** 20, resident: residentMemory(pid) })
      }
      let failed = 0
      for (let count = 0; count < filling + loaded; count++) {
        failed += await load(platform, crowd)
        await takeSample(count < filling ? 'caches fill' : 'load')
      }
      for (let count = 0; count < resting; count++) {
        await sleep(step * 1_000)
        await takeSample('rest')
      }
      const first = looks[filling - 1]?.heap ?? Number.NaN
      const growth = (doing: string) => (looks.findLast(one => one.doing === doing)?.heap ?? Number.NaN) / first
      return [
        `${active.toLocaleString('en')} active people (${((active * perPersonAndHour) / 3_600).toFixed(0)} requests/s) of ${(hotels * people).toLocaleString('en')}; memory of the only process after a collection.`,
        '',
        '| minutes | | heap MiB | resident MiB |',
        '|-|-|-|-|',
        ...looks.map(
          ({ doing, minutes, heap, resident }) =>
            `| ${minutes.toFixed(0)} | ${doing} | ${heap.toFixed(1)} | ${resident.toFixed(0)} |`,
        ),
        '',
        `Heap against that with full caches: ${growth('load').toFixed(2)}× at the end of the load, ${growth('rest').toFixed(2)}× at the end of the rest (goal 1.05×). ${failed} requests failed.`,
      ].join('\n')
    } finally {
      await platform.stop()
    }
  })
