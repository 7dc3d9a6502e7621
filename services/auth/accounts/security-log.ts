import type { HandlerContext } from '@connectrpc/connect'
import { actorKey, claimsOfActor, requestIdKey } from '../../kernel/access/actor.ts'
import { toPlatformError } from '../../kernel/base/errors.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'

type Handler = (request: never, context: HandlerContext) => unknown

/** Reads don't affect who has access, so they are not logged. */
const reads = /^(get|list)/

/**
 * Wraps handlers to log each attempt at a guarded method: the method, the user if known, the address and the outcome.
 * Request contents are never logged.
 */
export function logAttempts(log: Log, { service, implementation }: Rpc): Rpc {
  const handlers = implementation as Record<string, Handler | undefined>
  const noted = service.methods.flatMap(({ localName, name }) => {
    const handler = handlers[localName]
    if (!handler || reads.test(localName)) return []
    const guarded: Handler = async (request, context) => {
      const note = (outcome: string, userId: string | undefined) => {
        const client = context.requestHeader.get('x-client-ip')
        log.info({ security: name, outcome, userId, client, requestId: context.values.get(requestIdKey) }, 'account')
      }
      try {
        const answer = await handler(request, context)
        note('ok', userOf(answer) ?? actorOf(context))
        return answer
      } catch (error) {
        note(toPlatformError(error).info.class, actorOf(context))
        throw error
      }
    }
    return [[localName, guarded] as const]
  })
  return { service, implementation: { ...handlers, ...Object.fromEntries(noted) } as Rpc['implementation'] }
}

function actorOf(context: HandlerContext): string | undefined {
  return claimsOfActor(context.values.get(actorKey))?.userId
}

/** The user who has just signed in: responses to sign-ins contain the account. */
function userOf(answer: unknown): string | undefined {
  const { user } = (answer ?? {}) as { user?: { id?: string } }
  return user?.id || undefined
}
