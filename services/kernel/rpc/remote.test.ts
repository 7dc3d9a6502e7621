import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createHttp2, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { DescService } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, type ServiceImpl } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from '../../../gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../../gen/grpc/reflection/v1/reflection_pb.ts'
import { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { MediaService } from '../../../gen/platform/media/v1/media_pb.ts'
import { ownAddress } from '../../../test/kit/bus.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { rightsFrom } from '../access/rights.ts'
import { toRpcError } from '../base/errors.ts'
import { remoteTransport } from './remote.ts'
import { startRpcServer } from './server.ts'

const test = suite('calls to remote services')
const options = { rpcs: [], interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true }

async function* parts() {
  yield { part: { case: 'chunk' as const, value: new Uint8Array(10) } }
}

/** A server in a separate process, for clients whose process is blocked meanwhile. */
async function serverApart(extraCode = '') {
  const program = `const { startRpcServer } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url))})
    const fs = await import('node:fs')
    const server = await startRpcServer({ rpcs: [], interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })
    ${extraCode}
    process.send(server.port)`
  const cwd = fileURLToPath(new URL('../../../', import.meta.url))
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[]
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd, stdio })
  const [port] = (await once(child, 'message')) as [number]
  return { port, child }
}

test('calls succeed after their process was suspended for longer than the usual idle time of connections', async () => {
  const { port, child } = await serverApart()
  const transport = remoteTransport(`http://127.0.0.1:${port}`)
  const health = createClient(Health, transport)
  const some = () => Promise.allSettled(Array.from({ length: 8 }, () => health.check({})))
  await some()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_500)
  assert.equal(new Set((await some()).map(({ status }) => status)), new Set(['fulfilled']))
  transport.close()
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('the server keeps an idle connection for longer than any client of the platform', async () => {
  const server = await startRpcServer(options)
  const answer = await fetch(`http://127.0.0.1:${server.port}/grpc.health.v1.Health/Check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await answer.text()
  assert.match(answer.headers.get('keep-alive') ?? '', 'timeout=75')
  await server.close(100)
})

test('clients close idle connections before a process that is replaced does', async () => {
  const server = await startRpcServer({ ...options, env: { DRAIN_SECONDS: '6' } })
  const url = `http://127.0.0.1:${server.port}/grpc.health.v1.Health/Check`
  const ask = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  const before = await ask()
  assert.is(before.headers.get('keep-alive'), 'timeout=5')
  server.drain()
  const after = await ask()
  assert.equal(
    [after.status, after.headers.get('connection'), await after.json()],
    [200, 'close', { status: 'NOT_SERVING' }],
  )
  await server.close(100)
})

test('a connection to a suspended process that is stopping is answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'still-'))
  const { port, child } = await serverApart(`process.once('message', () => {
    setTimeout(() => server.close(), 0)
    fs.writeFileSync('${folder}/stands', '')
    while (!fs.existsSync('${folder}/goes')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  })`)
  const childExit = once(child, 'exit')
  child.send('stand still, then close')
  await eventually(() => existsSync(join(folder, 'stands')))
  const ask = 'POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n'
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`${ask}Content-Length: 2\r\n\r\n{}`)
      return socket
    }),
  )
  const answers = sockets.map(socket => text(socket).catch(String))
  await writeFile(join(folder, 'goes'), '')
  assert.equal(new Set((await Promise.all(answers)).map(answer => answer.slice(0, 15))), new Set(['HTTP/1.1 200 OK']))
  // It may have ended by itself meanwhile.
  if (child.connected) child.disconnect()
  await childExit
  await rm(folder, { recursive: true })
})

test('a stream whose server is killed is unavailable', async () => {
  const { port, child } = await serverApart()
  const transport = remoteTransport(`http://127.0.0.1:${port}`)
  const answers: unknown[] = []
  try {
    for await (const answer of createClient(Health, transport).watch({})) {
      answers.push(answer)
      child.kill('SIGKILL')
    }
    assert.unreachable('the stream ended as if all were said')
  } catch (error) {
    assert.is(answers.length, 1)
    const { info, rawMessage } = toRpcError(error)
    assert.equal(
      [info.class, info.status, rawMessage],
      ['ServiceUnavailableError', 503, 'Service unavailable, try again'],
    )
  }
  transport.close()
})

