import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process behind the balancer: its port for each of the balancer's names, and whether it says that it is ready. */
export type Backend = {
  ports: Readonly<Record<string, number>>
  isReady: boolean
  /** Questions in a row that were not answered. */
  unanswered: number
}

export type Balancer = {
  /** Resolves when the process is ready, so that another may go; the first one of all is taken as it is. */
  add(ports: Readonly<Record<string, number>>): Promise<Backend>
  remove(backend: Backend): void
  close(): void
}

const everyMs = 100
/** A process that does not answer is busy; one that has not for so many times is gone. */
const mostUnanswered = 3

/**
 * A balancer of TCP connections, as stands before processes that are replaced: it asks each every tenth of a second
 * whether it is ready, unless the last question still waits for its answer, and gives new connections to those that are,
 * in turn. What is open stays where it is.
 * @param fronts the ports it takes connections on, by name
 * @param probe whether a process says that it is ready; rejects when it does not answer
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

  /** Those that are ready; with none ready all, since a wrong answer is no worse than none. */
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
      // With nobody else there, nobody goes when this one is ready.
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
