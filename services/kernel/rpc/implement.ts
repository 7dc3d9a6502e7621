import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { PageMetaSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { type Asked, cutList } from './paging.ts'
import type { Rpc } from './server.ts'

export type Handler = (request: Message, context: HandlerContext) => unknown

/**
 * Pairs a service with its handlers; a missing one doesn't compile. Lists whose handler answers all of `data` without
 * `meta` are cut to the requested page.
 */
export const implement = <S extends DescService>(service: S, implementation: ServiceImpl<S>): Rpc =>
  wrapHandlers({ service, implementation: implementation as Rpc['implementation'] }, (method, handler) =>
    isList(method) ? async (request, context) => withPage(await handler(request, context), request) : handler,
  )

/** The service with what `wrap` returns in place of each handler. */
export function wrapHandlers(
  { service, implementation }: Rpc,
  wrap: (method: DescMethod, handler: Handler) => Handler,
): Rpc {
  const handlers = implementation as Record<string, Handler | undefined>
  const wrapped: typeof handlers = {}
  for (const method of service.methods) {
    const handler = handlers[method.localName]
    if (handler) wrapped[method.localName] = wrap(method, handler)
  }
  return { service, implementation: wrapped as Rpc['implementation'] }
}

/** Whether a method is a paginated list: page and limit in the request, data and meta in the answer. */
const isList = ({ methodKind, input, output }: DescMethod): boolean =>
  methodKind === 'unary' &&
  ['page', 'limit'].every(name => input.fields.some(field => field.name === name)) &&
  output.fields.some(field => field.message === PageMetaSchema) &&
  output.fields.some(field => field.name === 'data')

function withPage(answer: unknown, request: Message): unknown {
  const { data = [], meta, ...others } = answer as { data?: unknown[]; meta?: unknown }
  return meta ? answer : { ...others, ...cutList(data, request as Asked) }
}
