import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process behind the balancer: its ports by front name, and whether it reports ready. */
export type Backend = {
  ports: Readonly<Record<string, number>>
  isReady: boolean
  /** Consecutive probes without an answer. */
  unanswered: number
}

export type Balancer = {
  /** Resolves once the process is ready, so that another may be stopped; the very first one needn't be ready. */
  add(ports: Readonly<Record<string, number>>): Promise<Backend>
  remove(backend: Backend): void
  close(): void
}

const everyMs = 100
/** A process that misses one probe may be busy; after this many it is considered gone. */
const mostUnanswered = 3

/**
 * A TCP balancer, as in front of processes that are replaced one by one: it probes each every tenth of a second, one
 * probe at a time, and distributes new connections among the ready ones in turn. Open connections stay.
 * @param fronts ports to listen on, by name
 * @param probe whether a process reports ready; rejects when it doesn't answer
 */
export async function startBalancer(
  fronts: Readonly<Record<string, number>>,
  probe: (ports: Readonly<Record<string, number>>) => Promise<boolean>,
): Promise<Balancer> {
  const backends = new Set<Backend>()
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  let turn = 0

  const look = async (backend: Backend): Promise<void> => {
    try {
      backend.isReady = await probe(backend.ports)
      backend.unanswered = 0
    } catch {
      backend.unanswered++
      if (backend.unanswered >= mostUnanswered) backend.isReady = false
    }
  }
  const watch = async (backend: Backend): Promise<void> => {
    for (; backends.has(backend); await sleep(everyMs)) await look(backend)
  }

  /** The ready ones; all of them when none is ready, since an error is no worse than no answer. */
  const order = (): Backend[] => {
    const ready = [...backends].filter(({ isReady }) => isReady)
    const chosen = ready.length > 0 ? ready : [...backends]
    const from = turn++ % Math.max(chosen.length, 1)
    return [...chosen.slice(from), ...chosen.slice(0, from)]
  }

  const join = async (near: Socket, name: string): Promise<void> => {
    near.on('error', () => near.destroy())
    for (const backend of order()) {
      const far = connect({ port: backend.ports[name] ?? 0, host: '127.0.0.1', allowHalfOpen: true })
      const isOpen = await once(far, 'connect').then(
        () => true,
        () => false,
      )
      if (!isOpen) {
        backend.isReady = false
        continue
      }
      sockets.add(far)
      far.on('error', () => near.destroy()).on('close', () => sockets.delete(far))
      near.on('error', () => far.destroy())
      near.pipe(far)
      far.pipe(near)
      return
    }
    near.destroy()
  }

  for (const [name, port] of Object.entries(fronts)) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, near => {
      sockets.add(near)
      near.on('close', () => sockets.delete(near))
      void join(near, name)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
  }
  return {
    async add(ports) {
      const backend = { ports, isReady: false, unanswered: 0 }
      await look(backend)
      // The first process is added at once, because there is no other to stop.
      while (backends.size > 0 && !backend.isReady) {
        await sleep(everyMs)
        await look(backend)
      }
      backends.add(backend)
      void watch(backend)
      return backend
    },
    remove: backend => void backends.delete(backend),
    close() {
      backends.clear()
      for (const server of servers) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
