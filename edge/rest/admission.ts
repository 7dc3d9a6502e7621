import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { Counter, type Registry } from 'prom-client'
import { ServiceUnavailableError } from '../../services/kernel/errors.ts'

type TransportOf = (service: DescService) => Transport

/** Whoever is signed in keeps working, and whoever is not comes in: the last tenth is for them. */
const forSignIns = 0.1
const isSignIn = ({ typeName }: DescService): boolean => /^platform\.(auth|legacyauth)\./.test(typeName)

export type Admission = {
  /** Throws when a call of the service would be one too many. Asked first, so that its body is not even read. */
  requireRoom(service: DescService): void
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
  return {
    requireRoom,
    counted: transportOf => service => {
      const transport = transportOf(service)
      return {
        async unary(...call) {
          requireRoom(service)
          underWay++
          try {
            return await transport.unary(...call)
          } finally {
            underWay--
          }
        },
        stream: (...call) => transport.stream(...call),
      }
    },
  }
}
