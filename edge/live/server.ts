import type { Server } from 'node:http'
import type { Log } from '../../services/kernel/process/log.ts'
import { feedRooms } from './bus.ts'
import { createHub, createPort, type Hub, type LiveHost, noPresence } from './hub.ts'
import { measureLive } from './metrics.ts'
import { linkPresence } from './presence/presence-link.ts'
import { watchRights } from './recheck.ts'
import { defaultLimits, type SocketLimits } from './sockets/limits.ts'
import { checkLiveness } from './sockets/live-socket.ts'
import { takeUpgrades, type UpgradeRules } from './sockets/upgrades.ts'

/**
 * An HTTP server that also accepts sockets: the services whose frames they carry, and the paths of the sockets (`/ws`
 * and `/`).
 */
export type LiveServer = { server: Server; services: string[]; paths?: string[] }

/** Statistics of this process's sockets. */
type LiveStats = {
  sockets: number
  members: number
  rooms: number
  /** Frames delivered to sockets since the start. */
  delivered: number
  /** Sockets that the server closed, by close code. */
  closed: Record<string, number>
}

type LiveService = {
  /** Stops accepting sockets and closes the open ones with 1001. */
  close(): Promise<void>
  stats(): LiveStats
}

type LiveOptions = UpgradeRules & {
  servers: LiveServer[]
  host: LiveHost
  log: Log
  limits?: Partial<SocketLimits>
}

/** Accepts sockets on `/ws` and `/` of the servers, and feeds their rooms from the bus. */
export function startLive({ servers, host, log, limits, ...rules }: LiveOptions): LiveService {
  const listeners = servers.map(({ services, ...rest }) => ({ ...rest, port: createPort(services) }))
  const ports = listeners.map(({ port }) => port)
  const hub = createHub(host, log, { ...defaultLimits, ...limits }, ports)
  const rightsWatch = watchRights(hub)
  const bus = feedRooms(hub)
  hub.presence = linkPresence(hub)
  const unmeasure = measureLive(hub, host.metrics.registry)
  const upgrades = takeUpgrades(hub, listeners, rules)
  const sweepTimer = setInterval(() => {
    const now = Date.now()
    for (const connection of hub.connections) checkLiveness(hub, connection, now)
    hub.history.expire()
  }, hub.limits.sweepMs)
  sweepTimer.unref()
  let isClosing = false

  return {
    async close() {
      if (isClosing) return
      isClosing = true
      upgrades.refuseAll()
      bus.stop()
      rightsWatch.stop()
      unmeasure()
      hub.presence.stop()
      hub.presence = noPresence
      hub.outgoing.flushAll()
      clearInterval(sweepTimer)
      await closeAllSockets(hub)
      upgrades.detach()
    },
    stats: () => ({
      sockets: hub.connections.size,
      members: hub.socketsByPerson.size,
      rooms: ports.reduce((sum, { rooms }) => sum + rooms.count, 0),
      delivered: hub.deliveredFrames,
      closed: Object.fromEntries(hub.closedByCode),
    }),
  }
}

/** Closes every socket with 1001 and waits until they are closed. */
async function closeAllSockets(hub: Hub): Promise<void> {
  const openConnections = [...hub.connections]
  const closings = openConnections.map(({ socket }) => new Promise(resolve => socket.once('close', resolve)))
  for (const connection of openConnections) connection.close('goingAway')
  await Promise.all(closings)
}
