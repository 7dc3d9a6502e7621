import type { Urls } from '../../../cli/tour/client.ts'
import { newWorld, type World } from '../../../cli/tour/world.ts'
import { listeners, portSettings } from '../../../edge/config.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'
import { type OwnPlatform, startPlatform } from '../../kit/platform/platform.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import type { Process } from '../../kit/process.ts'
import { type Front, startHaproxy } from './haproxy.ts'

type Ports = Readonly<Record<string, number>>

/** Ports behind the balancer, by the settings that name them, and the process that listens on them. */
type Slot = {
  name: string
  index: number
  ports: Ports
  process?: Process
  folder?: string | undefined
  /** Resolves when its last process has ended. */
  free: Promise<unknown>
}

export type FleetOptions = {
  /** two: all services in one process, the edge in another; split: a process for each. */
  topology: 'two' | 'split'
  edges?: number
  env?: Environment
}

/** A platform whose processes stand behind HAProxy, where each can be replaced by another. */
export type Fleet = {
  platform: OwnPlatform
  /** A client that calls the balancer. */
  world: World
  /** Kinds of processes. */
  names: string[]
  /** Kinds of which a process is being replaced now. */
  inReplacement: Set<string>
  /** Replacements by kind. */
  restarts: Record<string, number>
  /** Stopped processes that exited with another code than 0, with that code. */
  failedExits: string[]
  /** The running processes of a kind. */
  processes(name: string): Process[]
  /**
   * Replaces each process of a kind: starts another one, waits until it gets work, then tells the former to stop.
   * @param folder of another version of the project
   */
  replace(name: string, folder?: string): Promise<void>
  /** kill -9 of one process of a kind, then a new one in its place; resolves when it gets work. */
  kill(name: string): Promise<void>
  /** Resolves when every replaced process has ended. */
  untilEnded(): Promise<void>
  stop(): Promise<void>
}

/** How long a replaced process still serves, in seconds: longer than its clients keep idle connections. */
const drainSeconds = 5

const edgePorts = portSettings.filter(name => name !== 'LEGACY_AUTH_PORT')
const rpcPorts = serviceNames.map(name => `${name.toUpperCase()}_RPC_PORT`)

/** The ports of a process, by the settings that name them. */
const portsOf = (process: string): string[] => {
  if (process === 'edge') return edgePorts
  return process === 'services' ? rpcPorts : [`${process.toUpperCase()}_RPC_PORT`]
}

/** Free ports for the names. */
async function anyPorts(names: string[]): Promise<Ports> {
  const free = await freePorts(names.length)
  return Object.fromEntries(names.map((name, index) => [name, free[index] ?? 0]))
}

const settingsOf = ({ name, ports }: Slot): Environment => ({
  ...Object.fromEntries(Object.entries(ports).map(([setting, port]) => [setting, String(port)])),
  ...(name === 'edge' && { LEGACY_AUTH_PORT: String(ports['NOTIFICATION_PORT']) }),
  [`${name.toUpperCase()}_METRICS_PORT`]: '0',
})

/** The balancer's ports for a kind of process. The page of readiness of the edge alone is that of the web client. */
function frontsOf(slots: Slot[], ports: Ports): Front[] {
  const [{ name } = { name: '' }] = slots
  return portsOf(name).map(setting => ({
    name: setting,
    port: ports[setting] ?? 0,
    kind: name === 'edge' ? 'edge' : 'service',
    servers: slots.map(slot => ({ port: slot.ports[setting] ?? 0 })),
    ...(name === 'edge' && setting !== 'FRONT_PORT' && { track: 'FRONT_PORT' }),
  }))
}

