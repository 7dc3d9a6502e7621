import { getOption } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { http } from '../../../gen/google/api/annotations_pb.ts'
import { WebhookReportErrorSchema } from '../../../gen/platform/events/v1/webhook_pb.ts'
import { UsageService } from '../../../gen/platform/legacyauth/v1/usage_pb.ts'
import { requestIdKey } from '../../kernel/actor.ts'
import { inTransaction } from '../../kernel/database.ts'
import { toPlatformError } from '../../kernel/errors.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { implement } from '../../kernel/implement.ts'
import type { Log } from '../../kernel/log.ts'
import type { Rpc } from '../../kernel/server.ts'
import type { Tables } from '../tables.ts'
import { aroundAccount } from '../user-events.ts'
import { addCalls, type Calls, usageSince } from './usage.sql.ts'

const flushMs = 2_000

export type Usage = {
  /** The same handlers: counted, and with their unexpected errors reported on the bus. */
  watch(rpc: Rpc): Rpc
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Counts calls of legacy routes per day and client, in memory for a moment and then in the database. */
export function startUsage(db: Kysely<Tables>, log: Log): Usage {
  let counts = new Map<string, Calls>()
  let running = Promise.resolve()

  const flush = (): Promise<void> => {
    const taken = [...counts.values()]
    counts = new Map()
    running = running.then(async () => {
      for (const calls of taken)
        await addCalls(db, calls).catch((error: unknown) =>
          log.warn({ err: error }, 'calls of a legacy route are lost'),
        )
    })
    return running
  }
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  const count = (route: string, context: HandlerContext): void => {
    const now = new Date()
    const day = now.toISOString().slice(0, 10)
    const client = clientName(context.requestHeader.get('user-agent'))
    const key = `${day} ${client} ${route}`
    const known = counts.get(key) ?? { day, route, client, calls: 0, last: now }
    counts.set(key, { ...known, calls: known.calls + 1, last: now })
  }

  return {
    watch({ service, implementation }) {
      const watched = Object.fromEntries(
        service.methods.map(method => {
          const handler = (implementation as Record<string, Handler | undefined>)[method.localName]
          if (!handler) return [method.localName, undefined]
          const route = routeOf(getOption(method, http).pattern)
          const counted: Handler = async (request, context) => {
            count(route, context)
            try {
              return await handler(request, context)
            } catch (error) {
              await report(db, error, context).catch(() => undefined)
              throw error
            }
          }
          return [method.localName, counted]
        }),
      )
      return { service, implementation: watched as Rpc['implementation'] }
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

type Handler = (request: never, context: HandlerContext) => unknown

/** POST /auth/login/:type, as the documents write routes. */
function routeOf(pattern: { case: string | undefined; value?: unknown }): string {
  const declared = typeof pattern.value === 'string' ? pattern.value : ''
  const path = declared.replace(/\{(\w+)\}/g, (_, name: string) => `:${camel(name)}`)
  return `${pattern.case?.toUpperCase() ?? ''} ${path}`
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The product name that a user agent begins with. */
const clientName = (userAgent: string | null): string => /^[A-Za-z0-9._-]{1,60}/.exec(userAgent ?? '')?.[0] ?? 'unknown'

/** Tells of an unexpected error. Its text may hold anything, so only its class travels. */
async function report(db: Kysely<Tables>, thrown: unknown, context: HandlerContext): Promise<void> {
  const { status, class: error } = toPlatformError(thrown).info
  if (status !== 500) return
  const requestId = context.values.get(requestIdKey)
  const service = 'legacy-authentication-service'
  const body = { id: newId(), service, error, message: 'unexpected error', requestId }
  await inTransaction(db, trx => emit(trx, WebhookReportErrorSchema, body, aroundAccount))
}

/** Who still calls the legacy version. */
export const usageService = (db: Kysely<Tables>, usage: Pick<Usage, 'flush'>) =>
  implement(UsageService, {
    async listUsage({ days }) {
      await usage.flush()
      const since = new Date(Date.now() - ((days ?? 30) - 1) * 86_400_000).toISOString().slice(0, 10)
      const rows = await usageSince(db, since)
      return {
        data: rows.map(row => ({
          route: row.route,
          client: row.client,
          calls: Number(row.calls),
          lastCalledAt: timestampFromDate(row.last_called_at),
        })),
      }
    },
  })
