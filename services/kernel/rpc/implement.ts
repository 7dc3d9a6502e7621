import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { PageMetaSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { type Asked, cutList } from './paging.ts'
import type { Rpc } from './server.ts'

/**
 * Pairs a service with its handlers. The type demands every method that is not listed as
 * pending, so a forgotten one does not compile; pending ones answer 501 until they are built. Lists whose handler
 * answers all of `data`, without `meta`, are cut to the page that is asked for.
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

/** Whether a method answers a list in pages: page and limit are asked for, and data and meta answered. */
const isList = ({ methodKind, input, output }: DescMethod): boolean =>
  methodKind === 'unary' &&
  ['page', 'limit'].every(name => input.fields.some(field => field.name === name)) &&
  output.fields.some(field => field.message === PageMetaSchema) &&
  output.fields.some(field => field.name === 'data')

function withPage(answer: unknown, request: Message): unknown {
  const { data = [], meta, ...others } = answer as { data?: unknown[]; meta?: unknown }
  return meta ? answer : { ...others, ...cutList(data, request as Asked) }
}
