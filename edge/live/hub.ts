import { bulkhead, type IPolicy } from 'cockatiel'
import type { Log } from '../../services/kernel/process/log.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import { isCarried, textBytes } from './frames.ts'
import { createHistory, type History } from './history/history.ts'
import type { HistoryEntry } from './history/history-frames.ts'
import { createRightsSince, type RightsSince } from './history/rights-since.ts'
import type { VerifiedClaims } from './people.ts'
import { createRooms } from './rooms.ts'
import type { Connection, Port } from './sockets/connection.ts'
import type { SocketLimits } from './sockets/limits.ts'
import { createOutgoing, type Outgoing } from './sockets/outgoing.ts'

/** The parts of the process that live uses. */
export type LiveHost = Pick<Host, 'bus' | 'tokens' | 'rights' | 'accounts' | 'transport' | 'metrics'>

/** Presence as the sockets of this process need it. */
export type PresenceLink = {
  /** The number or the state of a person's sockets changed. */
  personChanged(personId: string): void
  /** A person's sockets on other live processes. */
  countSocketsElsewhere(personId: string): number
  /** Members who are online in a workspace. */
  list(workspaceId: string): string[]
  /** Number of people with a socket anywhere. */
  people(): number
  stop(): void
}

/** The sockets of one process. */
export type Hub = {
  host: LiveHost
  log: Log
  limits: SocketLimits
  ports: Port[]
  connections: Set<Connection>
  /** Sockets by person: the member id, or user id of an administrator without one. */
  socketsByPerson: Map<string, Set<Connection>>
  /** People whose handshake is in progress. */
  pendingHandshakes: Set<VerifiedClaims>
  /** Looks up people a few at a time: when all clients return at once, calls that wait in services would end late. */
  lookUps: IPolicy
  /** Number of authenticated sockets. */
  authenticatedCount: number
  outgoing: Outgoing
  /** Incremented by every change of rights; a decision that spans a change is repeated. */
  epoch: number
  /** Checks the sockets of these people against their rights; all sockets when no person is named. */
  recheck(personIds: string[]): void
  /** Who is online, on all processes. */
  presence: PresenceLink
  /** Recent frames. */
  history: History
  /** Recent changes of rights. */
  rightsSince: RightsSince
  /** Frames delivered to sockets. */
  deliveredFrames: number
  /** How many returning clients received all missed frames, and how many lost some. */
  recoveries: Record<'recovered' | 'lost', number>
  /** Sockets closed by the server, by close code. */
  closedByCode: Map<number, number>
}

const maxParallelLookUps = 50

/** Used until the processes know each other. */
export const noPresence: PresenceLink = {
  personChanged: () => {},
  countSocketsElsewhere: () => 0,
  list: () => [],
  people: () => 0,
  stop: () => {},
}

/**
 * A listener without sockets.
 * @param services the services whose frames it carries
 */
export const createPort = (services: string[]): Port => ({ services: new Set(services), rooms: createRooms() })

/** The shared state of live, before server.ts connects the bus, rights and presence. */
export function createHub(host: LiveHost, log: Log, limits: SocketLimits, ports: Port[]): Hub {
  return {
    host,
    log,
    limits,
    ports,
    connections: new Set(),
    socketsByPerson: new Map(),
    pendingHandshakes: new Set(),
    lookUps: bulkhead(maxParallelLookUps, Number.POSITIVE_INFINITY),
    authenticatedCount: 0,
    outgoing: createOutgoing(limits),
    epoch: 0,
    recheck: () => {},
    presence: noPresence,
    history: createHistory(limits),
    rightsSince: createRightsSince(limits.historyMs),
    deliveredFrames: 0,
    recoveries: { recovered: 0, lost: 0 },
    closedByCode: new Map(),
  }
}

/** Sends a frame to the sockets of this process in its rooms, once each. */
export function deliver(hub: Hub, { audience, event, text }: Pick<HistoryEntry, 'audience' | 'event' | 'text'>): void {
  const ports = hub.ports.filter(({ services }) => isCarried(services, event))
  const occupied = ports.flatMap(({ rooms }) => rooms.among(audience))
  const [first] = occupied
  if (!first) return
  // A snapshot: rooms may change before the frame is written.
  const targets = [...(occupied.length === 1 ? first : new Set(occupied.flatMap(set => [...set])))]
  hub.outgoing.addAll(targets, textBytes(text))
  hub.deliveredFrames += targets.length
}
