import { createServer as createHttpServer, request as sendRequest } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { portSettings } from '../../edge/config.ts'
import { type RunningEdge, startEdge } from '../../edge/edge.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { createLog } from '../../services/kernel/process/log.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { startTestHost, type TestHost } from './kit.ts'

export type TestEdge = { host: TestHost; edge: RunningEdge; urls: RunningEdge['urls']; end(): Promise<void> }

/** Settings that let the system choose every REST service's port. */
export const anyPorts: Environment = Object.fromEntries(portSettings.map(setting => [setting, '0']))

/** A real edge over real services in this process. */
export async function startTestEdge(
  modules: ServiceModule[],
  extra: Environment = {},
  options?: Parameters<typeof startTestHost>[2],
): Promise<TestEdge> {
  const host = await startTestHost(modules, { ...anyPorts, ...extra }, options)
  const edge = await startEdge(host, host.env, createLog('edge', process.env['LOG_LEVEL'] ?? 'fatal'))
  return {
    host,
    edge,
    urls: edge.urls,
    async end() {
      await edge.stop()
      await host.end()
    },
  }
}

/** A TCP line to a server, whose target can be changed. Cutting it closes its connections, and refuses further ones. */
export async function startRelayTo(address: { hostname: string; port: string }) {
  const open = new Set<Socket>()
  let target = address
  let isDown = false
  let refusedCount = 0
  const server = createServer(clientSocket => {
    if (isDown) {
      refusedCount++
      return clientSocket.destroy()
    }
    const serverSocket = connect(Number(target.port), target.hostname)
    for (const [source, destination] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      open.add(source)
      source.on('error', () => destination.destroy())
      source.on('close', () => {
        open.delete(source)
        destination.destroy()
      })
      source.pipe(destination)
    }
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isDown = true
      for (const socket of open) socket.destroy()
    },
    mend(to: string) {
      target = new URL(to)
      isDown = false
    },
    /** Connections refused while cut. */
    refused: () => refusedCount,
    end: () => void server.close(),
  }
}

/**
 * Passes HTTP requests on to a server. Of its answers the first is lost, and the second breaks off in the middle of its
 * body; the server has done the work by then.
 */
export async function startLossyRelayTo(address: string) {
  const requests: { method: string; key: unknown }[] = []
  const server = createHttpServer((request, response) => {
    const { method = '', url = '', headers } = request
    const options = { method, headers: { ...headers, connection: 'close' } }
    const onward = sendRequest(new URL(url, address), options, async answer => {
      const body = await buffer(answer)
      requests.push({ method, key: headers['idempotency-key'] })
      if (requests.length === 1) return response.destroy()
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, 'content-length': body.length })
      if (requests.length === 2) return response.write(body.subarray(0, body.length / 2), () => response.destroy())
      return response.end(body)
    })
    request.pipe(onward)
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    end() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * A server's answer to raw bytes until it hangs up, and the time it took in ms. Only time in which this process was
 * awake counts, so that a stalled machine doesn't add to it.
 */
export function rawAnswer(url: string, ...pieces: string[]): Promise<{ text: string; ms: number }> {
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    let text = ''
    let ms = 0
    const clock = setInterval(() => (ms += 20), 20)
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece)
    })
    socket
      .on('data', data => {
        text += data.toString('latin1')
      })
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(clock)
        resolve({ text, ms })
      })
  })
}

/** Consecutive answers on one connection, each with the body of its Content-Length. */
export function answersIn(text: string): { status: number; headers: Headers; body: string }[] {
  const answers = []
  for (let remainder = text; remainder !== ''; ) {
    const [head = '', ...parts] = remainder.split('\r\n\r\n')
    const [line = '', ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map(one => one.split(/:\s*(.*)/, 2) as [string, string]))
    const after = parts.join('\r\n\r\n')
    const length = Number(headers.get('content-length') ?? 0)
    answers.push({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]), headers, body: after.slice(0, length) })
    remainder = after.slice(length)
  }
  return answers
}
