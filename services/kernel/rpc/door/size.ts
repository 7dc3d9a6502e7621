import { type DescMessage, type DescMethod, getOption } from '@bufbuild/protobuf'
import { access, Caller, rest } from '../../../../gen/platform/options/v1/options_pb.ts'

/** Largest body of a route that names no other, in bytes. */
export const usualBytes = 100_000

/** The same of a route that anybody may call: reading a body is what a stranger can make the platform do. */
export const publicBytes = 8_000

/** Largest message between processes that no route bounds: of internal methods, and one piece of a stream. */
const internalBytes = 1024 * 1024

/** What a message holds beside the body of its route: values of the path, the update mask. */
const besideBytes = 1024

/** A free JSON object is up to so many times larger in protobuf: the `0,` of a list of numbers takes 11 bytes. */
const freeFactor = 6

/** Largest body of a method's route, in bytes after decompression. */
export const bodyBytes = (method: DescMethod): number =>
  getOption(method, rest).maxBodyBytes || (isPublic(method) ? publicBytes : usualBytes)

const isPublic = (method: DescMethod): boolean => getOption(method, access).callers.includes(Caller.PUBLIC)

const known = new WeakMap<DescMethod, { json: number; binary: number }>()

/**
 * Largest message of a method on the RPC surfaces, in bytes after decompression. Protobuf beyond the limit of JSON must
 * be within that limit as JSON, too.
 */
export function messageBytes(method: DescMethod, isJson: boolean): number {
  let limits = known.get(method)
  if (!limits) known.set(method, (limits = limitsOf(method)))
  return isJson ? limits.json : limits.binary
}

function limitsOf(method: DescMethod): { json: number; binary: number } {
  const isStream = method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming'
  if (getOption(method, rest).internal || isStream) return { json: internalBytes, binary: internalBytes }
  const json = bodyBytes(method) + besideBytes
  return { json, binary: isFree(method.input) ? json * freeFactor : json }
}

const isFree = ({ fields }: DescMessage): boolean =>
  fields.some(field => field.message?.typeName === 'google.protobuf.Struct')
