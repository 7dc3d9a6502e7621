import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { PageMetaSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { type Asked, cutList } from './paging.ts'
import type { Rpc } from './server.ts'

/**
 * Pairs a service with its handlers. The type requires every method that isn't listed as pending, so a missing one
 * doesn't compile; pending ones answer 501. Lists whose handler answers all of `data` without `meta` are cut to the
 * requested page.
 */
export function implement<S extends DescService, Pending extends keyof ServiceImpl<S> = never>(
  service: S,
  implementation: Omit<ServiceImpl<S>, Pending>,
  pending: readonly Pending[] = [],
): Rpc {
  for (const name of pending)
    if (name in implementation) throw new Error(`${service.typeName}.${String(name)} is built and listed as pending`)
  const handlers = implementation as Record<string, Handler | undefined>
  const lists = service.methods.filter(isList).flatMap(({ localName }) => {
    const handler = handlers[localName]
    const cut: Handler = async (request, context) => withPage(await handler?.(request, context), request)
    return handler ? [[localName, cut] as const] : []
  })
  return { service, implementation: { ...handlers, ...Object.fromEntries(lists) } as Rpc['implementation'] }
}

type Handler = (request: Message, context: HandlerContext) => unknown

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
