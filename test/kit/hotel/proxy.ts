import { once } from 'node:events'
import {
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A network fault before a service, played once. `after` lets the call take effect and breaks only the answer. */
export type WireFault = { mode: '4xx' | '5xx' | 'hang' | 'reset'; after?: boolean }

const grpcStatuses = { '4xx': '3', '5xx': '13' }

/** A gRPC proxy in front of a service's RPC port that plays faults on named methods. */
export async function faultyWire(port: number) {
  const faults = new Map<string, WireFault>()
  const upstream = connect(`http://127.0.0.1:${port}`)
  const sessions = new Set<ServerHttp2Session>()

  /** Sends a call on, and returns its answer. */
  const forward = async (headers: IncomingHttpHeaders, body: Buffer) => {
    const call = upstream.request({ ...headers, ':authority': `127.0.0.1:${port}` })
    let trailers: IncomingHttpHeaders = {}
    call.once('trailers', fields => (trailers = fields)).end(body)
    const [head] = (await once(call, 'response')) as [IncomingHttpHeaders]
    return { head, body: await buffer(call), trailers }
  }

  const handle = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    const method = String(headers[':path']).split('/').at(-1) ?? ''
    const fault = faults.get(method)
    faults.delete(method)
    const body = await buffer(stream)
    const answer = !fault || fault.after ? await forward(headers, body) : undefined
    if (fault?.mode === 'hang') return
    if (fault?.mode === 'reset') return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    if (fault) {
      const grpcHead = { ':status': 200, 'content-type': 'application/grpc+proto' }
      return stream.respond({ ...grpcHead, 'grpc-status': grpcStatuses[fault.mode] }, { endStream: true })
    }
    if (!answer) return
    stream.respond(answer.head, { waitForTrailers: true })
    stream.once('wantTrailers', () => stream.sendTrailers(answer.trailers)).end(answer.body)
  }

  const server = createServer()
    .on('session', session => sessions.add(session))
    .on('stream', (stream, headers) => {
      stream.on('error', () => undefined)
      void handle(stream, headers).catch(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
    })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Plays the fault on the next call of the method. */
    spoil: (method: string, fault: WireFault) => void faults.set(method, fault),
    /** Methods whose fault was not triggered. */
    left: () => [...faults.keys()],
    close() {
      for (const session of sessions) session.destroy()
      upstream.destroy()
      server.close()
    },
  }
}
