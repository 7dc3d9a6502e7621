import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { Rpc } from './server.ts'

/**
 * Pairs a service with its handlers. The type demands every method that is not listed as
 * pending, so a forgotten one does not compile; pending ones answer 501 until they are built.
 */
export function implement<S extends DescService, Pending extends keyof ServiceImpl<S> = never>(
  service: S,
  implementation: Omit<ServiceImpl<S>, Pending>,
  pending: readonly Pending[] = [],
): Rpc {
  for (const name of pending)
    if (name in implementation) throw new Error(`${service.typeName}.${String(name)} is built and listed as pending`)
  return { service, implementation: implementation as Rpc['implementation'] }
}