test('a health watch ends with its server, and does not delay the stop', async () => {
  const server = await startRpcServer(options)
  // Connect's own client: the platform's translates every error.
  const baseUrl = `http://127.0.0.1:${server.port}`
  const { watch } = createClient(Health, createGrpcTransport({ baseUrl }))
  const statuses: ServingStatus[] = []
  let whenStopped: Promise<void> | undefined
  try {
    for await (const { status } of watch({})) {
      statuses.push(status)
      if (status === ServingStatus.SERVING) server.drain()
      else whenStopped = server.close()
    }
    assert.unreachable('the stream ended as if all were said')
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error)
    // Must end before the server cuts running calls after ten seconds, which would prove nothing.
    assert.equal(
      [statuses, code, rawMessage],
      [[ServingStatus.SERVING, ServingStatus.NOT_SERVING], Code.Unavailable, 'the server is stopping'],
    )
  }
  await whenStopped
})

test('an open reflection stream does not delay the stop of its server', async () => {
  const server = await startRpcServer(options)
  const baseUrl = `http://127.0.0.1:${server.port}`
  const { serverReflectionInfo } = createClient(ServerReflection, createGrpcTransport({ baseUrl }))
  const release = Promise.withResolvers<void>()
  async function* questions() {
    yield { messageRequest: { case: 'listServices' as const, value: '' } }
    await release.promise
  }
  const answerCases: string[] = []
  let whenStopped: Promise<void> | undefined
  try {
    for await (const { messageResponse } of serverReflectionInfo(questions())) {
      answerCases.push(messageResponse.case ?? '')
      // Longer than the test: only the end of the stream lets the server stop.
      whenStopped = server.close(3_600_000)
    }
    assert.unreachable('the stream ended as if all were said')
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error)
    assert.equal(
      [answerCases, code, rawMessage],
      [['listServicesResponse'], Code.Unavailable, 'the server is stopping'],
    )
  }
  await whenStopped
  release.resolve()
})

test('an unreachable service, and one that disconnects during its answer, are unavailable', async () => {
  const brokenServer = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x')
    setTimeout(() => response.destroy(), 20)
  })
  const host = ownAddress()
  brokenServer.listen(0, host)
  await once(brokenServer, 'listening')
  const { port } = brokenServer.address() as AddressInfo
  const transport = remoteTransport(`http://${host}:${port}`)
  const code = () =>
    createClient(Health, transport)
      .check({})
      .then(
        () => undefined,
        (error: unknown) => ConnectError.from(error).code,
      )
  assert.is(await code(), Code.Unavailable)
  brokenServer.closeAllConnections()
  brokenServer.close()
  await once(brokenServer, 'close')
  assert.is(await code(), Code.Unavailable)
  transport.close()
})

