import {
  createServer as createHttp1,
  request as http1Request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A network fault before a service, played once. `after` lets the call take effect and breaks only the answer. */
export type WireFault = { mode: '4xx' | '5xx' | 'hang' | 'reset'; after?: boolean }

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse
type Answer = { status: number; headers: Record<string, string>; body: Buffer }

const refusals = {
  '4xx': { status: 400, code: 'invalid_argument' },
  '5xx': { status: 500, code: 'internal' },
}

/** A proxy in front of a service's RPC port, for HTTP/1.1 and HTTP/2, that plays faults on named methods. */
export async function faultyWire(port: number) {
  const faults = new Map<string, WireFault>()
  const upstream = connect(`http://127.0.0.1:${port}`)
  const sockets = new Set<Socket>()

  const handle = async (request: Request, response: Response): Promise<void> => {
    const method = (request.url ?? '').split('/').at(-1) ?? ''
    const fault = faults.get(method)
    faults.delete(method)
    const body = await buffer(request)
    const forward = () => (request.httpVersionMajor === 2 ? over2 : over1)(request, body)
    if (!fault) return answer(response, await forward())
    if (fault.after) await forward()
    if (fault.mode === 'hang') return
    if (fault.mode === 'reset') return void response.socket?.destroy()
    const { status, code } = refusals[fault.mode]
    const json = Buffer.from(JSON.stringify({ code, message: 'spoilt on the way' }))
    answer(response, { status, headers: { 'content-type': 'application/json' }, body: json })
  }

  const over1 = (request: Request, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = request.headers as Record<string, string>
      const call = http1Request(
        { port, host: '127.0.0.1', path: request.url, method: 'POST', headers },
        async reply => {
          const kept = { 'content-type': String(reply.headers['content-type']) }
          resolve({ status: reply.statusCode ?? 0, headers: kept, body: await buffer(reply) })
        },
      )
      call.once('error', reject).end(body)
    })

  const over2 = (request: Request, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const call = upstream.request({ ...request.headers, ':authority': `127.0.0.1:${port}` })
      call.once('error', reject).once('response', async headers => {
        const kept = { 'content-type': String(headers['content-type']) }
        resolve({ status: Number(headers[':status']), headers: kept, body: await buffer(call) })
      })
      call.end(body)
    })

  const listener = (request: Request, response: Response) =>
    void handle(request, response).catch(() => response.socket?.destroy())
  const [http1, http2] = [createHttp1(listener), createHttp2(listener)]
  // As the services' own port does: an HTTP/2 client begins with "PRI".
  const tcp = createTcp(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null
      if (first === null) return void socket.destroy()
      socket.unshift(first)
      const target = first.subarray(0, 3).toString('latin1') === 'PRI' ? http2 : http1
      target.emit('connection', socket)
    })
  })
  await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    /** Plays the fault on the next call of the method. */
    spoil: (method: string, fault: WireFault) => void faults.set(method, fault),
    /** Methods whose fault was not triggered. */
    left: () => [...faults.keys()],
    close() {
      for (const socket of sockets) socket.destroy()
      upstream.destroy()
      tcp.close()
    },
  }
}

function answer(response: Response, { status, headers, body }: Answer): void {
  const target = response as ServerResponse
  target.writeHead(status, headers).end(body)
}
