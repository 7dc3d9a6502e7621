import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import express, { type RequestHandler } from 'express'
import { rawAnswer } from '../../test/kit/edge.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { cutSlowClients } from './slow.ts'

const test = suite('limits for slow clients')

const patience = { bodyMs: 50, uploadBytes: 12_000, restMs: 5_000, answerMs: 60_000 }

async function served(handler: RequestHandler, limits = patience) {
  const listener = express().use(cutSlowClients(limits), handler).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, close: () => listener.close() }
}

const bodies: [what: string, type: string, bytes: number][] = [
  ['an upload', 'multipart/form-data; boundary=b', 20_000],
  ['a body that lies here completely', 'application/json', 2],
  ['a body of which this process reads nothing', 'application/json', 200_000],
]
for (const [title, type, bytes] of bodies)
  test(`${title} is not cut off as too slow while the platform delays it`, async () => {
    const { url, close } = await served((_request, response) => {
      // Longer than a client may stall.
      setTimeout(() => response.end('taken'), 250)
    })
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}`
    const { text } = await rawAnswer(url, `${head}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`)
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*taken$/)
    close()
  })

test('a body that trickles is a 408', async () => {
  const { url, close } = await served(request => void request.resume())
  const { text } = await rawAnswer(url, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nx')
  assert.match(text, /^HTTP\/1\.1 408 /)
  close()
})

test('a client that reads nothing of its answer is disconnected, and one that reads slowly is not', async () => {
  const totalBytes = 64 * 1024 * 1024
  const ends: string[] = []
  const { port, close } = await served(
    (request, response) => {
      response.once('finish', () => ends.push(`${request.url} sent`))
      response.once('close', () => response.writableFinished || ends.push(`${request.url} cut`))
      response.end(Buffer.alloc(totalBytes))
    },
    { ...patience, answerMs: 400 },
  )
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    return socket
  }
  const silent = ask('/silent').pause()
  const slow = ask('/slow')
  // At least two seconds for everything: five times as long as a client may read nothing.
  slow.on('data', data => {
    slow.pause()
    setTimeout(() => slow.resume(), (data.length / totalBytes) * 2_000)
  })
  await eventually(() => ends.length === 2)
  assert.equal(ends, ['/silent cut', '/slow sent'])
  silent.destroy()
  close()
})

test.run()
