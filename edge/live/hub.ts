import { LRUCache } from 'lru-cache'
import type { Host } from '../../services/kernel/host.ts'
import type { Log } from '../../services/kernel/log.ts'
import type { Connection } from './connection.ts'
import { carriersOf, frameBytes, type RoomMessage } from './frames.ts'
import type { Limits } from './limits.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import { createRooms, type Rooms } from './rooms.ts'

/** What live needs of the process. */
export type LiveHost = Pick<Host, 'bus' | 'tokens' | 'rights' | 'accounts' | 'transport'>

/** One listener: the services whose frames it carries, and the rooms of its sockets. */
export type Port = { services: ReadonlySet<string>; rooms: Rooms }

/** The sockets of one process. */
export type Hub = {
  host: LiveHost
  log: Log
  limits: Limits
  ports: Port[]
  connections: Set<Connection>
  /** Sockets by whom they belong to: member id, or user id of an administrator without one. */
  owners: Map<string, Set<Connection>>
  /** How many sockets have said who they are. */
  identified: number
  outgoing: Outgoing
  /** Grows with every change of rights, so that a decision made across one is made again. */
  epoch: number
  /** Has the sockets of these owners checked against their rights as they are now; all sockets when none are named. */
  recheck(owners: string[]): void
  /** Frames that were handed out lately, by id, event and room. */
  seen: LRUCache<string, true>
  delivered: number
  /** Sockets closed by the server, by close code. */
  closed: Map<number, number>
}

export const createPort = (services: string[]): Port => ({ services: new Set(services), rooms: createRooms() })

export function createHub(host: LiveHost, log: Log, limits: Limits, ports: Port[]): Hub {
  return {
    host,
    log,
    limits,
    ports,
    connections: new Set(),
    owners: new Map(),
    identified: 0,
    outgoing: createOutgoing(limits),
    epoch: 0,
    recheck: () => {},
    seen: new LRUCache({ max: 50_000 }),
    delivered: 0,
    closed: new Map(),
  }
}

const carries = (port: Port, services: ReadonlySet<string> | undefined): boolean =>
  !services || [...services].some(service => port.services.has(service))

/** Gives a frame to the sockets of this process that are in its rooms, to each of them once. */
export function deliver(hub: Hub, message: RoomMessage): void {
  const services = carriersOf(message.event)
  const ports = hub.ports.filter(port => carries(port, services))
  const sets: ReadonlySet<Connection>[] = []
  for (const room of message.rooms) {
    const occupied = ports.map(port => port.rooms.in(room)).filter(set => set.size > 0)
    if (occupied.length > 0 && !isRepeated(hub, message, room)) sets.push(...occupied)
  }
  const [first] = sets
  if (!first) return
  const targets = sets.length === 1 ? first : new Set(sets.flatMap(set => [...set]))
  const bytes = frameBytes(message.event, message.data)
  for (const connection of targets) hub.outgoing.add(connection, bytes)
  hub.delivered += targets.size
}

function isRepeated(hub: Hub, { id, event }: RoomMessage, room: string): boolean {
  if (!id) return false
  const key = `${id} ${event} ${room}`
  if (hub.seen.has(key)) return true
  hub.seen.set(key, true)
  return false
}
