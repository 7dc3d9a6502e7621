import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { Request } from 'express'
import { UsageService } from '../../gen/platform/legacyauth/v1/usage_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Log } from '../../services/kernel/process/log.ts'
import { repeatEvery } from '../../services/kernel/process/repeat.ts'
import type { Route } from '../rest/routes.ts'

type CallCount = { day: string; route: string; client: string; calls: number; last: Date }

export type Usage = {
  /** Counts one call, whatever its answer. */
  count(route: Route, request: Request): void
  /** Sends the remaining counts. */
  stop(): Promise<void>
}

const reportMs = 2_000
/** Maximum of counts held at once: clients choose their names. */
const maxCounts = 1_000

/**
 * Counts calls of legacy routes per day and client, and sends the counts to the authentication service every two
 * seconds.
 */
export function countUsage(service: Pick<Client<typeof UsageService>, 'recordUsage'>, log: Log): Usage {
  const counts = new Map<string, CallCount>()

  const addCount = (one: CallCount): void => {
    const existingCount = counts.get(keyOf(one))
    if (existingCount) counts.set(keyOf(one), { ...one, calls: existingCount.calls + one.calls })
    else if (counts.size < maxCounts || one.client === otherClients) counts.set(keyOf(one), one)
    else addCount({ ...one, client: otherClients })
  }

  /** A batch without an answer is sent again unchanged, so that it counts once. */
  let unreported: { batchId: string; callCounts: CallCount[] } | undefined
  const sendCounts = async (): Promise<void> => {
    if (!unreported) {
      if (counts.size === 0) return
      unreported = { batchId: newId(), callCounts: [...counts.values()] }
      counts.clear()
    }
    const { batchId, callCounts } = unreported
    try {
      const calls = callCounts.map(({ last, ...one }) => ({ ...one, lastCalledAt: timestampFromDate(last) }))
      await service.recordUsage({ calls, batchId }, { timeoutMs: 2_000 })
      unreported = undefined
    } catch (error) {
      log.debug({ err: error }, 'legacy route calls not reported; retrying')
    }
  }
  const reporting = repeatEvery(reportMs, sendCounts)

  return {
    count(route, { headers }) {
      if (route.method.parent.typeName === UsageService.typeName) return
      const now = new Date()
      const client = clientOf(headers['origin'], headers['user-agent'])
      addCount({ day: now.toISOString().slice(0, 10), route: routeName(route), client, calls: 1, last: now })
    },
    async stop() {
      await reporting.stop()
      await reporting.run()
      if (!unreported) await reporting.run()
    },
  }
}

const otherClients = 'others'
const keyOf = ({ day, route, client }: CallCount): string => `${day} ${client} ${route}`

/** A route as the documentation writes it: POST /auth/login/:type. */
const routeName = ({ verb, path }: Route): string =>
  `${verb} ${path.replace(/\{(\w+)\}/g, (_, name: string) => `:${toCamelCase(name)}`)}`

const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A web page by its origin, since all browsers have similar names; a program by its product name. */
function clientOf(origin: string | undefined, userAgent: string | undefined): string {
  const page = /^https?:\/\/([A-Za-z0-9.:-]{1,60})$/.exec(origin ?? '')?.[1]
  return page ?? /^[A-Za-z0-9._-]{1,60}/.exec(userAgent ?? '')?.[0] ?? 'unknown'
}
