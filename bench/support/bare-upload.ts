import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * The minimal upload: writes the request's bytes into a file as they arrive. At /kept the answer waits until the file
 * is on the medium, like the platform's; elsewhere until the system has the bytes.
 */
const folder = process.env['BARE_FOLDER'] ?? ''
let count = 0
const server = createServer((request, response) => {
  const name = path.join(folder, `${count++}`)
  pipeline(request, createWriteStream(name, { flush: request.url?.startsWith('/kept') === true })).then(
    () => response.end(JSON.stringify({ id: name })),
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit(0))
