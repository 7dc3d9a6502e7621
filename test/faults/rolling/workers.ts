import { newWorld } from '../../../cli/tour/world.ts'
import { startPlatform } from '../../kit/platform/platform.ts'
import type { Rolling } from './rolling.ts'
import { type Rolled, underTraffic } from './under-traffic.ts'

const workers = 2

/** Replaces the processes of `npm start` in place, repeatedly and under traffic, and counts what clients noticed. */
export async function rollWorkers({ rounds, rate, say }: Omit<Rolling, 'topology'>): Promise<Rolled> {
  const platform = await startPlatform('one', {
    WORKERS: String(workers),
    ACCESS_TOKEN_SECONDS: '86400',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  })
  try {
    const world = newWorld({ ...platform, report: () => undefined })
    return await underTraffic(world, rate, say, async ({ replaced, restarted, unclean, progress }) => {
      for (let round = 1; round <= rounds; round++) {
        replaced.add('worker')
        const { count, error } = await platform.ask('platform', { type: 'replace' }, 'replaced')
        replaced.delete('worker')
        restarted('worker', Number(count))
        if (error !== undefined) unclean.push(String(error))
        say(`${round}/${rounds} ${String(count)} workers replaced: ${progress()}`)
      }
    })
  } finally {
    await platform.stop()
  }
}
