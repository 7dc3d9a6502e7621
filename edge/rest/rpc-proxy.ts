import type { DescMethod, DescMethodStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
  type Transport,
} from '@connectrpc/connect'
import { expressConnectMiddleware } from '@connectrpc/connect-express'
import type { RequestHandler } from 'express'
import { toRpcError } from '../../services/kernel/base/errors.ts'
import { isInternal } from '../../services/kernel/rpc/door/body.ts'
import { boundBody } from '../../services/kernel/rpc/door/bounded-body.ts'
import { type HeaderCheck, handlerOptions, methodFinder, nameHost } from '../../services/kernel/rpc/door/handlers.ts'
import { responseHeaders } from '../../services/kernel/rpc/in-process.ts'
import { copyLimitHeaders } from '../../services/kernel/rpc/limits/quota.ts'
import type { CountRefusal } from './broken.ts'
import { forwardedHeaders } from './credentials.ts'
import { routesOf } from './routes.ts'

const passedHeaders = [...forwardedHeaders, 'x-request-id']

const addressKey = createContextKey('', { description: 'client address' })

/**
 * Sets the client's address, by which limits are counted. Proxy headers are read only as far as TRUST_PROXY_HOPS
 * allows.
 */
function clientAddressOf(request: { ip?: string | undefined }): ContextValues {
  return createContextValues().set(addressKey, request.ip ?? '')
}

function headersOf(context: HandlerContext): Record<string, string> {
  const entries = passedHeaders.map(name => [name, context.requestHeader.get(name)] as const)
  const address = context.values.get(addressKey)
  const headers = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
  return address ? { ...headers, 'x-client-ip': address } : headers
}

/**
 * Offers methods with a REST route to Connect and gRPC-Web clients; internal methods stay inside.
 * @param checkHeaders checks a call by its headers, before its body is read
 * @param countRefusal counts a refused call; returns the error to send, possibly a 429
 */
export function rpcProxy(
  services: DescService[],
  transportOf: (service: DescService) => Transport,
  checkHeaders: HeaderCheck,
  countRefusal: CountRefusal,
): RequestHandler {
  const paths = new Map(services.flatMap(routesOf).map(({ method, path }) => [method, path]))
  const refusalOf = (method: DescMethod, thrown: unknown, values: ContextValues): Promise<unknown> => {
    const error = thrown instanceof ConnectError ? thrown : toRpcError(thrown)
    const address = values.get(addressKey)
    return countRefusal({ path: paths.get(method) ?? '', address, thrown: error, answer: error.metadata })
  }
  const findMethod = methodFinder(services)
  const handle = expressConnectMiddleware({
    routes: router => {
      for (const service of services) {
        const transport = transportOf(service)
        const implementation: Record<string, unknown> = Object.fromEntries(
          service.methods.map(method => [method.localName, forwardMethod(method, transport, refusalOf)]),
        )
        router.service(service, implementation as Partial<ServiceImpl<DescService>>)
      }
    },
    contextValues: clientAddressOf,
    ...handlerOptions({
      checkHeaders(method, header, values) {
        if (isInternal(method)) refuseCall()
        return checkHeaders(method, name => (name === 'x-client-ip' ? values.get(addressKey) : header(name)))
      },
      compresses: true,
      maxTimeoutMs: 30_000,
    }),
  })
  return (request, response, next) => {
    nameHost(request)
    const method = findMethod(request)
    if (method)
      boundBody(request, method, {
        decompresses: true,
        refusal: thrown => refusalOf(method, thrown, clientAddressOf(request)),
      })
    handle(request, response, next)
  }
}

function refuseCall(): never {
  throw new ConnectError('not available here', Code.Unimplemented)
}

type RefusalOf = (method: DescMethod, thrown: unknown, values: ContextValues) => Promise<unknown>

function forwardMethod(method: DescMethod, transport: Transport, refusalOf: RefusalOf) {
  if (method.methodKind === 'unary')
    return async (input: never, context: HandlerContext) => {
      const answer = await transport
        .unary(method as DescMethodUnary, context.signal, context.timeoutMs(), headersOf(context), input)
        .catch(async (thrown: unknown) => {
          throw await refusalOf(method, thrown, context.values)
        })
      const headers = responseHeaders(answer)
      if (headers) copyLimitHeaders(headers, context.responseHeader)
      return answer.message
    }
  if (method.methodKind === 'server_streaming')
    return async function* (input: never, context: HandlerContext) {
      async function* requestMessages() {
        yield input
      }
      const answer = await transport.stream(
        method as DescMethodStreaming,
        context.signal,
        context.timeoutMs(),
        headersOf(context),
        requestMessages(),
      )
      yield* answer.message
    }
  return refuseCall
}
