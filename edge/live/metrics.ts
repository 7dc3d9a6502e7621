import { Counter, Gauge, type Registry } from 'prom-client'
import type { Hub } from './hub.ts'

/**
 * Measures the sockets of this process: values are read when somebody asks for them.
 * @returns a function that takes the metrics back
 */
export function measureLive(hub: Hub, registry: Registry): () => void {
  const { ports, connections, owners, history, recoveries } = hub
  const names: string[] = []
  const gauge = (name: string, help: string, read: () => number): void => {
    names.push(name)
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  /** A total that the hub keeps itself, by the values of one label or as one number. */
  const total = (name: string, help: string, label: string, read: () => [string, number][]): void => {
    names.push(name)
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const [value, count] of read()) this.inc({ [label]: value }, count)
      },
    })
  }
  gauge('live_sockets', 'Open sockets', () => connections.size)
  gauge('live_members', 'People with a socket on this process', () => owners.size)
  gauge('live_people', 'People with a socket on any process', () => hub.presence.people())
  gauge('live_rooms', 'Rooms with a socket', () => ports.reduce((sum, { rooms }) => sum + rooms.count, 0))
  gauge('live_history_frames', 'Frames kept for clients that come back', () => history.stats().frames)
  gauge('live_history_bytes', 'Bytes of them', () => history.stats().bytes)
  total(
    'live_frames_total',
    'Room frames: given to a socket, or dropped with a client that was too slow',
    'outcome',
    () => [
      ['delivered', hub.delivered],
      ['dropped', hub.outgoing.dropped()],
    ],
  )
  total('live_closed_total', 'Sockets closed by the server, by close code', 'code', () =>
    [...hub.closed].map(([code, count]) => [String(code), count]),
  )
  total('live_recoveries_total', 'Clients that came back: all that they missed was known, or not', 'outcome', () =>
    Object.entries(recoveries),
  )
  return () => names.forEach(name => registry.removeSingleMetric(name))
}
