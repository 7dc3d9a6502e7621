import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { http } from '../../../../gen/google/api/annotations_pb.ts'
import { Body, rest } from '../../../../gen/platform/options/v1/options_pb.ts'
import { invalid } from '../../base/errors.ts'

/**
 * Whether unknown keys of a JSON body are ignored: its documented body isn't shown, or the route takes only its path.
 */
export function isOpenBody(method: DescMethod): boolean {
  const { value } = getOption(method, http).pattern
  const path = typeof value === 'string' ? value : ''
  const takesNothing = path !== '' && method.input.fields.every(({ name }) => path.includes(`{${name}}`))
  return getOption(method, rest).openBody || takesNothing
}

/** Whether a method has no route: only services call it. */
export const isInternal = (method: DescMethod): boolean => !hasOption(method, http)

/** Whether a method takes more than path and query: its route has a body, or it has no route. */
export function takesBody(method: DescMethod): boolean {
  return getOption(method, http).body !== '' || isInternal(method) || getOption(method, rest).request === Body.MULTIPART
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses the JSON of a request, once `countJson` has counted it. Throws a ValidationError when it isn't JSON in UTF-8.
 * @param field the field named in errors
 */
export function parseJson(bytes: Uint8Array, field = 'body'): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalid(field, 'is not valid JSON', 'json')
  }
}
