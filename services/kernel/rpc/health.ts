import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, createClient, type ServiceImpl, type Transport } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts'
import type { Rpc } from './server.ts'

const watchEveryMs = 1_000
const doubtMs = 250

/**
 * Throws unless the services behind a transport can do their work. A no is doubted twice: a process that is being replaced
 * says it, while it answers all else, until what stands before it has turned to the next one.
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

/** How far a server is with its end: it is left by its clients, and then it stops. */
export type Ending = { drained: AbortSignal; stopped: AbortSignal }

/**
 * grpc.health.v1 over the services of a server; the empty name asks for all of them. Who watches hears of a drain at once,
 * and its stream ends as unavailable when the server stops: it would hold it otherwise, and never be done.
 */
export function healthImplementation(
  rpcs: Rpc[],
  healthy: () => Promise<boolean>,
  { drained, stopped }: Ending,
): ServiceImpl<typeof Health> {
  const known = new Set(['', ...rpcs.map(rpc => rpc.service.typeName)])
  const status = async () => {
    const isServing = !drained.aborted && (await healthy()) && !drained.aborted
    return isServing ? Status.SERVING : Status.NOT_SERVING
  }
  return {
    async check({ service }) {
      if (!known.has(service)) throw new ConnectError(`no service ${service} here`, Code.NotFound)
      return { status: await status() }
    },
    async *watch({ service }, context) {
      const over = AbortSignal.any([context.signal, stopped])
      const news = AbortSignal.any([over, drained])
      let last: Status | undefined
      while (!context.signal.aborted) {
        const now = known.has(service) ? await status() : Status.SERVICE_UNKNOWN
        if (now !== last) yield { status: now }
        last = now
        if (stopped.aborted) throw new ConnectError('the server stops', Code.Unavailable)
        await sleep(watchEveryMs, undefined, { signal: news.aborted ? over : news }).catch(() => undefined)
      }
    },
  }
}
