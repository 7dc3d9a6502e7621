import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { DescMethod } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect'
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node'
import { incoming, receive, received } from './receive.ts'

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/**
 * Checks a call by its headers before its body is read, and throws the refusal.
 * @param header as the call's RPC receives it
 */
export type HeaderCheck = (method: DescMethod, header: (name: string) => string | undefined) => unknown

type Options = {
  routes: (router: ConnectRouter) => void
  interceptors?: Interceptor[]
  checkHeaders: (...call: [...Parameters<HeaderCheck>, values: ContextValues]) => unknown
  /** Called with the refusal of a body; returns the final refusal. */
  refusal?: (method: DescMethod, thrown: unknown, values: ContextValues) => Promise<unknown>
  contextValues?: (request: Request) => ContextValues
  /** Whether request bodies may be compressed, and answers are. */
  packs: boolean
  maxTimeoutMs: number
}

const writeMaxBytes = 8 * 1024 * 1024

/**
 * Answers Connect, gRPC-Web and gRPC calls. The steps are the same on every surface: credential, size, decoding;
 * validation and access follow in the interceptors. Connect handles the protocols; this folder decodes the messages.
 * @returns a listener that passes on requests for unknown methods
 */
export function rpcListener({
  routes,
  interceptors = [],
  checkHeaders,
  refusal,
  contextValues,
  packs,
  maxTimeoutMs,
}: Options) {
  const router = createConnectRouter({
    interceptors: [received, ...interceptors],
    acceptCompression: packs ? [compressionGzip, compressionBrotli] : [],
    requestGate: async ({ method, requestHeader, values }) => {
      await checkHeaders(method, name => requestHeader.get(name) ?? undefined, values)
    },
    writeMaxBytes,
    maxTimeoutMs,
  })
  routes(router)
  const handlers = new Map(router.handlers.map(handler => [handler.requestPath, handler]))

  return (request: Request, response: Response, next: () => void): void => {
    const handler = handlers.get(request.url?.split('?', 1)[0] ?? '')
    if (!handler) return next()
    const { method } = handler
    const values = contextValues?.(request) ?? createContextValues()
    const asked = universalRequestFromNodeRequest(request, response, undefined, values)
    const headers = incoming(method, asked.header, values)
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield* receive(headers, request.iterator({ destroyOnReturn: false }), packs)
      } catch (thrown) {
        // The rest of a refused body is discarded, so that the client reads the answer.
        request.resume()
        throw refusal ? await refusal(method, thrown, values) : thrown
      }
    }
    handler({ ...asked, body: body() })
      .then(answer => universalResponseToNodeResponse(answer, response))
      .catch((reason: unknown) => {
        if (ConnectError.from(reason).code === Code.Aborted) return
        response.destroy()
      })
  }
}
