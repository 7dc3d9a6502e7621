import type { DescMethod, DescService, Message } from '@bufbuild/protobuf'
import { createContextKey, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { isEmptyList } from '../access/empty-lists.ts'
import { memoizeByObject } from '../base/memo.ts'
import { cutList, type PageRequest, pageMeta, paging } from './paging.ts'

/** A service and its implementation; missing methods answer as unimplemented. */
export type Rpc = { service: DescService; implementation: Partial<ServiceImpl<DescService>> }

type Handler = (request: Message, context: HandlerContext) => unknown

/**
 * Answers a call instead of its handler. An interceptor that answered by itself would replace the headers of the
 * protocol too.
 */
export const answerKey = createContextKey<((context: HandlerContext) => Message) | undefined>(undefined, {
  description: 'answers instead of the handler',
})

/**
 * Pairs a service with its handlers; a missing one doesn't compile. Lists whose handler answers all of `data` without
 * `meta` are cut to the requested page, and lists in which the caller sees nothing are empty.
 */
export const implement = <S extends DescService>(service: S, implementation: ServiceImpl<S>): Rpc =>
  wrapHandlers({ service, implementation: implementation as Rpc['implementation'] }, (method, handler) =>
    isList(method)
      ? async (request, context) => answerList(request, context, handler)
      : method.methodKind === 'unary'
        ? (request, context) => context.values.get(answerKey)?.(context) ?? handler(request, context)
        : handler,
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
export const isList = memoizeByObject(
  ({ methodKind, input, output }: DescMethod): boolean =>
    methodKind === 'unary' &&
    ['page', 'limit'].every(name => input.fields.some(field => field.name === name)) &&
    ['data', 'meta'].every(name => output.fields.some(field => field.name === name)),
)

async function answerList(request: Message & PageRequest, context: HandlerContext, handler: Handler): Promise<unknown> {
  if (isEmptyList(context)) return { meta: pageMeta(0, paging(request)) }
  const answer = await handler(request, context)
  const { data = [], meta, ...otherFields } = answer as { data?: unknown[]; meta?: unknown }
  return meta ? answer : { ...otherFields, ...cutList(data, request) }
}
