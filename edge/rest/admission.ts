import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { Counter, type Registry } from 'prom-client'
import { ServiceUnavailableError } from '../../services/kernel/base/errors.ts'
import { ownerOf, type ServiceName } from '../../services/kernel/base/service-names.ts'

type TransportOf = (service: DescService) => Transport

/** The last tenth is reserved for sign-ins: signed-in users keep working, and others can still come in. */
const signInShare = 0.1
const isSignIn = ({ typeName }: DescService): boolean => /^platform\.(auth|legacyauth)\./.test(typeName)

export type Admission = {
  /**
   * Runs a part of a service call as one of the concurrent calls; throws above the limit. The body's arrival between
   * two parts doesn't count, so that slow clients block no one.
   * @param owningService the service that does the work
   */
  during<T>(service: DescService, work: () => T | Promise<T>, owningService?: DescService): Promise<T>
  /** The same transports, with their calls counted and limited. */
  limitCalls(transportOf: TransportOf): TransportOf
}

/**
 * Refuses calls above `maxCalls` at once with a 503 and Retry-After, before any work is done: an overloaded process would
 * otherwise answer later and later, until no answer arrives in time. One service may do at most half of them, so that
 * the others are answered while it hangs. All listeners of an edge count together. Streams (files) are limited by their
 * connections and are not counted.
 */
export function admission(maxCalls: number, registry?: Registry): Admission {
  let runningCalls = 0
  const name = 'edge_calls_refused_total'
  const help = 'Calls refused because EDGE_MAX_CALLS were in progress'
  // The edges of one process count together.
  const existingMetric = registry?.getSingleMetric(name)
  const refusedCounter =
    existingMetric instanceof Counter ? existingMetric : registry && new Counter({ name, help, registers: [registry] })
  const callsByService = new Map<ServiceName, number>()
  const hasRoom = (service: DescService, owner: ServiceName): boolean =>
    runningCalls < (isSignIn(service) ? maxCalls : maxCalls - Math.floor(maxCalls * signInShare)) &&
    (callsByService.get(owner) ?? 0) < Math.floor(maxCalls / 2)
  const changeCounts = (owner: ServiceName, change: 1 | -1): void => {
    runningCalls += change
    callsByService.set(owner, (callsByService.get(owner) ?? 0) + change)
  }
  const during: Admission['during'] = async (service, work, owningService = service) => {
    const owner = ownerOf(owningService)
    if (!hasRoom(service, owner)) {
      refusedCounter?.inc()
      throw new ServiceUnavailableError('Too many concurrent requests, try again later', { retryAfterSeconds: 1 })
    }
    changeCounts(owner, 1)
    try {
      return await work()
    } finally {
      changeCounts(owner, -1)
    }
  }
  return {
    during,
    limitCalls: transportOf => service => {
      const transport = transportOf(service)
      return {
        unary: (...call) => during(service, () => transport.unary(...call)),
        stream: (...call) => transport.stream(...call),
      }
    },
  }
}
