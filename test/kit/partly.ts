import type { DescService } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { Rpc } from '../../services/kernel/rpc/implement.ts'
import { implement } from '../../services/kernel/rpc/implement.ts'

/** A stand-in for a service: methods without a handler answer 501. */
export const partly = <S extends DescService>(service: S, handlers: Partial<ServiceImpl<S>>): Rpc =>
  implement(service, handlers as ServiceImpl<S>)