export async function startFleet({ topology, edges = 1, env = {} }: FleetOptions): Promise<Fleet> {
  const names = [...(topology === 'two' ? ['services'] : serviceNames), 'edge']
  const counts = (name: string): number => (name === 'edge' ? edges : 1)
  const slots: Slot[] = []
  // One more than there are processes, for the next of them.
  for (const name of names)
    for (let index = 0; index <= counts(name); index++)
      slots.push({ name, index, ports: await anyPorts(portsOf(name)), free: Promise.resolve() })
  const slotsOf = (name: string): Slot[] => slots.filter(slot => slot.name === name)
  const ports = await anyPorts([...rpcPorts, ...edgePorts])
  const haproxy = await startHaproxy(names.flatMap(name => frontsOf(slotsOf(name), ports)))
  const addresses = rpcPorts.map(name => [name.replace('_PORT', '_URL'), `http://127.0.0.1:${ports[name]}`])
  const firsts = slots.filter(({ index }) => index === 0)
  let platform: OwnPlatform
  try {
    platform = await startPlatform(topology, {
      ...Object.fromEntries(addresses),
      ...Object.assign({}, ...firsts.map(settingsOf)),
      FRONT_BASE_URL: `http://127.0.0.1:${ports['FRONT_PORT']}`,
      MEDIA_PUBLIC_URL: `http://127.0.0.1:${ports['MEDIA_PORT']}`,
      STRIPE_WEBHOOK_TARGET: `http://127.0.0.1:${ports['PAYMENT_PORT']}/webhooks/stripe`,
      ACCESS_TOKEN_SECONDS: '86400',
      DRAIN_SECONDS: String(drainSeconds),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      ...env,
    })
  } catch (error) {
    await haproxy.stop()
    throw error
  }
  const inReplacement = new Set<string>()
  const restarts: Record<string, number> = {}
  const failedExits: string[] = []

  const start = async (slot: Slot, folder?: string): Promise<void> => {
    slot.process = await platform.startAnother(slot.name, settingsOf(slot), folder)
    slot.folder = folder
    await haproxy.up(portsOf(slot.name)[0] ?? '', slot.index)
  }
  const end = (slot: Slot): void => {
    slot.free = Promise.resolve(slot.process?.stop()).then(code => {
      if (code !== '0') failedExits.push(`${slot.name} ended with ${code}`)
      delete slot.process
    })
  }
  const freeOf = (name: string): Promise<unknown> => Promise.all(slotsOf(name).map(({ free }) => free))
  const busy = (name: string): Slot[] => slotsOf(name).filter(slot => slot.process)

  const stop = async (): Promise<void> => {
    await platform.stop()
    await haproxy.stop()
  }
  try {
    for (const slot of firsts) {
      slot.process = platform.process(slot.name)
      await haproxy.up(portsOf(slot.name)[0] ?? '', slot.index)
    }
    for (const slot of slots) if (slot.index > 0 && slot.index < counts(slot.name)) await start(slot)
  } catch (error) {
    await stop()
    throw error
  }
  const urls = Object.fromEntries(
    Object.entries(listeners).map(([name, { setting }]) => {
      const port = ports[setting] ?? ports['NOTIFICATION_PORT']
      return [name, `http://127.0.0.1:${port}`]
    }),
  ) as Urls
  return {
    platform,
    world: newWorld({ ...platform, urls, report: () => undefined }),
    names,
    inReplacement,
    restarts,
    failedExits,
    processes: name => busy(name).flatMap(({ process }) => process ?? []),
    async replace(name, folder) {
      await freeOf(name)
      inReplacement.add(name)
      for (const formerSlot of busy(name)) {
        // The place of a process is free once it has ended.
        await freeOf(name)
        const next = slotsOf(name).find(slot => !slot.process)
        if (!next) throw new Error(`no place for another process ${name}`)
        await start(next, folder)
        end(formerSlot)
        restarts[name] = (restarts[name] ?? 0) + 1
      }
      void freeOf(name).then(() => inReplacement.delete(name))
    },
    async kill(name) {
      const busySlots = busy(name)
      const victim = busySlots[Math.floor(Math.random() * busySlots.length)]
      if (!victim?.process) throw new Error(`no process ${name}`)
      await victim.process.stop('SIGKILL')
      await start(victim, victim.folder)
    },
    untilEnded: async () => void (await Promise.all(names.map(freeOf))),
    stop,
  }
}
