import type { World } from '../../../cli/tour/world.ts'
import type { OwnPlatform } from '../../kit/platform/platform.ts'
import { startFleet } from '../fleet/fleet.ts'
import { type Rolled, underTraffic } from './under-traffic.ts'

/** A replacement of every process. */
export type Round = {
  /** Folder of the version that the new processes are of; this one by default. */
  folder?: string
  before?(platform: OwnPlatform): Promise<void>
  after?(world: World): Promise<void>
}

export type Rolling = {
  /** two: all services in one process, the edge in another; split: a process for each. */
  topology: 'two' | 'split'
  rounds: Round[]
  /** Requests a second. */
  rate: number
  /** Replaces all kinds of processes at once; otherwise one after the other. */
  together?: boolean
  say: (line: string) => void
}

/**
 * Replaces every process of a platform repeatedly under traffic, each by a new one started alongside. Counts what
 * clients noticed.
 */
export async function roll({ topology, rounds, rate, together = false, say }: Rolling): Promise<Rolled> {
  const fleet = await startFleet({ topology })
  try {
    return await underTraffic(fleet, rate, say, async progress => {
      for (const [index, { folder, before, after }] of rounds.entries()) {
        await before?.(fleet.platform)
        const turn = async (name: string): Promise<void> => {
          await fleet.replace(name, folder)
          say(`${index + 1}/${rounds.length} ${name} replaced: ${progress()}`)
        }
        if (together) await Promise.all(fleet.names.map(turn))
        else for (const name of fleet.names) await turn(name)
        await fleet.untilEnded()
        await after?.(fleet.world)
      }
    })
  } finally {
    await fleet.stop()
  }
}
