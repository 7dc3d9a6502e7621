import type { DescMethod, Message } from '@bufbuild/protobuf'
import type { Client, HandlerContext } from '@connectrpc/connect'
import type { AccountService } from '../../../../gen/platform/auth/v1/accounts_pb.ts'
import { AddressLimit, type Limit } from '../../../../gen/platform/options/v1/options_pb.ts'
import { actorKey } from '../../access/actor.ts'
import { toRpcError } from '../../base/errors.ts'
import type { Log } from '../../process/log.ts'
import type { Rpc } from '../implement.ts'
import { wrapHandlers } from '../implement.ts'
import { isCountedByHandler, limitOf, limitProblem } from './limit-option.ts'
import { copyLimitHeaders } from './quota.ts'

type CallCounter = { client: () => Pick<Client<typeof AccountService>, 'countCall'>; log: Log }

const timeoutMs = 1_000

/**
 * Wraps handlers so that each call is first counted by the limit option of its method. The authentication service keeps
 * the counters for all processes. Throws for a public method without a limit.
 */
export function limitCalls(rpc: Rpc, counter: CallCounter): Rpc {
  for (const method of rpc.service.methods) {
    const problem = limitProblem(method)
    if (problem) throw new Error(`${method.toString()}: ${problem}`)
  }
  return wrapHandlers(rpc, (method, handler) => {
    const limit = limitOf(method)
    if (!limit || isCountedByHandler(limit) || !(isAnonymous(limit) || limit.subject)) return handler
    return async (request, context) => {
      await countCall(counter, limit, subjectOf(method, limit, request), context)
      return handler(request, context)
    }
  })
}

const isAnonymous = ({ address }: Limit): boolean => address === AddressLimit.ANONYMOUS

function subjectOf(method: DescMethod, { subject }: Limit, request: Message): string {
  const field = method.input.fields.find(({ name }) => name === subject)
  const value = field && (request as Record<string, unknown>)[field.localName]
  return typeof value === 'string' ? value : ''
}

async function countCall(
  { client, log }: CallCounter,
  limit: Limit,
  value: string,
  context: HandlerContext,
): Promise<void> {
  const byAddress = isAnonymous(limit) && context.values.get(actorKey).kind !== 'service'
  if (!byAddress && !value) return
  const clientIp = context.requestHeader.get('x-client-ip')?.slice(0, 64)
  const { policy, perHour, own } = limit
  const passHeaders = (headers: Headers) => copyLimitHeaders(headers, context.responseHeader)
  try {
    await client().countCall(
      {
        byAddress,
        ...(clientIp ? { clientIp } : {}),
        ...(value ? { subject: { policy, value, perHour, own } } : {}),
      },
      { timeoutMs, onHeader: passHeaders },
    )
  } catch (thrown) {
    const error = toRpcError(thrown)
    if (error.info.status === 429) {
      passHeaders(error.metadata)
      throw error
    }
    // Calls pass when they can't be counted: an invitation can be accepted while the authentication service is down.
    log.warn({ err: error }, 'call not counted: authentication service unavailable')
  }
}
