import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { endChild, ready } from '../../kit/process.ts'
import type { Network, Place } from '../cluster/places.ts'
import type { Haproxy } from './haproxy.ts'
import { absentMs, cutMs, type Part } from './part.ts'

const root = new URL('../../../', import.meta.url)

export type Replicas = {
  name: string
  kind: 'edge' | 'service'
  script: string
  env: Environment
  /** One place more than processes, for the process that replaces another. */
  places: readonly Place[]
}

type Surroundings = { network: Network; haproxy: Haproxy; unclean: string[] }

/** Starts the processes of an edge or service, all but one place full. */
export async function startReplicas(
  { name, kind, script, env, places }: Replicas,
  { network, haproxy, unclean }: Surroundings,
): Promise<Part> {
  const running = new Map<Place, ChildProcess>()
  const start = async (place: Place): Promise<void> => {
    const [command = '', ...args] = [...place.enter, process.execPath, fileURLToPath(new URL(script, root))]
    const child = spawn(command, args, {
      env: { ...env, EDGE_HOST: place.host, RPC_HOST: place.host },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    running.set(place, child)
    await ready(place.name, child)
  }
  const end = async (place: Place, signal: NodeJS.Signals): Promise<number | null> => {
    const child = running.get(place)
    running.delete(place)
    await endChild(child, signal)
    return child?.exitCode ?? null
  }
  /** The process that has run longest. */
  const oldest = (): Place => {
    const [place] = running.keys()
    if (!place) throw new Error(`no process of ${name} runs`)
    return place
  }
  await Promise.all(places.slice(1).map(start))
  return {
    name,
    kind,
    async kill() {
      const place = oldest()
      await end(place, 'SIGKILL')
      await sleep(absentMs)
      await start(place)
      await haproxy.up(place.name)
    },
    async replace() {
      const [former, next] = [oldest(), places.find(place => !running.has(place))]
      if (!next) throw new Error(`no place is free for ${name}`)
      await start(next)
      await haproxy.up(next.name)
      const code = await end(former, 'SIGTERM')
      if (code !== 0) unclean.push(`${former.name} ended with ${code}`)
    },
    async cut() {
      const place = oldest()
      network.cut(place)
      await sleep(cutMs)
      network.join(place)
      await haproxy.up(place.name)
    },
  }
}
