import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

type Link = { roundTripMs: number; downBytesPerSecond: number; upBytesPerSecond: number }

/** A proxy to a local port that is as slow as a mobile network, for everything that a browser asks. */
export async function slowLink(port: number, { roundTripMs, downBytesPerSecond, upBytesPerSecond }: Link) {
  const down = lane(roundTripMs / 2, downBytesPerSecond)
  const up = lane(roundTripMs / 2, upBytesPerSecond)
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const target = connect(port, '127.0.0.1')
    for (const [from, to, through] of [
      [client, target, up],
      [target, client, down],
    ] as const) {
      sockets.add(from)
      // Connecting takes a round trip.
      const connected = from === client ? setTimeout(roundTripMs) : Promise.resolve()
      let sent = Promise.resolve()
      const after = (length: number, act: () => void) => {
        const arrives = connected.then(() => through(length))
        sent = sent.then(() => arrives).then(act)
      }
      from.on('data', bytes => after(bytes.length, () => to.write(bytes)))
      from.on('end', () => after(0, () => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** One direction, which all connections share. Resolves when the bytes have arrived. */
function lane(delayMs: number, bytesPerSecond: number) {
  let freeAt = 0
  return (length: number): Promise<void> => {
    freeAt = Math.max(freeAt, Date.now()) + (length / bytesPerSecond) * 1_000
    return setTimeout(freeAt + delayMs - Date.now())
  }
}
