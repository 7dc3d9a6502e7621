import type { DescMethodStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf'
import { getOption } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
  type Transport,
} from '@connectrpc/connect'
import { rest } from '../../gen/platform/options/v1/options_pb.ts'
import { responseHeaders } from '../../services/kernel/in-process.ts'
import { passQuota } from '../../services/kernel/quota.ts'
import type { CountBroken } from './broken.ts'
import { routesOf } from './routes.ts'

const passed = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'user-agent',
  'accept-language',
  'x-request-id',
  'idempotency-key',
  'if-match',
]

const addressKey = createContextKey('', { description: 'client address' })

/** Notes the client's address, read from proxies only as far as TRUST_PROXY_HOPS says; limits are counted by it. */
export function clientAddressOf(request: { ip?: string | undefined }): ContextValues {
  return createContextValues().set(addressKey, request.ip ?? '')
}

function headersOf(context: HandlerContext): Record<string, string> {
  const entries = passed.map(name => [name, context.requestHeader.get(name)] as const)
  const address = context.values.get(addressKey)
  const headers = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
  return address ? { ...headers, 'x-client-ip': address } : headers
}

/** Offers the methods that have a REST route to Connect and gRPC-Web clients too; internal ones stay inside. */
export function proxyRoutes(
  services: DescService[],
  transportOf: (service: DescService) => Transport,
  count: CountBroken = async ({ thrown }) => thrown,
) {
  return (router: ConnectRouter): void => {
    for (const service of services) {
      const transport = transportOf(service)
      const paths = new Map(routesOf(service).map(({ method, path }) => [method, path]))
      const implementation: Record<string, unknown> = Object.fromEntries(
        service.methods.map(method => [
          method.localName,
          getOption(method, rest).internal
            ? closed
            : forward(method as DescMethodUnary, transport, paths.get(method) ?? '', count),
        ]),
      )
      router.service(service, implementation as Partial<ServiceImpl<DescService>>)
    }
  }
}

function closed(): never {
  throw new ConnectError('not available here', Code.Unimplemented)
}

function forward(
  method: DescMethodUnary | DescMethodStreaming,
  transport: Transport,
  path: string,
  count: CountBroken,
) {
  if (method.methodKind === 'unary')
    return async (input: never, context: HandlerContext) => {
      const answer = await transport
        .unary(method, context.signal, context.timeoutMs(), headersOf(context), input)
        .catch(async (thrown: unknown) => {
          const address = context.values.get(addressKey)
          throw await count({ path, address, thrown, answer: context.responseHeader })
        })
      const headers = responseHeaders(answer)
      if (headers) passQuota(headers, context.responseHeader)
      return answer.message
    }
  if (method.methodKind === 'server_streaming')
    return async function* (input: never, context: HandlerContext) {
      async function* only() {
        yield input
      }
      const answer = await transport.stream(method, context.signal, context.timeoutMs(), headersOf(context), only())
      yield* answer.message
    }
  return closed
}
