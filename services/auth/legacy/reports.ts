import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { WebhookReportErrorSchema } from '../../../gen/platform/events/v1/webhook_pb.ts'
import { actorKey, claimsOfActor, requestIdKey } from '../../kernel/access/actor.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { emit } from '../../kernel/bus/events.ts'
import { inTransaction, isUnavailable } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { wrapHandlers } from '../../kernel/rpc/implement.ts'
import type { AuthTables } from '../tables.ts'
import { aroundAccount } from '../users/events.ts'
import { logUser } from './user-logs.ts'

/** Wraps handlers to report unexpected errors on the bus and in the log records. */
export const reporting = (db: Kysely<AuthTables>, rpc: Rpc): Rpc =>
  wrapHandlers(rpc, (method, handler) => async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      await reportError(db, error, method.name, context).catch(() => undefined)
      throw error
    }
  })

/** Reports an unexpected error. Its text may contain secrets, so only its class and location are sent. */
async function reportError(
  db: Kysely<AuthTables>,
  thrown: unknown,
  rpc: string,
  context: HandlerContext,
): Promise<void> {
  const { status, class: error } = toRpcError(thrown).info
  if (status !== 500 || isUnavailable(thrown)) return
  const requestId = context.values.get(requestIdKey)
  const service = 'legacy-authentication-service'
  const body = { id: newId(), service, error, message: `${rpc} failed`, requestId }
  await inTransaction(db, async trx => {
    await emit(trx, WebhookReportErrorSchema, body, aroundAccount)
    const userId = claimsOfActor(context.values.get(actorKey))?.userId
    await logUser(trx, { level: 'error', message: `${rpc} failed`, userId, meta: { error, requestId } })
  })
}