test('calls end after their time at a service that accepts connections and never answers, also those without one', async () => {
  const silent = createTcp(socket => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const transport = remoteTransport(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  const { check } = createClient(Health, transport)
  // More than the transport has connections.
  const calls = Array.from({ length: 100 }, () => check({}, { timeoutMs: 300 }).catch(ConnectError.from))
  const codes = (await Promise.all(calls)).map(answer => answer instanceof ConnectError && answer.code)
  assert.equal(new Set(codes), new Set([Code.DeadlineExceeded]))
  transport.close()
  silent.close()
})

test('a call on the connection to a machine that vanished is unavailable long before its own limit', async () => {
  const server = await startRpcServer(options)
  let isGone = false
  const wire = createTcp(clientSocket => {
    const serverSocket = connect(server.port, '127.0.0.1')
    const forward = (to: Socket) => (data: Buffer) => void (isGone || to.write(data))
    clientSocket.on('data', forward(serverSocket)).on('error', () => serverSocket.destroy())
    serverSocket.on('data', forward(clientSocket)).on('error', () => clientSocket.destroy())
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  const transport = remoteTransport(`http://127.0.0.1:${(wire.address() as AddressInfo).port}`)
  const { check } = createClient(Health, transport)
  await check({})
  isGone = true
  for (const attempt of ['on the open connection', 'on a new one']) {
    const error = await check({}).catch((thrown: unknown) => thrown)
    assert.is(ConnectError.from(error).code, Code.Unavailable, attempt)
  }
  transport.close()
  await server.close(100)
  wire.close()
})

test('a query of rights is retried once when its process dies, and is unavailable when all do', async () => {
  let requestCount = 0
  let going = 1
  const server = createHttp2()
  server.on('stream', stream => {
    stream.on('error', () => undefined)
    requestCount++
    if (requestCount <= going) return void stream.session?.socket.destroy()
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true })
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(Buffer.alloc(5))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = remoteTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const rights = rightsFrom(() => createClient(AccessService, transport))
  assert.equal((await rights.ofUser('first'))?.workspaces, [])
  assert.is(requestCount, 2)
  going = Infinity
  assert.is(toRpcError(await rights.ofUser('second').catch((error: unknown) => error)).info.status, 503)
  assert.is(requestCount, 4)
  transport.close()
  server.close()
})

test('a stream aborted before or during its answer is unavailable at once, for any stated reason', async () => {
  const proto = { ':status': 200, 'content-type': 'application/grpc+proto' }
  const breaks: Record<string, (stream: ServerHttp2Stream) => void> = {
    'closed as if all were well': stream => stream.close(0),
    'closed as one that is over': stream => stream.close(5),
    cancelled: stream => stream.close(8),
    'ended with its connection': stream => stream.session?.destroy(),
    'ended with its socket': stream => stream.session?.socket.destroy(),
    'closed after its headers': stream => {
      stream.respond(proto)
      setImmediate(() => stream.close(0))
    },
    'ended with its connection after its headers': stream => {
      stream.respond(proto)
      setImmediate(() => stream.session?.destroy())
    },
  }
  for (const [title, breakOff] of Object.entries(breaks)) {
    const server = createHttp2()
    server.on('stream', stream => {
      stream.on('error', () => undefined)
      stream.once('data', () => breakOff(stream))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const transport = remoteTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { uploadMedia, downloadMedia } = createClient(MediaService, transport)
    const upload = async () => void (await uploadMedia(parts(), { timeoutMs: 20_000 }))
    const download = async () => {
      for await (const part of downloadMedia({}, { timeoutMs: 20_000 })) assert.unreachable(JSON.stringify(part))
      assert.unreachable('the answer ended as if all were said')
    }
    for (const call of [upload, download])
      assert.is(ConnectError.from(await call().catch((error: unknown) => error)).code, Code.Unavailable, title)
    transport.close()
    server.close()
    await once(server, 'close')
  }
})

test('while servers are replaced one by one no stream fails, and no process ends', async () => {
  const parts = {
    async *downloadMedia() {
      yield* [{}, {}, {}]
    },
  } as unknown as Partial<ServiceImpl<DescService>>
  const start = () => startRpcServer({ ...options, rpcs: [{ service: MediaService, implementation: parts }] })
  let server = await start()
  // The load balancer: a new connection goes to the newest process.
  const front = createTcp(clientSocket => {
    const serverSocket = connect(server.port, '127.0.0.1')
    serverSocket.on('error', () => clientSocket.destroy()).pipe(clientSocket)
    clientSocket.on('error', () => serverSocket.destroy()).pipe(serverSocket)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const transport = remoteTransport(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
  const { downloadMedia } = createClient(MediaService, transport)
  let isOver = false
  const read = async () => {
    for (let parts = 0; !isOver; parts = 0) {
      for await (const part of downloadMedia({})) parts += part ? 1 : 0
      assert.is(parts, 3)
      // Between two streams the connection is idle, as in normal operation.
      await new Promise(resolve => setTimeout(resolve, Math.random() * 5))
    }
  }
  const readers = Promise.all([read(), read()])
  for (let round = 0; round < 10; round++) {
    const former = server
    server = await start()
    former.drain()
    await new Promise(resolve => setTimeout(resolve, 300))
    await former.close()
  }
  isOver = true
  await readers
  transport.close()
  await server.close(100)
  front.close()
})

test.run()
