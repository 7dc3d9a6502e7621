import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gather } from './day/crowd.ts'
import { loadDay, requestsPerSecond } from './day/load.ts'
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
type Sample = { doing: string; heap: number; resident: number }

/** Whether the memory of a platform grows under the load of a day, and at rest. */
export const benchFlat = (): Promise<string> =>
  withServers(async () => {
    const platform = await startPlatform('one', { NODE_OPTIONS: `--expose-gc --import=${collector}` })
    try {
      const crowd = await gather(platform, hotels, people, pages)
      const [pid = 0] = childrenNamed('cli/worker.ts')
      const looks: Sample[] = []
      const takeSample = async (doing: string) => {
        const { heap } = await platform.ask('platform', { type: 'collect' }, 'collected')
        looks.push({ doing, heap: Number(heap) / 2 ** 20, resident: residentMemory(pid) })
      }
      let failures = 0
      for (let count = 0; count < filling + loaded; count++) {
        failures += (await loadDay(platform, crowd, { active, seconds: step })).filter(({ isGood }) => !isGood).length
        await takeSample(count < filling ? 'caches fill' : 'load')
      }
      for (let count = 0; count < resting; count++) {
        await sleep(step * 1_000)
        await takeSample('rest')
      }
      const first = looks[filling - 1]?.heap ?? Number.NaN
      const growth = (doing: string) => (looks.findLast(one => one.doing === doing)?.heap ?? Number.NaN) / first
      return [
        `${active.toLocaleString('en')} active people (${requestsPerSecond(active).toFixed(0)} requests/s) of ${(hotels * people).toLocaleString('en')}; memory of the only process after a collection.`,
        '',
        '| | heap MiB | resident MiB |',
        '|-|-|-|',
        ...looks.map(({ doing, heap, resident }) => `| ${doing} | ${heap.toFixed(1)} | ${resident.toFixed(0)} |`),
        '',
        `Heap against that with full caches: ${growth('load').toFixed(2)}× at the end of the load, ${growth('rest').toFixed(2)}× at the end of the rest (goal 1.05×). ${failures} requests failed.`,
      ].join('\n')
    } finally {
      await platform.stop()
    }
  })
