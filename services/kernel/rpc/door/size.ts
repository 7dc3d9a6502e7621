import { type DescMessage, type DescMethod, getOption } from '@bufbuild/protobuf'
import { access, Caller, rest } from '../../../../gen/platform/options/v1/options_pb.ts'
import { perObject } from '../../base/memo.ts'

/** Default limit of a route's body, in bytes. */
export const usualBytes = 100_000

/** The default limit of a public route, in bytes: anyone can make the platform read such a body. */
export const publicBytes = 8_000

/** Limit of messages between processes without a route, in bytes: internal methods, and single messages of a stream. */
const internalBytes = 1024 * 1024

/** Allowance for fields outside the route's body: values of the path, the update mask. */
const besideBytes = 1024

/** How much larger a free JSON object can be in protobuf: the `0,` of a list of numbers takes 11 bytes. */
const freeFactor = 6

/** Limit of the body of a method's route, in bytes after decompression. */
export const bodyBytes = (method: DescMethod): number =>
  getOption(method, rest).maxBodyBytes || (isPublic(method) ? publicBytes : usualBytes)

const isPublic = (method: DescMethod): boolean => getOption(method, access).callers.includes(Caller.PUBLIC)

/**
 * Limit of a method's message on the RPC surfaces, in bytes after decompression. A protobuf message above the JSON
 * limit must also be within that limit as JSON.
 */
export const largestMessage = (method: DescMethod, isJson: boolean): number =>
  limitsOf(method)[isJson ? 'json' : 'binary']

const limitsOf = perObject((method: DescMethod): { json: number; binary: number } => {
  const isStream = method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming'
  if (getOption(method, rest).internal || isStream) return { json: internalBytes, binary: internalBytes }
  const json = bodyBytes(method) + besideBytes
  return { json, binary: isFree(method.input) ? json * freeFactor : json }
})

const isFree = ({ fields }: DescMessage): boolean =>
  fields.some(field => field.message?.typeName === 'google.protobuf.Struct')
