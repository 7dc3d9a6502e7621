import type { HandlerContext } from '@connectrpc/connect'
import { actorKey, claimsOfActor, requestIdKey } from '../../kernel/access/actor.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { wrapHandlers } from '../../kernel/rpc/implement.ts'

/** Reads don't affect who has access, so they are not logged. */
const readMethods = /^(get|list)/

/**
 * Wraps handlers to log each attempt at a guarded method: the method, the user if known, the address and the outcome.
 * Request contents are never logged.
 */
export const logAttempts = (log: Log, rpc: Rpc): Rpc =>
  wrapHandlers(rpc, ({ localName, name }, handler) => {
    if (readMethods.test(localName)) return handler
    return async (request, context) => {
      const logOutcome = (outcome: string, userId: string | undefined) => {
        const client = context.requestHeader.get('x-client-ip')
        log.info({ security: name, outcome, userId, client, requestId: context.values.get(requestIdKey) }, 'account')
      }
      try {
        const answer = await handler(request, context)
        logOutcome('ok', userOf(answer) ?? actorOf(context))
        return answer
      } catch (error) {
        logOutcome(toRpcError(error).info.class, actorOf(context))
        throw error
      }
    }
  })

function actorOf(context: HandlerContext): string | undefined {
  return claimsOfActor(context.values.get(actorKey))?.userId
}

/** The user who has just signed in: responses to sign-ins contain the account. */
function userOf(answer: unknown): string | undefined {
  const { user } = (answer ?? {}) as { user?: { id?: string } }
  return user?.id || undefined
}
