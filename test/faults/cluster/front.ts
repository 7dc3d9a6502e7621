import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type Behind = { port: number; synced(): Promise<boolean> }

export type Front = {
  port: number
  /** Index of the node that takes the writes. */
  chosen(): number
  close(): void
}

/**
 * Acts like HAProxy or ProxySQL before a database cluster: all connections go to one node. When that isn't synced any
 * more, cuts its connections and switches to the next one that is.
 */
export async function startFront(nodes: readonly Behind[]): Promise<Front> {
  const open = new Set<Socket>()
  let chosen = 0
  let looking = false

  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    const states = await Promise.all(nodes.map(node => node.synced()))
    looking = false
    if (states[chosen] || !states.includes(true)) return
    chosen = states.indexOf(true)
    for (const socket of open) socket.destroy()
  }
  const timer = setInterval(() => void look(), 200)

  const server = createServer(client => {
    const upstream = connect(nodes[chosen]?.port ?? 0, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    chosen: () => chosen,
    close() {
      clearInterval(timer)
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
