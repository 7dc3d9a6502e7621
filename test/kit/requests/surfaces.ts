import { type DescMethod, fromJson, type JsonObject, type Message, toJsonString } from '@bufbuild/protobuf'
import { Code, ConnectError, type Transport } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'
import { call } from '../../../cli/tour/client.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { toRpcError } from '../../../services/kernel/base/errors.ts'
import { ownerOf } from '../../../services/kernel/base/service-names.ts'
import { rpcPort } from '../../../services/kernel/rpc/remote-services.ts'
import { serviceOf } from '../../contract/descriptors.ts'
import type { Platform } from '../platform/platform.ts'

/** Where RPCs are called, beside the REST routes. */
export const rpcSurfaces = ['the RPC ports', '/rpc'] as const
export type RpcSurface = (typeof rpcSurfaces)[number]

/** The status that REST would have, and the sentence of the refusal or the first message of the answer as JSON. */
export type RpcAnswer = { status: number; text: string }
type AskRpc = (method: DescMethod, input: Message, headers: Record<string, string>) => Promise<RpcAnswer>

/** Calls RPCs of a platform on a surface, over one connection per address. */
export function rpcClient({ urls, env }: Platform, surface: RpcSurface): AskRpc {
  const transports = new Map<string, Transport>()
  const addressOf = ({ parent }: DescMethod): string =>
    surface === '/rpc'
      ? `${urls[serviceOf(parent.file.proto.package) as keyof typeof urls]}/rpc`
      : `http://127.0.0.1:${rpcPort(env, ownerOf(parent))}`
  const transportOf = (method: DescMethod): Transport => {
    const baseUrl = addressOf(method)
    const openTransport = transports.get(baseUrl)
    if (openTransport) return openTransport
    const transport =
      surface === '/rpc' ? createConnectTransport({ baseUrl, httpVersion: '1.1' }) : createGrpcTransport({ baseUrl })
    transports.set(baseUrl, transport)
    return transport
  }
  return async (method, input, headers) => {
    async function* inputs() {
      yield input
    }
    const transport = transportOf(method)
    try {
      if (method.methodKind === 'unary') {
        const { message } = await transport.unary(method as never, undefined, 10_000, headers, input)
        return { status: 200, text: toJsonString(method.output, message) }
      }
      const answer = await transport.stream(method as never, undefined, 10_000, headers, inputs() as never)
      const { value } = await answer.message[Symbol.asyncIterator]().next()
      return { status: 200, text: value ? toJsonString(method.output, value) : '' }
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error)
      return { status: code === Code.Unimplemented ? 501 : toRpcError(error).info.status, text: rawMessage }
    }
  }
}

/** A call in the form of each surface; `path` has the values of a GET too. */
export type SurfaceCall = { verb: string; path: (values: JsonObject) => string; method: DescMethod }

/** The same call on REST and on each surface of RPCs. */
export function onEachSurface(platform: Platform, service: RestService, { verb, path, method }: SurfaceCall) {
  const overRest = async (token: string, values: JsonObject): Promise<RpcAnswer> => {
    const body = verb === 'GET' ? {} : { body: values }
    const answer = await call(platform.urls, service, verb, path(values), { token, ...body })
    return { status: answer.status, text: String(answer.body['message'] ?? JSON.stringify(answer.body)) }
  }
  return [
    { surface: 'REST', ask: overRest },
    ...rpcSurfaces.map(surface => {
      const ask = rpcClient(platform, surface)
      return {
        surface,
        ask: (token: string, values: JsonObject) =>
          ask(method, fromJson(method.input, values), { authorization: `Bearer ${token}` }),
      }
    }),
  ]
}
