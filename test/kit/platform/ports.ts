import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Different free loopback ports, below the ephemeral range: an outgoing connection could take one of those before its
 * use. They are reserved for this process until it ends, whether used or not: other callers of this function don't get
 * them.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(10_000, 32_000)
    if (!ports.has(port) && (await isReserved(port)) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

/** Holds the UDP port of the same number, which the platform doesn't use, as a lock between processes. */
async function isReserved(port: number): Promise<boolean> {
  const sign = createSocket('udp4').unref()
  try {
    sign.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(sign, 'listening')
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
