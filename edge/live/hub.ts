import type { Host } from '../../services/kernel/rpc/host.ts'
import type { Log } from '../../services/kernel/process/log.ts'
import type { Connection } from './sockets/connection.ts'
import { isCarried, textBytes } from './frames.ts'
import type { Entry } from './history/history-frames.ts'
import { createHistory, type History } from './history/history.ts'
import type { Newcomer } from './sockets/identity.ts'
import type { Limits } from './sockets/limits.ts'
import { createOutgoing, type Outgoing } from './sockets/outgoing.ts'
import type { PresenceLink } from './presence/presence-link.ts'
import { createRightsSince, type RightsSince } from './history/rights-since.ts'
import { createRooms, type Rooms } from './rooms.ts'

/** What live needs of the process. */
export type LiveHost = Pick<Host, 'bus' | 'tokens' | 'rights' | 'accounts' | 'transport' | 'metrics'>

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
  /** People on their way in. */
  newcomers: Set<Newcomer>
  /** How many sockets have said who they are. */
  identified: number
  outgoing: Outgoing
  /** Grows with every change of rights, so that a decision made across one is made again. */
  epoch: number
  /** Has the sockets of these owners checked against their rights as they are now; all sockets when none are named. */
  recheck(owners: string[]): void
  /** Who is online, on all processes. */
  presence: PresenceLink
  /** What was said lately. */
  history: History
  /** Whose rights changed lately. */
  rightsSince: RightsSince
  /** Frames given to sockets. */
  delivered: number
  /** How often clients that came back got everything they had missed, and how often that was not known. */
  recoveries: { recovered: number; lost: number }
  /** Sockets closed by the server, by close code. */
  closed: Map<number, number>
}

/** Until the processes know of each other. */
export const noPresence: PresenceLink = {
  changed: () => {},
  elsewhere: () => 0,
  list: () => [],
  people: () => 0,
  stop: () => {},
}

/** A listener without sockets yet. @param services those whose frames it carries */
export const createPort = (services: string[]): Port => ({ services: new Set(services), rooms: createRooms() })

/** The state that all parts of live share, before the bus, rights and presence are connected to it (server.ts). */
export function createHub(host: LiveHost, log: Log, limits: Limits, ports: Port[]): Hub {
  return {
    host,
    log,
    limits,
    ports,
    connections: new Set(),
    owners: new Map(),
    newcomers: new Set(),
    identified: 0,
    outgoing: createOutgoing(limits),
    epoch: 0,
    recheck: () => {},
    presence: noPresence,
    history: createHistory(limits),
    rightsSince: createRightsSince(limits.historyMs),
    delivered: 0,
    recoveries: { recovered: 0, lost: 0 },
    closed: new Map(),
  }
}

/** Gives a frame to the sockets of this process that are in its rooms, to each of them once. */
export function deliver(hub: Hub, { audience, event, text }: Pick<Entry, 'audience' | 'event' | 'text'>): void {
  const ports = hub.ports.filter(({ services }) => isCarried(services, event))
  const occupied = ports.flatMap(({ rooms }) => rooms.among(audience))
  const [first] = occupied
  if (!first) return
  // As they are now: rooms may change before the frame is written.
  const targets = [...(occupied.length === 1 ? first : new Set(occupied.flatMap(set => [...set])))]
  hub.outgoing.addAll(targets, textBytes(text))
  hub.delivered += targets.length
}
