import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Free loopback ports, all different, below those that systems give to outgoing connections: one of these could take a
 * port in the moments between this look at it and its use. They are this process's until it ends, whether something
 * listens on them or not: nobody else who asks here gets them.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(10_000, 32_000)
    if (!ports.has(port) && (await isReserved(port)) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

/** Holds the UDP port of the same number, which nothing of ours uses, as a sign that works between processes. */
async function isReserved(port: number): Promise<boolean> {
  const sign = createSocket('udp4').unref()
  try {
    const bound = once(sign, 'listening')
    sign.bind({ port, address: '127.0.0.1', exclusive: true })
    await bound
    return true
  } catch {
    sign.close()
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
