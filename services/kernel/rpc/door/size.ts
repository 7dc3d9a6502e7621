import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { access, Caller, rest } from '../../../../gen/platform/options/v1/options_pb.ts'
import { memoizeByObject } from '../../base/memo.ts'
import { isInternal, takesBody } from './body.ts'
import type { BodyLimits } from './cost.ts'

/** Limit of any body, in values. */
const mostValues = 100_000

/** Default limit of a route's body, in bytes, and the values that such a body may hold. */
const usualBytes = 100_000
const usualValues = 10_000

/** The default limit of a public route, in bytes: anyone can make the platform read such a body. */
const publicBytes = 8_000

/** Limit of a method whose route has no body, in bytes: what fits into path and query. */
const addressBytes = 16 * 1024

/** Limit of messages between processes without a route, in bytes: internal methods, and single messages of a stream. */
const internalBytes = 1024 * 1024

/** Allowance for fields outside the route's body: values of the path, the update mask. */
const besideBytes = 1024

/** Without a lower limit, a body of 100 kB of empty lists would cost several times as much as any other of its size. */
export const limitsOf = (bytes: number): BodyLimits => ({
  bytes,
  values: bytes > usualBytes ? mostValues : usualValues,
})

/** Limits of public bodies, after decompression. */
export const publicLimits = limitsOf(publicBytes)

/** Limits of the body of a method's route, after decompression. */
export const bodyLimits = memoizeByObject((method: DescMethod): BodyLimits => limitsOf(bodyBytes(method)))

/** Limits of a method's message on the RPC surfaces, after decompression. */
export const messageLimits = memoizeByObject((method: DescMethod): BodyLimits => {
  const isStream = method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming'
  if (isInternal(method) || isStream) return limitsOf(internalBytes)
  const { bytes, values } = bodyLimits(method)
  return { bytes: bytes + besideBytes, values }
})

function bodyBytes(method: DescMethod): number {
  const { maxBodyBytes } = getOption(method, rest)
  if (maxBodyBytes > 0) return maxBodyBytes
  if (getOption(method, access).callers.includes(Caller.PUBLIC)) return publicBytes
  return takesBody(method) ? usualBytes : addressBytes
}
