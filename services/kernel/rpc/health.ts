import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, createClient, type ServiceImpl, type Transport } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts'
import type { Rpc } from './implement.ts'

const watchEveryMs = 1_000
const doubtMs = 250

/**
 * Throws unless the services behind a transport can work. "Not serving" is checked twice more: a process that is being
 * replaced reports it while it still answers, until the load balancer has switched to its successor.
 */
export async function isServing(transport: Transport): Promise<void> {
  const health = createClient(Health, transport)
  for (let tries = 1; ; tries++) {
    const { status } = await health.check({ service: '' }, { timeoutMs: 1_000 })
    if (status === Status.SERVING) return
    if (tries === 3) throw new Error('not serving')
    await sleep(doubtMs)
  }
}

/** The two steps of a server's end: clients leave it, then it stops. */
export type Ending = { drained: AbortSignal; stopped: AbortSignal }

/**
 * grpc.health.v1 for the services of a server; the empty name means all of them. Watchers are notified of a drain at
 * once. Their streams end as unavailable when the server stops; otherwise they would keep it from ending.
 */
export function healthImplementation(
  rpcs: Rpc[],
  healthy: () => Promise<boolean>,
  { drained, stopped }: Ending,
): ServiceImpl<typeof Health> {
  const serviceNames = new Set(['', ...rpcs.map(rpc => rpc.service.typeName)])
  const status = async () => {
    const isServing = !drained.aborted && (await healthy()) && !drained.aborted
    return isServing ? Status.SERVING : Status.NOT_SERVING
  }
  return {
    async check({ service }) {
      if (!serviceNames.has(service)) throw new ConnectError(`unknown service ${service}`, Code.NotFound)
      return { status: await status() }
    },
    async *watch({ service }, context) {
      const endSignal = AbortSignal.any([context.signal, stopped])
      const wakeSignal = AbortSignal.any([endSignal, drained])
      let last: Status | undefined
      while (!context.signal.aborted) {
        const now = serviceNames.has(service) ? await status() : Status.SERVICE_UNKNOWN
        if (now !== last) yield { status: now }
        last = now
        if (stopped.aborted) throw new ConnectError('the server is stopping', Code.Unavailable)
        await sleep(watchEveryMs, undefined, { signal: wakeSignal.aborted ? endSignal : wakeSignal }).catch(
          () => undefined,
        )
      }
    },
  }
}
