import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** A process behind the balancer: its port for each of the balancer's names, and whether it says that it is ready. */
export type Backend = { ports: Readonly<Record<string, number>>; isReady: boolean }

export type Balancer = {
  add(ports: Readonly<Record<string, number>>): Promise<Backend>
  remove(backend: Backend): void
  close(): void
}

const everyMs = 100

/**
 * A balancer of TCP connections, as stands before processes that are replaced: it asks each every tenth of a second
 * whether it is ready, and gives new connections to those that are, in turn. What is open stays where it is.
 * @param fronts the ports it takes connections on, by name
 * @param probe whether a process is ready
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
    backend.isReady = await probe(backend.ports).catch(() => false)
  }
  const looking = setInterval(() => {
    for (const backend of backends) void look(backend)
  }, everyMs)

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
      const backend = { ports, isReady: false }
      await look(backend)
      backends.add(backend)
      return backend
    },
    remove: backend => void backends.delete(backend),
    close() {
      clearInterval(looking)
      for (const server of servers) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
