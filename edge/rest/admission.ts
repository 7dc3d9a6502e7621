import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { Counter, type Registry } from 'prom-client'
import { ServiceUnavailableError } from '../../services/kernel/base/errors.ts'

type TransportOf = (service: DescService) => Transport

/** Whoever is signed in keeps working, and whoever is not comes in: the last tenth is for them. */
const forSignIns = 0.1
const isSignIn = ({ typeName }: DescService): boolean => /^platform\.(auth|legacyauth)\./.test(typeName)

export type Admission = {
  /**
   * Does a part of a call of the service as one of those under way; throws when it would be one too many. Its body comes
   * between two parts and counts for nothing, so that slow clients close nobody out.
   */
  during<T>(service: DescService, work: () => T | Promise<T>): Promise<T>
  /** The same transports, which count their calls and refuse those beyond. */
  counted(transportOf: TransportOf): TransportOf
}

/**
 * Refuses calls beyond `most` at once with 503 and Retry-After, before anything is done for them: more than a process can
 * do would else wait longer and longer, until nobody gets an answer in time. All listeners of an edge count together.
 * Streams (files) pace themselves by their connections and are not counted.
 */
export function admission(most: number, registry?: Registry): Admission {
  let underWay = 0
  const name = 'edge_calls_refused_total'
  const help = 'Calls refused because EDGE_MAX_CALLS were under way'
  // Edges of one process count together.
  const known = registry?.getSingleMetric(name)
  const refused = known instanceof Counter ? known : registry && new Counter({ name, help, registers: [registry] })
  const requireRoom = (service: DescService): void => {
    if (underWay < (isSignIn(service) ? most : most - Math.floor(most * forSignIns))) return
    refused?.inc()
    throw new ServiceUnavailableError('Too many requests at once, try later', { retryAfterSeconds: 1 })
  }
  const during = async <T>(service: DescService, work: () => T | Promise<T>): Promise<T> => {
    requireRoom(service)
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }
  return {
    during,
    counted: transportOf => service => {
      const transport = transportOf(service)
      return {
        unary: (...call) => during(service, () => transport.unary(...call)),
        stream: (...call) => transport.stream(...call),
      }
    },
  }
}
