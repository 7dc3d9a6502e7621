import { execFile } from 'node:child_process'
import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startRpcServer } from './server.ts'

/** Protection of the kernel against abuse (docs/threats.md). */
const test = suite('abuse of the kernel')

/** A server that has health alone. */
const startServer = () =>
  startRpcServer({ rpcs: [], interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })

test('a client that opens streams and cancels them at once is disconnected, and the next one is served', async () => {
  const server = await startServer()
  const url = `http://127.0.0.1:${server.port}`
  try {
    const attacker = connect(url).on('error', () => undefined)
    let streamCount = 0
    let isGone = false
    attacker.once('goaway', () => (isGone = true)).once('close', () => (isGone = true))
    // Streams are sent over several turns of the event loop, because the server's GOAWAY must arrive between them.
    while (!isGone && streamCount < 20_000) {
      for (let n = 0; n < 20 && !attacker.closed && !attacker.destroyed; n++, streamCount++) {
        const stream = attacker.request({ ':method': 'POST', ':path': '/grpc.health.v1.Health/Check' })
        stream.on('error', () => undefined).close(8)
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    attacker.destroy()
    assert.ok(isGone, `${streamCount} streams`)
    const answer = await fetch(`${url}/grpc.health.v1.Health/Check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.is(answer.status, 200)
  } finally {
    await server.close(0)
  }
})

test('a call over HTTP/1.0, which names no host, is answered', async () => {
  const server = await startServer()
  const path = '/grpc.health.v1.Health/Check'
  try {
    const socket = connectTcp(server.port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`)
    assert.match(await text(socket), /^HTTP\/1.1 200 OK\r\n.*"SERVING"/s)
  } finally {
    await server.close(0)
  }
})

test('100,000 tokens of four processes with one key have 100,000 nonces', async () => {
  const program = `const { cipher } = await import(${JSON.stringify(new URL('../base/secrets.ts', import.meta.url))})
    const { seal } = cipher('access-token', ['the same secret everywhere'])
    process.stdout.write(Array.from({ length: 25_000 }, () => seal('x').split('.')[1]).join(' '))`
  const run = promisify(execFile)
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () =>
      run(process.execPath, ['--input-type=module', '--eval', program], { maxBuffer: 2 ** 24 }),
    ),
  )
  const nonces = outputs.flatMap(({ stdout }) => stdout.split(' '))
  assert.is(nonces.length, 100_000)
  assert.is(new Set(nonces).size, 100_000)
  for (const nonce of nonces) assert.is(nonce.length, 16)
})

test.run()
