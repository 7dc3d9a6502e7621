import { Counter, Gauge, type Registry } from 'prom-client'
import type { Hub } from './hub.ts'

/** The hubs of this process in a registry, usually one. */
const hubsByRegistry = new WeakMap<Registry, Set<Hub>>()

/**
 * Measures the sockets of this process, at each scrape.
 * @returns a function that removes the hub from the metrics
 */
export function measureLive(hub: Hub, registry: Registry): () => void {
  const registeredHubs = hubsByRegistry.get(registry)
  const hubs = registeredHubs ?? new Set<Hub>()
  if (!registeredHubs) {
    hubsByRegistry.set(registry, hubs)
    register(hubs, registry)
  }
  hubs.add(hub)
  return () => hubs.delete(hub)
}

function register(hubs: ReadonlySet<Hub>, registry: Registry): void {
  /** @param aggregator for processes that expose their metrics together; max for values that all of them share */
  const gauge = (name: string, help: string, read: (hub: Hub) => number, aggregator: 'sum' | 'max' = 'sum'): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator,
      collect() {
        this.set([...hubs].reduce((sum, hub) => sum + read(hub), 0))
      },
    })
  }
  /** A total kept by the hubs, by the values of one label. */
  const total = (name: string, help: string, label: string, read: (hub: Hub) => [string, number][]): void => {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const hub of hubs) for (const [value, count] of read(hub)) this.inc({ [label]: value }, count)
      },
    })
  }
  gauge('live_sockets', 'Open sockets', ({ connections }) => connections.size)
  gauge('live_members', 'Members with a socket on this process', ({ socketsByPerson }) => socketsByPerson.size)
  gauge('live_people', 'Members with a socket on any process', ({ presence }) => presence.people(), 'max')
  gauge('live_rooms', 'Rooms with a socket', ({ ports }) => ports.reduce((sum, { rooms }) => sum + rooms.count, 0))
  gauge('live_history_frames', 'Frames kept for reconnecting clients', ({ history }) => history.stats().frames)
  gauge('live_history_bytes', 'Bytes of the kept frames', ({ history }) => history.stats().bytes)
  total(
    'live_frames_total',
    'Room frames: sent to a socket, or dropped because the client was too slow',
    'outcome',
    hub => [
      ['delivered', hub.deliveredFrames],
      ['dropped', hub.outgoing.dropped()],
    ],
  )
  total('live_closed_total', 'Sockets closed by the server, by close code', 'code', hub =>
    [...hub.closedByCode].map(([code, count]) => [String(code), count]),
  )
  total(
    'live_recoveries_total',
    'Reconnected clients, by whether all missed frames were recovered',
    'outcome',
    ({ recoveries }) => Object.entries(recoveries),
  )
}
